"""Who goes with whom, and who changed places: two small classics on indices alone.

`best_pairs` is the assignment problem on a sparse graph (successive shortest augmenting paths with potentials, Jonker and
Volgenant 1987); `movers` a longest increasing subsequence (Fredman 1975) with the newsroom's tie-breaks.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from typing import Final

STEPS: Final = 400_000
"""Steps of search for one document, about a second; a text that needs more is a template and is finished greedily."""


def best_pairs(gains: dict[tuple[int, int], float]) -> dict[int, int]:
    """The pairing (row to column) of greatest total gain. Rows and columns may stay alone; only given pairs may be made."""
    rows = sorted({row for row, _ in gains})
    edges: dict[int, list[tuple[int, float]]] = {row: [] for row in rows}
    top = max(gains.values(), default=0.0)
    for (row, column), gain in sorted(gains.items()):
        if gain > 0:
            edges[row].append((column, top - gain))
    owner: dict[int, int] = {}  # column -> row; column -1-row is the row's own place for staying alone
    match: dict[int, int] = {}
    price: dict[int, float] = {}
    steps = 0
    for row in rows:
        edges[row].append((-1 - row, top))
        if steps > STEPS:
            free = [edge for edge in edges[row] if edge[0] not in owner]
            column = min(free, key=lambda edge: (edge[1], edge[0]))[0]
            owner[column], match[row] = row, column
            continue
        steps += _augment(row, edges, owner, match, price)
    return {row: column for row, column in match.items() if column >= 0}


def _augment(
    start: int,
    edges: dict[int, list[tuple[int, float]]],
    owner: dict[int, int],
    match: dict[int, int],
    price: dict[int, float],
) -> int:
    """Give `start` a column by the cheapest chain of changes (Dijkstra over reduced costs); returns the steps it took."""
    reached: dict[int, float] = {}
    parent: dict[int, int] = {}
    done: dict[int, float] = {}
    heap: list[tuple[float, int]] = []
    row, so_far, steps = start, 0.0, 0
    base = 0.0
    while True:
        for column, cost in edges[row]:
            steps += 1
            if column in done:
                continue
            distance = so_far + cost - base - price.get(column, 0.0)
            if column not in reached or distance < reached[column] - 1e-12:
                reached[column] = distance
                parent[column] = row
                heapq.heappush(heap, (distance, column))
        while True:
            distance, column = heapq.heappop(heap)
            if column not in done and distance <= reached[column] + 1e-12:
                break
        if column not in owner:
            break
        done[column] = distance
        row = owner[column]
        so_far = distance
        base = next(cost for c, cost in edges[row] if c == column) - price.get(column, 0.0)
    for settled, at in done.items():
        price[settled] = price.get(settled, 0.0) + at - distance
    while True:
        row = parent[column]
        owner[column], match[row], column = row, column, match.get(row, column)
        if row == start:
            return steps


def movers(order: Sequence[tuple[int, int]]) -> frozenset[int]:
    """Which of the matched paragraphs changed places: positions in `order`, given as (before, after), sorted by after.

    The fewest; on a tie those that travelled furthest, then those that went up (a paragraph is promoted on purpose, the
    others are pushed down).
    """
    ranks = {before: rank for rank, before in enumerate(sorted(before for before, _ in order))}
    # best[k]: of the chains ending at or below rank k, (length, least travelled, fewest promoted kept), last position
    best: list[tuple[int, int, int, int] | None] = [None] * (len(order) + 1)
    link: list[int] = [-1] * len(order)
    finest: tuple[int, int, int, int] = (0, 0, 0, -1)
    for position, (before, _) in enumerate(order):
        rank = ranks[before]
        previous: tuple[int, int, int, int] = (0, 0, 0, -1)
        at = rank
        while at > 0:
            here = best[at]
            if here is not None and here[:3] > previous[:3]:
                previous = here
            at -= at & -at
        link[position] = previous[3]
        chain = (previous[0] + 1, previous[1] - abs(rank - position), previous[2] - (rank > position), position)
        finest = max(finest, chain, key=lambda c: c[:3])
        at = rank + 1
        while at <= len(order):
            held = best[at]
            if held is None or chain[:3] > held[:3]:
                best[at] = chain
            at += at & -at
    kept: set[int] = set()
    at = finest[3]
    while at >= 0:
        kept.add(at)
        at = link[at]
    return frozenset(range(len(order))) - kept
