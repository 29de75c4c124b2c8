"""The two classics, held against trying everything."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from services.core.redline import assignment
from services.core.redline.assignment import best_pairs, movers

GAINS = st.dictionaries(
    st.tuples(st.integers(0, 4), st.integers(0, 4)), st.integers(-20, 100).map(lambda n: n / 100), max_size=20
)


def best_total(gains, row=0, used=frozenset()):
    if row > 4:
        return 0.0
    alone = best_total(gains, row + 1, used)
    return max(
        [alone]
        + [
            gain + best_total(gains, row + 1, used | {c})
            for (r, c), gain in gains.items()
            if r == row and c not in used
        ]
    )


@given(GAINS)
def test_no_other_pairing_gains_more(gains):
    pairs = best_pairs(gains)
    assert len(set(pairs.values())) == len(pairs)
    assert all(gains[pair] > 0 for pair in pairs.items())
    assert abs(sum(gains[pair] for pair in pairs.items()) - best_total(gains)) < 1e-9


@given(GAINS)
def test_out_of_steps_it_still_pairs_each_once(gains):
    steps, assignment.STEPS = assignment.STEPS, -1
    try:
        pairs = best_pairs(gains)
    finally:
        assignment.STEPS = steps
    assert len(set(pairs.values())) == len(pairs)
    assert all(gains[pair] > 0 for pair in pairs.items())


def cost(order, moved):
    """What the newsroom counts, in its order: how many moved, how far, how many upwards."""
    ranks = {before: rank for rank, before in enumerate(sorted(before for before, _ in order))}
    travelled = sum(abs(ranks[order[n][0]] - n) for n in moved)
    promoted = sum(ranks[order[n][0]] > n for n in moved)
    return (len(moved), -travelled, -promoted)


@given(st.permutations(range(6)), st.integers(0, 6))
def test_the_fewest_move_then_the_furthest_then_the_promoted(befores, size):
    order = [(before, after) for after, before in enumerate(befores[:size])]
    candidates = [
        set(moved)
        for n in range(size + 1)
        for moved in combinations(range(size), n)
        if (kept := [b for k, (b, _) in enumerate(order) if k not in moved]) == sorted(kept)
    ]
    assert cost(order, movers(order)) == min(cost(order, moved) for moved in candidates)
