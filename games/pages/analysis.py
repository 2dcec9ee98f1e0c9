"""The analysis of a finished match: a page that is updated while it runs, and JSON for programs."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_safe

from games.domain import codec
from games.domain.record import Record, move_numbers
from games.domain.refusals import Refused
from games.finished import analysis_words as words
from games.finished import reviews, scoresheet, tries
from games.finished.analysis_chart import chart, flags
from games.finished.analysis_fields import fields
from games.finished.archive import WITHHELD
from games.finished.download_queue import TooBusy, turns
from games.finished.reviews import AnalysesTooFast, Review, TooManyAnalyses
from games.finished.tries import NotAnalysed
from games.net.limits import limit_keys, network_of
from games.pages.files import record_for, withheld
from games.pages.json_response import board_ply, json_response, refusal_response
from games.rules.base import IllegalMove
from games.store import history


@require_http_methods(["GET", "HEAD", "POST"])
def analysis_page(request: HttpRequest, match_id: str) -> HttpResponse:
    """The analysis of a finished match by the best level. A POST requests it; the result is public.

    Responds 409 while the match is in play, 403 if the reader may not see it, 429 if the queue is full.
    """
    try:
        with turns.take(network_of(request)):
            return _answer(request, record_for(request, match_id))
    except (*WITHHELD, TooBusy) as error:
        context = {"match_id": match_id, "problem": error.words}
        response = render(request, "finished/analysis_withheld.html", context, status=error.status)
        for name, value in error.headers.items():
            response[name] = value
        return response


def _answer(request: HttpRequest, record: Record) -> HttpResponse:
    """The page for a GET, a redirect for a POST."""
    if request.method != "POST":
        return _page(request, reviews.review(record))
    try:
        reviews.ask(record, datetime.now(UTC), limit_keys(request.user.pk, network_of(request)))
    except (AnalysesTooFast, TooManyAnalyses) as error:
        return _page(request, reviews.review(record), error)
    return redirect("match-analysis", record.id)


@require_safe
def analysis_file(request: HttpRequest, match_id: str) -> HttpResponse:
    """The analysis so far as JSON (docs/explanation/analysis.md). Errors as of `files.json_file`."""
    try:
        with turns.take(network_of(request)):
            return JsonResponse(fields(reviews.review(record_for(request, match_id))))
    except (*WITHHELD, TooBusy) as error:
        return withheld(error)


@require_safe
def positions_file(request: HttpRequest, match_id: str) -> HttpResponse:
    """Every position of a finished match, for the board of the page. Errors as of `files.json_file`."""
    try:
        with turns.take(network_of(request)):
            positions = codec.encode({"positions": _positions(record_for(request, match_id))})
    except (*WITHHELD, TooBusy) as error:
        return withheld(error)
    return HttpResponse(positions, content_type="application/json")


@require_safe
def try_move(request: HttpRequest, match_id: str, after: int, move: str) -> HttpResponse:
    """The evaluation of another move after ply `after`, and its ply for the board, as JSON.

    Responds 409 if the position is not evaluated yet, 422 if the move is illegal; else as `files.json_file`.
    """
    try:
        with turns.take(network_of(request)):
            tried = tries.judge(record_for(request, match_id), after, move)
    except (*WITHHELD, TooBusy) as error:
        return withheld(error)
    except (NotAnalysed, IllegalMove) as error:
        return refusal_response(error)
    return json_response(
        {
            "best": tried.best,
            "words": tried.words,
            "ply": board_ply(after + 1, tried.step, tried.outcome),
        }
    )


def _positions(record: Record) -> list[dict[str, Any]]:
    """`history.positions` with the legal moves in each, and with the number of the move that led there."""
    rules, states = record.game.rules, history.states(record.id)
    numbers = move_numbers(record.plies)
    return [
        {
            **position,
            "move": numbers.get(position["ply"], 0),
            "legal": [
                str(move) for move in rules.legal_moves(codec.decode_state(rules, states[position["ply"]]))
            ],
        }
        for position in history.positions(record.id)
    ]


def _page(request: HttpRequest, review: Review, refusal: Refused | None = None) -> HttpResponse:
    record, analysis = review.record, review.analysis
    # While positions are missing, others may still turn out to be more decisive.
    moments = words.moments(record, analysis) if review.complete else []
    choices = any(summary.decisions for summary in analysis.summaries)
    context = {
        "match_id": record.id,
        "game": record.game,
        "title": gettext(record.game.title),
        "names": record.names_in_words,
        "names_json": codec.encode(record.names_in_words).decode(),
        "result": scoresheet.result(record.game, record.outcome, record.names_in_words),
        "review": review,
        "problem": refusal and refusal.words,
        "waiting": review.asked and not review.complete,
        "chart": chart(analysis.curve, review.end),
        "moments": moments,
        "flags": flags([moment.ply for moment in moments], review.end),
        "last_move": move_numbers(record.plies).get(review.end, 0),
        "curve_in_words": words.curve(record, analysis) if analysis.curve else "",
        "rows": words.rows(record, analysis),
        "choices": choices,
        "luck_only": record.game.pure_luck and not choices,
        "mistakes": words.mistakes(record, analysis),
        "balances": words.balances(record, analysis),
    }
    response = render(request, "finished/analysis.html", context, status=refusal.status if refusal else 200)
    for name, value in refusal.headers.items() if refusal else ():
        response[name] = value
    return response
