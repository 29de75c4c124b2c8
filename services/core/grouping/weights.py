"""Weights of the pair scores. Made by tools/train_join.py from the development sets; do not edit."""

from __future__ import annotations

from typing import Final

LINEAGE_WEIGHTS: Final[dict[str, float]] = {
    "most": 1.18,
    "rare": 2.76,
    "head": 0.02,
    "title": 1.25,
    "names": 0.4,
    "crosswise": 5.27,
    "figures_kept": 1.69,
    "figures": -3.64,
    "figures_changed": -1.08,
    "tickers_differ": -1.84,
    "tickers_same": 2.47,
    "slug_same": 0.94,
    "hour_differs": -0.33,
    "hour_differs_in_figures": -5.62,
    "days": -1.73,
    "days_with_figures_changed": -3.57,
    "figures_changed_at_once": -2.74,
}
LINEAGE_BIAS: Final = -7.72

STORY_WEIGHTS: Final[dict[str, float]] = {
    "title": 3.41,
    "lead": -0.18,
    "body": 0.39,
    "names": 3.7,
    "numbers": 4.32,
    "bigrams": -10.15,
    "crosswise": -2.61,
    "head": 4.69,
    "rare": -1.15,
    "names_and_body": 6.05,
    "titles_and_body": 8.6,
}
STORY_BIAS: Final = -4.81
