"""The page of the homework of a class, and the table of the progress. `lobby.homework` decides."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import NamedTuple

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop
from django.views.decorators.http import require_POST, require_safe

from games.domain import texts
from games.domain.refusals import Refused
from lobby.classes import classes
from lobby.classes.models import SchoolClass
from lobby.classes.refusals import UnknownClass
from lobby.homework import homework, progress, words
from lobby.homework.forms import FORMS, GiveForm
from lobby.homework.models import Homework
from lobby.homework.progress import Progress
from lobby.http.idempotency import command_of
from lobby.http.spreadsheets import csv_response
from lobby.http.user_request import UserRequest
from lobby.lessons import ladder
from lobby.lessons.ladder import Total
from lobby.people.models import User
from lobby.tournaments.tables import points_in_words

TITLES: Mapping[str, str] = {
    Homework.Kind.PUZZLES: gettext_noop("A set of puzzles"),
    Homework.Kind.COURSE: gettext_noop("The course of a game"),
    Homework.Kind.STUDY: gettext_noop("A study"),
    Homework.Kind.MATCHES: gettext_noop("Matches against the computer"),
}
"""What teachers can give."""


class Shown(NamedTuple):
    """A piece of homework as it is shown, with the progress of the reader if that is a pupil."""

    piece: Homework
    title: str
    link: str
    late: bool
    progress: Progress | None = None


class Row(NamedTuple):
    """The progress of a pupil: with each piece of homework, and in matches within the class."""

    pupil: User
    cells: list[Progress]
    points: str
    played: int


@require_safe
def page(request: HttpRequest, class_code: str) -> HttpResponse:
    """The homework of a class and the progress of its pupils, for teachers."""
    return _page(request, classes.taught(request.user, class_code))


def _page(
    request: HttpRequest,
    found: SchoolClass,
    refused: tuple[str, GiveForm] | None = None,
    status: int = HTTPStatus.OK,
) -> HttpResponse:
    """The same; the form that was refused is there to be corrected."""
    assert isinstance(request.user, User)
    forms = {kind: form(request.user) for kind, form in FORMS.items()}
    if refused is not None:
        forms[refused[0]] = refused[1]
    pieces = list(homework.of(found))
    context = {
        "school_class": found,
        "pieces": [_shown(piece) for piece in pieces],
        "rows": _rows(found, pieces),
        "forms": [
            (kind, gettext(TITLES[kind]), reverse(f"class-give-{kind}", args=[found.code]), form)
            for kind, form in forms.items()
        ],
        "refused": refused and refused[0],
    }
    return render(request, "homework/homework.html", context, status=status)


def _shown(piece: Homework, done: Progress | None = None) -> Shown:
    late = piece.due < timezone.localdate() and not (done is not None and done.complete)
    return Shown(piece, words.title(piece), words.link(piece), late, done)


def of_pupil(pupil: User) -> list[Shown]:
    """The homework of a pupil, what is due first, for the page of the class."""
    assert pupil.pupil_of is not None
    pieces = list(homework.of(pupil.pupil_of))
    done = progress.of(pieces, [pupil.pk])
    return [_shown(piece, done[piece.pk, pupil.pk]) for piece in pieces]


def _rows(found: SchoolClass, pieces: list[Homework]) -> list[Row]:
    pupils = classes.pupils(found)
    done, totals = progress.of(pieces, [pupil.pk for pupil in pupils]), ladder.totals(found)
    rows = []
    for pupil in pupils:
        total = totals.get(pupil.pk, Total(0, 0))
        cells = [done[piece.pk, pupil.pk] for piece in pieces]
        rows.append(Row(pupil, cells, points_in_words(total.points), total.played))
    return rows


@require_safe
def progress_csv(request: HttpRequest, class_code: str) -> HttpResponse:
    """The progress of a class as a table for spreadsheets."""
    found = classes.taught(request.user, class_code)
    pieces = list(homework.of(found))
    titles = [words.title(piece) for piece in pieces]
    head = [gettext("Pupil"), *titles, gettext("Points"), gettext("Matches")]
    rows: list[list[str | float]] = [
        [row.pupil.first_name, *(cell.words for cell in row.cells), row.points, row.played]
        for row in _rows(found, pieces)
    ]
    return csv_response(found.code, [head, *rows])


@require_POST
@login_required
def give(request: UserRequest, class_code: str, kind: str) -> HttpResponse:
    """Give homework of a kind."""
    found = classes.taught(request.user, class_code)
    form = FORMS[kind](request.user, request.POST)
    if not form.is_valid():
        return _page(request, found, (kind, form), HTTPStatus.BAD_REQUEST)
    try:
        homework.give(request.user, found.code, form.task(), form.cleaned_data["due"], command_of(request))
    except Refused as error:
        form.add_error(None, error.words)
        return _page(request, found, (kind, form), error.status)
    return redirect("class-homework", found.code)


@require_POST
@login_required
def take_back(request: UserRequest, class_code: str) -> HttpResponse:
    """Take homework back."""
    found = classes.taught(request.user, class_code)
    try:
        homework.take_back(request.user, found.code, _number(request), command_of(request))
    except Refused as error:
        messages.error(request, error.words)
    return redirect("class-homework", found.code)


@require_POST
@login_required
def read(request: UserRequest, class_code: str) -> HttpResponse:
    """Note that the pupil who reads the page has read a study."""
    try:
        homework.read(request.user, class_code, _number(request), command_of(request))
    except UnknownClass:
        raise
    except Refused as error:
        messages.error(request, error.words)
    return redirect("class", class_code)


def _number(request: HttpRequest) -> int:
    return texts.number(request.POST.get("piece", ""))
