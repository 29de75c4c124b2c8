"""Weights of the pair scores. Made by tools/train_join.py from the development sets; do not edit."""

from __future__ import annotations

from typing import Final

LINEAGE_WEIGHTS: Final[dict[str, float]] = {
    "most": 1.01,
    "rare": 1.46,
    "head": 0.7,
    "title": 1.38,
    "names": 0.67,
    "crosswise": 2.26,
    "figures_kept": 2.16,
    "figures": -1.69,
    "figures_changed": -0.61,
    "tickers_differ": -1.1,
    "tickers_same": 1.61,
    "slug_same": 0.74,
    "hour_differs": -1.11,
    "hour_differs_in_figures": -1.59,
    "days": -1.09,
    "days_with_figures_changed": -1.28,
}
LINEAGE_BIAS: Final = -5.29

STORY_WEIGHTS: Final[dict[str, float]] = {
    "title": 5.87,
    "lead": 3.39,
    "body": 6.32,
    "names": 5.15,
    "numbers": 3.07,
    "bigrams": 1.4,
    "crosswise": 2.63,
    "head": 5.65,
    "rare": 1.17,
}
STORY_BIAS: Final = -4.69
