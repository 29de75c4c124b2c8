"""Weights of the pair scores. Made by tools/train_join.py from the development sets; do not edit."""

from __future__ import annotations

from typing import Final

LINEAGE_WEIGHTS: Final[dict[str, float]] = {
    "most": 1.06,
    "rare": 3.19,
    "head": -0.15,
    "title": 1.36,
    "names": 0.1,
    "crosswise": 5.4,
    "figures_kept": 1.98,
    "figures": -3.95,
    "figures_changed": -0.92,
    "tickers_differ": -1.77,
    "tickers_same": 2.04,
    "slug_same": 1.15,
    "hour_differs": 0.13,
    "hour_differs_in_figures": -5.98,
    "days": -1.97,
    "days_with_figures_changed": -3.46,
    "figures_changed_at_once": -1.82,
}
LINEAGE_BIAS: Final = -6.79

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
