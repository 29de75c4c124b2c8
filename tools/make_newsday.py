"""Write an invented newsday of any size: `python tools/make_newsday.py --articles 100000 --seed 7 day.jsonl.gz`.

Beside OUT (Article JSON, one a line) stands OUT's truth, `day.truth.jsonl`: a line per article, in the same order, with its
story, what was done to make it, its relation, and for each paragraph whether it is new, background or old.
`tools/score_newsday.py` measures the program against it.
"""

from __future__ import annotations

import argparse
import gzip
from pathlib import Path
from random import Random

from services.contract.codec import encode
from services.synthetic.newsday import STORIES_A_DAY, newsday


def truth_beside(out: Path) -> Path:
    return out.with_name(out.name.removesuffix(".gz").removesuffix(".jsonl") + ".truth.jsonl")


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--articles", type=int, default=1_000)
    ask.add_argument("--seed", type=int, default=1)
    ask.add_argument("--stories-a-day", type=int, default=STORIES_A_DAY, help="how close look-alikes stand in time")
    ask.add_argument("out", type=Path, help="NAME.jsonl or NAME.jsonl.gz")
    asked = ask.parse_args()
    open_out = gzip.open if asked.out.suffix == ".gz" else open
    with open_out(asked.out, "wb") as articles, truth_beside(asked.out).open("wb") as truths:
        for item in newsday(Random(asked.seed), asked.articles, stories_a_day=asked.stories_a_day):  # noqa: S311  # no secret
            articles.write(encode(item.article) + b"\n")
            truths.write(encode(item.truth) + b"\n")


if __name__ == "__main__":
    main()
