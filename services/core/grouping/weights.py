"""Weights of the pair scores. Made by tools/train_join.py from the development sets; do not edit."""

from __future__ import annotations

from typing import Final

LINEAGE_WEIGHTS: Final[dict[str, float]] = {
    "most": 1.16,
    "rare": 2.79,
    "head": -0.09,
    "title": 1.24,
    "names": 0.41,
    "crosswise": 5.31,
    "figures_kept": 1.68,
    "figures": -3.62,
    "figures_changed": -1.08,
    "tickers_differ": -1.84,
    "tickers_same": 2.64,
    "slug_same": 0.95,
    "hour_differs": -0.33,
    "hour_differs_in_figures": -5.6,
    "days": -1.67,
    "days_with_figures_changed": -3.63,
    "figures_changed_at_once": -2.73,
}
LINEAGE_BIAS: Final = -7.68

STORY_WEIGHTS: Final[dict[str, float]] = {
    "title": 3.42,
    "lead": -0.24,
    "body": 0.19,
    "names": 3.9,
    "numbers": 4.38,
    "bigrams": -10.29,
    "crosswise": -2.72,
    "head": 4.85,
    "rare": -1.11,
    "names_and_body": 6.01,
    "titles_and_body": 8.72,
}
STORY_BIAS: Final = -4.78
