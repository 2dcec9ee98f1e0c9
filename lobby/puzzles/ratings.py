"""Ratings of puzzles and their solvers. Writes `PuzzleSolver`, `PuzzleRating` and `PuzzleAttempt`.

The first attempt of an account at a puzzle of the collection is a match between the two: who finds the best
move wins. Both are rated by Glicko-2, as in matches of two. Nobody chooses the puzzle that suits them twice.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import TypeVar

from django.db import transaction
from django.utils import timezone

from games.puzzles import collection, difficulty
from games.puzzles.collection import Puzzle
from lobby.people.models import User
from lobby.puzzles.models import PuzzleAttempt, PuzzleRating, PuzzleSolver
from lobby.ratings.glicko2 import Strength, rate

Rated = TypeVar("Rated", PuzzleSolver, PuzzleRating)


@transaction.atomic
def attempt(user: User, puzzle: Puzzle, move: str) -> PuzzleAttempt:
    """The first attempt of an account at a puzzle, which is this one if there was none before.

    Args:
        user: an account, no guest.
        puzzle: one of the collection.
        move: a legal move; any other text is a failure, as if the solution had been asked for.
    """
    # Attempts of one person wait for each other, and then those at one puzzle.
    User.objects.select_for_update().get(pk=user.pk)
    before = PuzzleAttempt.objects.filter(user=user, puzzle=puzzle.key).first()
    if before is not None:
        return before
    new = Strength()._asdict()
    solver, _ = PuzzleSolver.objects.get_or_create(user=user, game=puzzle.slug, defaults=new)
    estimate = {**new, "rating": difficulty.estimates(puzzle.slug)[puzzle.key]}
    PuzzleRating.objects.get_or_create(puzzle=puzzle.key, defaults=estimate)
    rated = PuzzleRating.objects.select_for_update().get(puzzle=puzzle.key)
    mine, its, solved = _strength(solver), _strength(rated), move == puzzle.answer
    _store(solver, rate(mine, [(its, float(solved))]))
    _store(rated, rate(its, [(mine, float(not solved))]))
    return PuzzleAttempt.objects.create(
        user=user,
        puzzle=puzzle.key,
        solved=solved,
        rating_before=mine.rating,
        rating_after=solver.rating,
        at=timezone.now(),
    )


def known(slug: str) -> dict[str, float]:
    """The ratings of the puzzles of a game that somebody has tried, by key."""
    rows = PuzzleRating.objects.filter(puzzle__in=collection.by_game()[slug])
    return dict(rows.values_list("puzzle", "rating"))


def of_solver(user_id: int) -> dict[str, float]:
    """The ratings of a person at the puzzles of games, by game."""
    return dict(PuzzleSolver.objects.filter(user=user_id).values_list("game", "rating"))


def solved(user_ids: Iterable[int], puzzles: Iterable[str]) -> dict[int, dict[str, bool]]:
    """Whether each of these people solved each of some puzzles at the first attempt: by user, by key.

    Puzzles that somebody has not tried are left out.
    """
    found = defaultdict[int, dict[str, bool]](dict)
    rows = PuzzleAttempt.objects.filter(user__in=user_ids, puzzle__in=puzzles)
    for user_id, key, was_solved in rows.values_list("user", "puzzle", "solved"):
        found[user_id][key] = was_solved
    return dict(found)


def forget(user_id: int) -> None:
    """Delete the rating and the attempts of a user; the puzzles keep their ratings."""
    PuzzleSolver.objects.filter(user=user_id).delete()
    PuzzleAttempt.objects.filter(user=user_id).delete()


def _strength(rated: Rated) -> Strength:
    return Strength(rated.rating, rated.deviation, rated.volatility)


def _store(rated: Rated, strength: Strength) -> None:
    rated.rating, rated.deviation, rated.volatility = strength
    rated.save()
