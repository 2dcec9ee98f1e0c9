"""The archive of puzzles, verdicts on moves, and runs.

`lobby.puzzles.ratings` rates the first attempts of accounts, `lobby.puzzles.runs` keeps the runs.
"""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.domain import texts
from games.net.limits import network_of
from games.pages import puzzle
from games.pages.json_response import json_response, refusal_response
from games.puzzles import collection
from games.registry import GAMES
from games.rules.base import IllegalMove, gettext_noop
from lobby.people.models import User
from lobby.puzzles import ratings, runs
from lobby.puzzles.models import PuzzleRun

NAMES = {runs.STREAK: gettext_noop("Puzzle streak"), runs.STORM: gettext_noop("Puzzle storm")}
RULES = {
    runs.STREAK: gettext_noop("The puzzles get harder. The first mistake ends the streak."),
    runs.STORM: gettext_noop(
        "Solve as many as you can in three minutes. A mistake costs ten seconds. Five right answers in a row "
        "add three seconds, longer rows add more. The clock begins with your first answer."
    ),
}


@require_safe
def archive_of(request: HttpRequest, slug: str) -> HttpResponse:
    """The puzzles of a game, and the ways to begin a run."""
    best = runs.bests(request.user.pk).get(slug, {}) if request.user.is_authenticated else {}
    kinds = [
        (reverse(f"puzzle-{kind}", args=[slug]), gettext(NAMES[kind]), best.get(kind, 0)) for kind in NAMES
    ]
    return puzzle.archive_of(request, slug, kinds)


@require_POST
def begin_run(request: HttpRequest, slug: str, kind: str) -> HttpResponse:
    """Begin a run, and go to its page."""
    if slug not in collection.by_game():
        raise Http404
    begun = runs.begin(_solver(request), network_of(request), slug, kind)
    return redirect("puzzle-run", begun.key)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def run(request: HttpRequest, run_key: str) -> HttpResponse:
    """The page of a run. A POST answers the puzzle of a number by a move; without a move it only asks."""
    solver = _solver(request)
    number, move = texts.number(request.POST.get("number", "")), request.POST.get("move", "")
    try:
        now_run = runs.answer(run_key, solver, number, move) if move else runs.of(run_key, solver)
    except PuzzleRun.DoesNotExist as error:
        raise Http404 from error
    except IllegalMove as error:
        return refusal_response(error)
    told = _told(now_run)
    if request.method == "POST":
        return json_response(told)
    game = GAMES[now_run.game]
    context = {
        "run": now_run,
        "game": game,
        "title": gettext(game.title),
        "name": gettext(NAMES[now_run.kind]),
        "rules": gettext(RULES[now_run.kind]),
        "begin": reverse(f"puzzle-{now_run.kind}", args=[game.slug]),
        "position": told,
    }
    return render(request, "puzzles/run.html", context)


def _told(run: PuzzleRun) -> dict[str, Any]:
    """How a run stands, with the puzzle on the board, as JSON."""
    now = timezone.now()
    shown, ends, is_over = runs.current(run, now), runs.deadline(run), runs.is_over(run, now)
    best = runs.bests(run.user_id).get(run.game, {}).get(run.kind, 0) if run.user_id else 0
    left = None if run.kind == runs.STREAK else (ends - now if ends else runs.STORM_LASTS)
    missed = runs.missed(run)
    return {
        "results": run.results,
        "score": runs.score(run),
        "combo": runs.combo(run),
        "best": best,
        "left": None if left is None else max(0, round(left.total_seconds() * 1000)),
        "runs": ends is not None,
        "over": is_over,
        "puzzle": {**puzzle.on_screen(shown), "question": puzzle.question_of(shown)},
        "missed": puzzle.set_address(run.game, missed) if is_over and missed else None,
    }


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
    """The account or pupil who asks; None for visitors and guests, who have no ratings and no best runs."""
    user = request.user
    return user if user.is_authenticated and user.keeps_progress else None
