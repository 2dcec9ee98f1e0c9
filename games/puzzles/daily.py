"""The puzzle of each day. Pure, except that files are read once."""

from __future__ import annotations

from datetime import date
from functools import cache

from games.puzzles import collection
from games.puzzles.collection import Puzzle, Shown

FIRST = date(2025, 1, 1)
"""The day of the first puzzle."""
COLLECTION = date(2026, 12, 1)
"""The first day whose puzzle is one of the collection. The days before have their own, in days.txt."""


class NoPuzzle(LookupError):
    """There is no puzzle for a day: it is before `FIRST` or in the future."""


def of_day(day: date, today: date) -> Shown:
    """The puzzle of `day` with its position. Raises `NoPuzzle`."""
    if not FIRST <= day <= today:
        raise NoPuzzle(day)
    return collection.shown(_puzzle(day))


@cache
def former() -> tuple[Puzzle, ...]:
    """The puzzles of the days before `COLLECTION`, in their order."""
    return collection.stored("days")


@cache
def coming() -> tuple[Puzzle, ...]:
    """The puzzles of the days from `COLLECTION` on: one of each game after the other."""
    in_turn = zip(*(puzzles.values() for puzzles in collection.by_game().values()), strict=False)
    return tuple(puzzle for puzzles in in_turn for puzzle in puzzles)


def _puzzle(day: date) -> Puzzle:
    """The puzzle of a day; after the last one the first follows again."""
    puzzles, first = (former(), FIRST) if day < COLLECTION else (coming(), COLLECTION)
    return puzzles[(day - first).days % len(puzzles)]
