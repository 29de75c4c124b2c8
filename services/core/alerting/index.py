"""Which rules an event may concern: each is found by what it cannot do without, so that ten thousand cost what a few do."""

from __future__ import annotations

from collections.abc import Sequence

from services.core.alerting.conditions import needs
from services.core.alerting.rule import Rule
from services.core.alerting.seen import Seen


class RuleIndex:
    """Rules by field and word. A rule whose needs nobody can say is asked about every event."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._rules = tuple(rules)
        self._always: list[int] = []
        self._by_mark: dict[tuple[str, str], list[int]] = {}
        self._by_word: dict[str, dict[str, list[int]]] = {}
        for place, rule in enumerate(self._rules):
            wanted = needs(rule.when)
            if wanted is None:
                self._always.append(place)
                continue
            for field, word in wanted:
                if field.endswith("="):
                    self._by_mark.setdefault((field, word), []).append(place)
                else:
                    self._by_word.setdefault(field, {}).setdefault(word, []).append(place)

    def find(self, seen: Seen) -> list[Rule]:
        """The rules that may want the event, in their order; every other one does not."""
        found = set(self._always)
        for mark in seen.marks:
            found.update(self._by_mark.get(mark, ()))
        for field, words in self._by_word.items():
            for word in words.keys() & seen.vocabulary(field):
                found.update(words[word])
        return [self._rules[place] for place in sorted(found)]
