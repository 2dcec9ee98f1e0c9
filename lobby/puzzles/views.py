"""Verdicts on moves in puzzles. `lobby.puzzles.ratings` rates the first attempts of accounts."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.views.decorators.http import require_http_methods

from games.pages import puzzle
from games.pages.json_response import json_response, refusal_response
from games.puzzles import collection
from games.rules.base import IllegalMove
from lobby.people.models import User
from lobby.puzzles import ratings


@require_http_methods(["GET", "HEAD", "POST"])
def judge(request: HttpRequest, move: str | None = None, **where: Any) -> HttpResponse:
    """The verdict on a move as JSON, or the best move of all; 422 if the move is illegal.

    Accounts ask about puzzles of the collection by POST, which rates their first attempt: nothing tells them
    of a puzzle without that.
    """
    shown = puzzle.of(**where)
    solver = _solver(request) if collection.is_collected(shown.puzzle) else None
    if solver is not None and request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    try:
        told = puzzle.answered(shown) if move is None else puzzle.judged(shown, move)
    except IllegalMove as error:
        return refusal_response(error)
    if solver is not None:
        made = ratings.attempt(solver, shown.puzzle, "" if move is None else told["move"])
        told["rating"] = {"before": round(made.rating_before), "after": round(made.rating_after)}
    return json_response(told)


def _solver(request: HttpRequest) -> User | None:
    """The account that asks; None for visitors and guests, who are not rated."""
    user = request.user
    return user if user.is_authenticated and not user.is_guest else None
