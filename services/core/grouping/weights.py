"""Weights of the pair scores. Made by tools/train_join.py from the development sets; do not edit."""

from __future__ import annotations

from typing import Final

LINEAGE_WEIGHTS: Final[dict[str, float]] = {
    "most": 1.03,
    "rare": 1.47,
    "head": 0.77,
    "title": 1.34,
    "names": 0.7,
    "crosswise": 2.22,
    "figures_kept": 2.19,
    "figures": -1.67,
    "figures_changed": -0.6,
    "tickers_differ": -1.1,
    "tickers_same": 1.6,
    "slug_same": 0.72,
    "hour_differs": -1.1,
    "hour_differs_in_figures": -1.59,
    "days": -1.16,
    "days_with_figures_changed": -1.24,
}
LINEAGE_BIAS: Final = -5.35

STORY_WEIGHTS: Final[dict[str, float]] = {
    "title": 5.38,
    "lead": 2.04,
    "body": 6.44,
    "names": 4.2,
    "numbers": 3.52,
    "bigrams": 2.52,
    "crosswise": 1.82,
    "head": 5.17,
    "rare": 2.06,
}
STORY_BIAS: Final = -4.6
