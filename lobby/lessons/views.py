"""The pages of lessons: for teachers, and for the wall. `lobby.lessons` decides."""

from __future__ import annotations

from http import HTTPStatus
from math import ceil, sqrt

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from games.domain.refusals import Refused
from games.pages import pictures
from lobby.classes import classes
from lobby.classes.models import SchoolClass
from lobby.classes.refusals import UnknownClass
from lobby.http.idempotency import Act, command_of, without_fields
from lobby.http.user_request import UserRequest
from lobby.lessons import ladder, rounds, visibility
from lobby.lessons.forms import RoundForm
from lobby.lessons.refusals import BadRound
from lobby.people.models import User


@require_safe
def lesson(request: HttpRequest, class_code: str) -> HttpResponse:
    """Who is here and what they play, for teachers, who pair rounds here."""
    found = classes.taught(request.user, class_code)
    assert request.user.is_authenticated
    there = rounds.present(found)
    shown = rounds.boards(found)
    context = {
        "school_class": found,
        "version": rounds.version(found),
        "form": RoundForm(before=rounds.last_chosen(found)),
        "next": rounds.last_number(found) + 1,
        "pupils": there,
        "here": sum(each.here for each in there),
        "free": len(rounds.free(found)),
        "boards": shown,
        "in_play": any(board.table.open for board in shown),
        "lines": ladder.lines(found, [each.pupil for each in there]),
        "wall": visibility.wall_link(found, request.user.pk),
    }
    return render(request, "lessons/lesson.html", context)


@require_safe
def version(request: HttpRequest, class_code: str) -> HttpResponse:
    """The version of the lesson, which the pages of teachers and pupils poll."""
    try:
        return _version(_attended(request, class_code) or classes.taught(request.user, class_code))
    except UnknownClass:
        # Without a page: each page that is still open asks.
        return HttpResponse(status=HTTPStatus.NOT_FOUND)


def _attended(request: HttpRequest, class_code: str) -> SchoolClass | None:
    """The class of the pupil who asks, if it is this one."""
    mine = request.user.pupil_of if request.user.is_authenticated else None
    return mine if mine is not None and mine.code == classes.normal(class_code) else None


def _version(found: SchoolClass) -> HttpResponse:
    return JsonResponse({"version": rounds.version(found)})


@require_POST
@login_required
def act(request: UserRequest, class_code: str, act: str) -> HttpResponse:
    """Carry out an action of a teacher."""
    try:
        ACTIONS[act](request, request.user, class_code, command_of(request))
    except UnknownClass:
        raise
    except Refused as error:
        messages.error(request, error.words)
    return redirect("class-lesson", class_code)


def _pair(request: HttpRequest, user: User, code: str, command: str) -> None:
    form = RoundForm(request.POST)
    if not form.is_valid():
        raise BadRound
    rounds.pair(user, code, form.chosen(), command)


ACTIONS: dict[str, Act] = {
    "round": _pair,
    "stop": without_fields(rounds.stop),
    "ladder": without_fields(ladder.begin),
    "no-ladder": without_fields(ladder.end),
}
"""Actions in a lesson, by the end of the URL."""


@require_safe
def wall(request: HttpRequest, class_code: str) -> HttpResponse:
    """All boards of the class, for a wall."""
    found = _on_wall(request, class_code)
    shown = rounds.boards(found)
    played = [board for board in shown if board.table.match]
    context = {
        "school_class": found,
        "version": rounds.version(found),
        "round": shown[0].round if shown else 0,
        "boards": played,
        "columns": ceil(sqrt(len(played))),
        "waiting": [board.table.sides[0].player for board in shown if len(board.table.sides) == 1],
        "pupils": [each.pupil for each in rounds.present(found) if each.here],
        "token": _token(request),
    }
    return render(request, "lessons/wall.html", context)


@require_safe
def wall_version(request: HttpRequest, class_code: str) -> HttpResponse:
    """The version of the lesson, which wall boards poll."""
    try:
        return _version(_on_wall(request, class_code))
    except UnknownClass:
        return HttpResponse(status=HTTPStatus.NOT_FOUND)


@require_safe
def wall_board(request: HttpRequest, class_code: str, match_id: str) -> HttpResponse:
    """The board of a match of the class, which nobody outside of it can see, for its wall board."""
    response = pictures.drawn(request, visibility.board(_on_wall(request, class_code), match_id))
    response["Cache-Control"] = "private, no-cache"
    return response


def _on_wall(request: HttpRequest, class_code: str) -> SchoolClass:
    return visibility.on_wall(class_code, _token(request))


def _token(request: HttpRequest) -> str:
    return request.GET.get("token", "")
