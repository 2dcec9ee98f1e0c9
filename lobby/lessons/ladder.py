"""The ladder of a class: points for matches of two among its pupils. Writes `Ladder`.

Matches of rounds count, and those that pupils challenge each other to.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Count, Exists, OuterRef, Q
from django.utils import timezone

from lobby.classes import classes
from lobby.classes.models import SchoolClass
from lobby.commands import once
from lobby.lessons.models import Ladder
from lobby.people.models import User
from lobby.ratings.models import Pool, Result
from lobby.tournaments.tables import points_in_words

Score = Result.Score


class Line(NamedTuple):
    """A line of the ladder; pupils with the same points share a rank. Without a match there is none."""

    rank: int | None
    pupil: User
    points: str
    played: int


class Total(NamedTuple):
    """The points of a pupil, and the number of their matches within the class."""

    points: float
    played: int


@once("class-ladder", "code")
def begin(teacher: User, code: str, command: str) -> None:
    """Begin the ladder of a class, or begin it again: everybody has no points.

    Raises:
        ClassError: "unknown-class".
    """
    school_class = classes.taught(teacher, code, lock=True)
    Ladder.objects.update_or_create(school_class=school_class, defaults={"since": timezone.now()})


@once("class-no-ladder", "code")
def end(teacher: User, code: str, command: str) -> None:
    """Have no ladder in a class any more.

    Raises:
        ClassError: "unknown-class".
    """
    Ladder.objects.filter(school_class=classes.taught(teacher, code, lock=True)).delete()


def lines(school_class: SchoolClass, pupils: Collection[User]) -> list[Line]:
    """The ladder of a class, the leader first; empty without one."""
    ladder = Ladder.objects.filter(school_class=school_class).first()
    if ladder is None:
        return []
    scores = {row["user"]: row for row in _scores(school_class, ladder.since)}
    won = {pupil.pk: _points(scores.get(pupil.pk)) for pupil in pupils}
    order = sorted(pupils, key=lambda pupil: -won[pupil.pk])
    # Those without a match come last, beside those who have lost all of theirs.
    order.sort(key=lambda pupil: pupil.pk not in scores)
    return [
        Line(
            1 + sum(each > won[pupil.pk] for each in won.values()) if pupil.pk in scores else None,
            pupil,
            points_in_words(won[pupil.pk]),
            scores[pupil.pk]["played"] if pupil.pk in scores else 0,
        )
        for pupil in order
    ]


def totals(school_class: SchoolClass) -> dict[int, Total]:
    """The points and matches of each pupil who has played, since the class was made."""
    rows = _scores(school_class, school_class.created)
    return {row["user"]: Total(_points(row), row["played"]) for row in rows}


def _points(row: Mapping[str, Any] | None) -> float:
    return 0.0 if row is None else row["won"] + row["drawn"] / 2


def _scores(school_class: SchoolClass, since: datetime) -> Iterable[Mapping[str, Any]]:
    """How many matches each pupil has won, drawn and played against others of the class since a time."""
    mine = Result.objects.filter(user__pupil_of=school_class, pool=Pool.TWO, ended__gte=since)
    others = Result.objects.filter(match=OuterRef("match"), user__pupil_of=school_class)
    among = mine.exclude(score=Score.ABORTED).filter(Exists(others.exclude(user=OuterRef("user"))))
    return (
        among.order_by()
        .values("user")
        .annotate(
            won=Count("pk", filter=Q(score=Score.WON)),
            drawn=Count("pk", filter=Q(score=Score.DRAWN)),
            played=Count("pk"),
        )
    )
