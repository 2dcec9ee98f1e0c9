"""Giving homework, and taking it back. Writes `Homework` and `HomeworkRead`.

Every action is one transaction under the row of the class, and carried out once by its command id.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any
from urllib.parse import parse_qs, urlsplit

from django.db.models import QuerySet
from django.urls import Resolver404, resolve

from games.pages.puzzle import SEPARATOR, puzzles_of_set
from games.registry import GAMES
from lobby.classes import classes
from lobby.classes.models import SchoolClass
from lobby.classes.refusals import UnknownClass
from lobby.commands import once
from lobby.homework import refusals
from lobby.homework.models import Homework, HomeworkRead
from lobby.people.models import User
from lobby.studies.models import Study

Kind = Homework.Kind

MOST = 20
"""Maximum pieces of homework of a class."""
MOST_MATCHES = 20


@dataclass(frozen=True, slots=True)
class Task:
    """What a class is to do: the columns of `Homework` that belong to its kind."""

    kind: str
    game: str
    puzzles: str = ""
    study_id: str | None = None
    level: int = 0
    matches: int = 0


def puzzle_set(link: str) -> Task:
    """The puzzles of a set. Raises ClassError "no-set" for any other link."""
    try:
        parts = urlsplit(link.strip())
        found = resolve(parts.path)
    except (ValueError, Resolver404):
        raise refusals.NoSet from None
    game, named = found.kwargs.get("slug", ""), parse_qs(parts.query).get("set", [""])[0]
    puzzles = puzzles_of_set(game, named) if found.url_name == "puzzles-of" else []
    if not puzzles:
        raise refusals.NoSet
    return Task(Kind.PUZZLES, game, SEPARATOR.join(each.key for each in puzzles))


def puzzles_of(piece: Homework) -> list[str]:
    """The keys of the puzzles of a set that are still in the collection."""
    return [each.key for each in puzzles_of_set(piece.game, piece.puzzles)]


def course(game: str) -> Task:
    """The course of a game. Raises ClassError "bad-homework"."""
    if game not in GAMES or GAMES[game].course is None:
        raise refusals.BadHomework
    return Task(Kind.COURSE, game)


def study(teacher: User, study_id: str) -> Task:
    """A study of the teacher. Raises ClassError "bad-homework" or "not-readable"."""
    found = Study.objects.filter(owner=teacher, pk=study_id).first()
    if found is None:
        raise refusals.BadHomework
    if found.visibility == Study.Visibility.PRIVATE:
        raise refusals.NotReadable
    return Task(Kind.STUDY, found.game, study_id=found.pk)


def computer(game: str, level: int, count: int) -> Task:
    """Matches against the computer. Raises ClassError "bad-homework"."""
    if game not in GAMES or not 1 <= level <= len(GAMES[game].levels) or not 1 <= count <= MOST_MATCHES:
        raise refusals.BadHomework
    return Task(Kind.MATCHES, game, level=level, matches=count)


@once("class-give", "code")
def give(teacher: User, code: str, task: Task, due: date, command: str) -> None:
    """Give homework to a class.

    Raises:
        ClassError: "unknown-class" or "too-much-homework".
    """
    school_class = classes.taught(teacher, code, lock=True)
    if school_class.homework.count() >= MOST:
        raise refusals.TooMuchHomework(most=MOST)
    columns: dict[str, Any] = {name: getattr(task, name) for name in task.__slots__}
    Homework.objects.create(school_class=school_class, due=due, **columns)


@once("class-take-back", "code")
def take_back(teacher: User, code: str, number: int, command: str) -> None:
    """Take homework back. What pupils have done for it stays theirs.

    Raises:
        ClassError: "unknown-class" or "unknown-homework".
    """
    piece = _of(classes.taught(teacher, code, lock=True), number)
    piece.delete()


@once("class-read", "code")
def read(pupil: User, code: str, number: int, command: str) -> None:
    """Note that a pupil has read a study. Idempotent.

    Raises:
        ClassError: "unknown-class" or "unknown-homework".
    """
    if pupil.pupil_of is None or pupil.pupil_of.code != classes.normal(code):
        raise UnknownClass
    piece = _of(pupil.pupil_of, number, kind=Kind.STUDY)
    HomeworkRead.objects.get_or_create(homework=piece, user=pupil)


def erase(school_class: SchoolClass) -> None:
    """Delete the homework of a class."""
    school_class.homework.all().delete()


def forget(user_id: int) -> None:
    """Delete what a user has read, when their account is deleted."""
    HomeworkRead.objects.filter(user=user_id).delete()


def _of(school_class: SchoolClass, number: int, **columns: str) -> Homework:
    piece = school_class.homework.filter(pk=number, **columns).first()
    if piece is None:
        raise refusals.UnknownHomework
    return piece


# Reading


def of(school_class: SchoolClass) -> QuerySet[Homework]:
    """The homework of a class, what is due first."""
    return school_class.homework.filter(game__in=GAMES).select_related("study").order_by("due", "pk")
