"""Count how common English words are in news, and write services/core/common_words.py.

usage: .venv/bin/python tools/count_common_words.py ../shared/data/grouping/mixed-dev

Counts the articles without a label (the dated background), so that no labelled story teaches the table. Only stems that
stand in at least one article in a hundred are kept, sorted into steps; no order of words and no sentence survives. Names
(stems mostly written with a capital) are left out: whose names are common is for the live stream to say.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections import Counter
from pathlib import Path

from services.core.grouping.fingerprint import BODY_TOKENS
from services.core.language import terms
from services.core.language.stopwords import STOPWORDS

STEPS = (40, 30, 22, 16, 12, 9, 7, 5, 4, 3, 2, 1)
HEADER = '''"""How common English words are in news: the part of a hundred articles that a stem stands in.

Made by `tools/count_common_words.py` from the 6,000 background articles of the mixed-dev set; do not edit. The candidate
index starts from these counts, so that the first articles of a day are not compared by "people" and "year".
"""

from __future__ import annotations

from typing import Final

COMMON_STEMS: Final[dict[int, str]] = {
'''


def main(stem: str) -> None:
    labelled = {line.split("\t")[0] for line in Path(f"{stem}.labels.tsv").read_text(encoding="utf-8").splitlines()}
    seen: Counter[str] = Counter()
    plain: Counter[str] = Counter()
    articles = 0
    with gzip.open(f"{stem}.articles.jsonl.gz", "rt", encoding="utf-8") as lines:
        for article in map(json.loads, lines):
            if article["uri"] in labelled:
                continue
            articles += 1
            tokens = terms.tokens("\n".join([article.get("headline") or "", *article.get("body", [])]))[:BODY_TOKENS]
            words = {token for token in tokens if token[0].isalpha() and len(token) > 1}
            light = {word for word in words if word.lower() not in STOPWORDS["en"]}
            seen.update({terms.stem(word.lower(), "en") for word in light})
            plain.update({terms.stem(word, "en") for word in light if word == word.lower()})
    with Path("services/core/common_words.py").open("w", encoding="utf-8") as out:
        out.write(HEADER)
        above = 101
        for step in STEPS:
            stems = sorted(
                s for s, n in seen.items() if step <= 100 * n / articles < above and 2 * plain[s] > n and s.isascii()
            )
            out.write(f'    {step}: """\n')
            line = "       "
            for word in stems:
                if len(line) + len(word) >= 115:
                    out.write(line + "\n")
                    line = "       "
                line += " " + word
            out.write(line + '\n    """,\n')
            above = step
        out.write("}\n")


if __name__ == "__main__":
    main(sys.argv[1])
