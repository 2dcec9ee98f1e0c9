"""Rounds of a class: nobody meets again before it must be, and turns to be left over."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from lobby.lessons.pairing import Round, pair
from lobby.tournaments.formats.base import Kind, Options, Pairing

OPTIONS = Options("class", lot="Class 4b")


def paired(pupils: list[int], history: list[Pairing], points: dict[int, float] | None = None) -> Round:
    """Pair the next round, and add it to the history."""
    number = max((each.round for each in history), default=0) + 1
    made = pair(pupils, points or {}, history, OPTIONS, number)
    seats = [*made.pairs, *([(made.over,)] if made.over is not None else [])]
    for table, each in enumerate(seats, 1):
        kind = Kind.PLAYED if len(each) == 2 else Kind.BYE
        history.append(Pairing(number, table, each, kind))
    return made


def meetings(history: list[Pairing]) -> Counter[frozenset[int]]:
    return Counter(frozenset(each.seats) for each in history if len(each.seats) == 2)


def test_everybody_meets_everybody_before_anybody_meets_again():
    pupils, history = list(range(1, 9)), list[Pairing]()
    for _ in range(7):
        paired(pupils, history)
    assert meetings(history) == Counter(map(frozenset, combinations(pupils, 2)))


def test_two_who_have_met_play_again():
    history: list[Pairing] = []
    rounds = [paired([1, 2], history) for _ in range(3)]
    assert [sorted(each.pairs[0]) for each in rounds] == [[1, 2]] * 3
    # They move first by turns.
    assert rounds[0].pairs != rounds[1].pairs


def test_pupils_with_the_same_points_meet():
    made = paired([1, 2, 3, 4], [], {1: 3.0, 2: 0.0, 3: 3.0, 4: 0.0})
    assert sorted(sorted(each) for each in made.pairs) == [[1, 3], [2, 4]]


def test_weakest_is_left_over_first_and_everybody_once():
    history: list[Pairing] = []
    points = {pupil: float(pupil) for pupil in range(1, 6)}
    over = [paired([1, 2, 3, 4, 5], history, points).over for _ in range(5)]
    assert over == [1, 2, 3, 4, 5]


def test_one_alone_is_left_over():
    assert paired([7], []) == Round([], 7)


@given(st.lists(st.sets(st.integers(1, 12), min_size=1), min_size=1, max_size=12))
@settings(max_examples=60, deadline=None)
def test_whoever_is_there_plays_once(lessons: list[set[int]]):
    history: list[Pairing] = []
    for there in lessons:
        made = paired(list(there), history)
        seated = [pupil for each in made.pairs for pupil in each]
        assert sorted([*seated, *([] if made.over is None else [made.over])]) == sorted(there)
        assert (made.over is None) == (len(there) % 2 == 0)


def test_a_class_of_sixty_is_paired_for_a_year():
    pupils, history = list(range(1, 60)), list[Pairing]()
    for _ in range(60):
        paired(pupils, history)
    assert max(meetings(history).values()) <= 2
