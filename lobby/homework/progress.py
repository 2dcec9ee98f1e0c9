"""How far pupils are with their homework. A few queries for a whole class."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from django.utils.translation import gettext

from games.registry import GAMES
from lobby.courses import progress as courses
from lobby.homework import homework
from lobby.homework.models import Homework, HomeworkRead
from lobby.puzzles import ratings
from lobby.ratings.models import Result

Kind = Homework.Kind


class Progress(NamedTuple):
    """How far a pupil is with a piece of homework.

    Attributes:
        done: puzzles tried, lessons or matches played, or 1 for a study that was read.
        most: how many there are.
        right: puzzles solved at the first attempt; None for other homework.
    """

    done: int
    most: int
    right: int | None = None

    @property
    def complete(self) -> bool:
        """Whether the pupil is through with it."""
        return self.done >= self.most

    @property
    def words(self) -> str:
        """The same in words."""
        told = {"done": self.done, "most": self.most, "right": self.right}
        if self.right is None:
            return gettext("%(done)d of %(most)d") % told
        return gettext("%(done)d of %(most)d, %(right)d right") % told


Measure = Callable[[Homework, int], Progress]
"""Returns how far a user is with a piece of homework of one kind."""


def of(pieces: Sequence[Homework], user_ids: Collection[int]) -> dict[tuple[int, int], Progress]:
    """How far each of these users is with each piece of homework: by the id of the piece and the user."""
    found: dict[tuple[int, int], Progress] = {}
    for kind, measured in MEASURES.items():
        of_kind = [piece for piece in pieces if piece.kind == kind]
        if of_kind:
            measure = measured(of_kind, user_ids)
            found |= {(each.pk, user): measure(each, user) for each in of_kind for user in user_ids}
    return found


def _puzzles(pieces: Sequence[Homework], user_ids: Collection[int]) -> Measure:
    sets = {piece.pk: homework.puzzles_of(piece) for piece in pieces}
    tried = ratings.solved(user_ids, {key for keys in sets.values() for key in keys})

    def measure(piece: Homework, user_id: int) -> Progress:
        keys, mine = sets[piece.pk], tried.get(user_id, {})
        return Progress(
            sum(key in mine for key in keys), len(keys), sum(mine.get(key, False) for key in keys)
        )

    return measure


def _courses(_pieces: Sequence[Homework], user_ids: Collection[int]) -> Measure:
    done = courses.of(user_ids)

    def measure(piece: Homework, user_id: int) -> Progress:
        course = GAMES[piece.game].course
        lessons = len(course.lessons) if course else 0
        return Progress(min(done.get(user_id, {}).get(piece.game, 0), lessons), lessons)

    return measure


def _studies(pieces: Sequence[Homework], user_ids: Collection[int]) -> Measure:
    rows = HomeworkRead.objects.filter(homework__in=pieces, user__in=user_ids)
    read = set(rows.values_list("homework", "user"))
    return lambda piece, user_id: Progress(int((piece.pk, user_id) in read), 1)


def _matches(pieces: Sequence[Homework], user_ids: Collection[int]) -> Measure:
    """Matches that ended since the homework was given; those that were aborted do not count."""
    since = min(piece.given for piece in pieces)
    levels = {piece.level for piece in pieces}
    ended = Result.objects.filter(user__in=user_ids, ended__gte=since, match__seatings__level__in=levels)
    columns = ("user", "game", "match__seatings__level", "ended")
    rows = list(ended.exclude(score=Result.Score.ABORTED).values_list(*columns))
    played = Counter(
        (piece.pk, user)
        for piece in pieces
        for user, game, level, at in rows
        if (game, level) == (piece.game, piece.level) and at >= piece.given
    )
    return lambda piece, user_id: Progress(min(played[piece.pk, user_id], piece.matches), piece.matches)


MEASURES: dict[str, Callable[[Sequence[Homework], Collection[int]], Measure]] = {
    Kind.PUZZLES: _puzzles,
    Kind.COURSE: _courses,
    Kind.STUDY: _studies,
    Kind.MATCHES: _matches,
}
"""Returns the progress of users with the homework of one kind."""
