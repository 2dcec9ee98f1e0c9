"""The courses of games, with the progress of the reader's account. `lobby.courses.progress` keeps it."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST, require_safe

from games.domain import texts
from games.net.shared_pages import for_a_second
from games.pages import introduction, matches
from games.registry import GAMES
from lobby.courses import progress


@require_safe
@for_a_second
def learn(request: HttpRequest) -> HttpResponse:
    """The rules and the courses of all games."""
    return matches.rules_index(request, _done(request))


@require_safe
def course(request: HttpRequest, slug: str) -> HttpResponse:
    """The course of a game."""
    return introduction.page(request, slug, introduction.COURSE, _done(request).get(slug, 0))


@require_POST
def note(request: HttpRequest) -> HttpResponse:
    """Note how many lessons a browser knows of, by game. 403 without an account."""
    if not request.user.is_authenticated or not request.user.keeps_progress:
        return HttpResponse(status=HTTPStatus.FORBIDDEN)
    progress.note(request.user, {slug: texts.number(request.POST.get(slug, "")) for slug in GAMES})
    return HttpResponse(status=HTTPStatus.NO_CONTENT)


def _done(request: HttpRequest) -> Mapping[str, int]:
    user_id = request.user.pk
    return {} if user_id is None else progress.of([user_id]).get(user_id, {})
