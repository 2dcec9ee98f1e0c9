"""Attempts at puzzles, from their pages. `lobby.puzzles.ratings` decides."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

from games.pages.json_response import json_response
from games.puzzles import collection
from lobby.puzzles import ratings


@require_POST
def attempt(request: HttpRequest, slug: str, puzzle_key: str) -> HttpResponse:
    """Rate the first attempt of an account: its rating before and after it; null without an account."""
    puzzle = collection.by_game().get(slug, {}).get(puzzle_key)
    if puzzle is None:
        raise Http404
    if not request.user.is_authenticated or request.user.is_guest:
        return json_response({"before": None, "after": None})
    made = ratings.attempt(request.user, puzzle, request.POST.get("move", ""))
    return json_response({"before": round(made.rating_before), "after": round(made.rating_after)})
