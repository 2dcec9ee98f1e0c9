"""Pages of the reader's own mistakes: the list, each as a puzzle, and the verdict on a move."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.finished import analysis_words, mistakes, tries
from games.finished.mistakes import Mistake, NoMistake
from games.finished.tries import NotAnalysed, Tried
from games.pages import puzzle
from games.pages.json_response import board_ply, json_response, refusal_response
from games.puzzles import words
from games.puzzles.collection import Scene
from games.rules.base import IllegalMove
from games.share import drawing

FOR_A_WHILE = "private, max-age=3600"


@require_safe
@never_cache
@login_required
def listed(request: HttpRequest) -> HttpResponse:
    """The worst mistakes of the reader in the latest analysed matches."""
    assert request.user.is_authenticated
    user_id = request.user.pk
    match_ids = mistakes.analysed(user_id)
    context = {
        "rows": [_row(each) for each in mistakes.in_matches(match_ids, user_id)],
        "matches": len(match_ids),
        "to_analyse": mistakes.to_analyse(user_id),
    }
    return render(request, "puzzles/mistakes.html", context)


@require_safe
@never_cache
@login_required
def page(request: HttpRequest, match_id: str, after: int) -> HttpResponse:
    """The position of a mistake as a puzzle, and the way to the next one."""
    mistake = _of(request, match_id, after)
    lost = {"share": analysis_words.percent(mistake.decision.loss or 0)}
    task = gettext("Your move lost %(share)s of the chance to win. Find the best one.") % lost
    scene = Scene(mistake.record.game, mistake.state, len(mistake.record.names))
    context = {
        "kind": gettext("Your mistake"),
        "named": _named(mistake),
        "short": gettext("Move %(number)d") % {"number": mistake.number},
        "key": mistake.key,
        "archive": reverse("mistakes"),
        "archive_title": gettext("Your mistakes"),
        "analysis": reverse("match-analysis", args=[match_id]),
        "other": _following(request, mistake),
    }
    address = reverse("mistake", args=[match_id, after])
    return puzzle.on_board(request, scene, f"{words.to_move(scene)} {task}", address, context)


@require_safe
@login_required
def picture(request: HttpRequest, match_id: str, after: int) -> HttpResponse:
    """The position of a mistake, as an SVG document."""
    mistake = _of(request, match_id, after)
    game = mistake.record.game
    drawn = drawing.picture(game.slug, mistake.state, None, gettext(game.title))
    return HttpResponse(drawn, content_type="image/svg+xml", headers={"Cache-Control": FOR_A_WHILE})


@require_safe
@never_cache
@login_required
def judge(request: HttpRequest, match_id: str, after: int, move: str) -> HttpResponse:
    """The verdict on a move as JSON, with its ply if none is better; 422 if it is illegal."""
    mistake = _of(request, match_id, after)
    try:
        tried = tries.judge(mistake.record, after, move)
    except (NotAnalysed, IllegalMove) as error:
        return refusal_response(error)
    return _verdict(tried, move, right=tried.best)


@require_safe
@never_cache
@login_required
def answer(request: HttpRequest, match_id: str, after: int) -> HttpResponse:
    """The best move as JSON, with its verdict and ply, for solvers who give up."""
    mistake = _of(request, match_id, after)
    return _verdict(tries.judge(mistake.record, after, mistake.best), mistake.best, right=False)


def _verdict(tried: Tried, move: str, *, right: bool) -> HttpResponse:
    plies = [board_ply(1, tried.step, tried.outcome)] if tried.best else []
    return json_response({"right": right, "words": tried.words, "move": move, "plies": plies})


def _of(request: HttpRequest, match_id: str, after: int) -> Mistake:
    """A mistake of the reader. Raises `Http404`."""
    assert request.user.is_authenticated
    try:
        return mistakes.at(match_id, after, request.user.pk)
    except NoMistake as error:
        raise Http404 from error


def _following(request: HttpRequest, mistake: Mistake) -> tuple[str, str] | None:
    """The address and the name of the mistake after this one in the list; None if there is no other."""
    assert request.user.is_authenticated
    user_id = request.user.pk
    found = mistakes.in_matches(mistakes.analysed(user_id), user_id)
    keys = [each.key for each in found]
    place = keys.index(mistake.key) if mistake.key in keys else -1
    following = found[(place + 1) % len(found)] if found else mistake
    return None if following.key == mistake.key else (_address(following), gettext("Next puzzle"))


def _row(mistake: Mistake) -> dict[str, str]:
    """A mistake in the list."""
    record, decision = mistake.record, mistake.decision
    others = [name for seat, name in enumerate(record.names_in_words) if seat != decision.seat]
    lost = gettext("%(share)s lost") % {"share": analysis_words.percent(decision.loss or 0)}
    return {
        "key": mistake.key,
        "address": _address(mistake),
        "picture": reverse("mistake-picture", args=[record.id, decision.after]),
        "named": _named(mistake),
        "note": " · ".join((lost, ", ".join(others), date_format(record.ended))),
    }


def _address(mistake: Mistake) -> str:
    return reverse("mistake", args=[mistake.record.id, mistake.decision.after])


def _named(mistake: Mistake) -> str:
    title = gettext(mistake.record.game.title)
    return gettext("%(game)s, move %(number)d") % {"game": title, "number": mistake.number}
