"""The daily puzzle: its page, its picture, and the verdict on a move. Nothing is stored or searched."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from games.domain import codec, options
from games.pages.demonstrations import FOR_A_WHILE
from games.pages.json_response import board_ply, json_response
from games.puzzles import daily, words
from games.puzzles.daily import NoPuzzle, Position
from games.rules.base import IllegalMove
from games.share import drawing, link_previews
from games.share.painter import painted

A_DAY = timedelta(days=1)


class Day:
    """URL converter of a date such as 2026-11-22."""

    regex = "[0-9]{4}-[0-9]{2}-[0-9]{2}"

    def to_python(self, text: str) -> date:
        """The date; raises ValueError for a day that does not exist."""
        return date.fromisoformat(text)

    def to_url(self, day: date) -> str:
        """The date as YYYY-MM-DD."""
        return day.isoformat()


@require_safe
def page(request: HttpRequest, day: date | None = None) -> HttpResponse:
    """The puzzle of today, or of an earlier day."""
    today = datetime.now(UTC).date()
    day = today if day is None else day
    shown = _of(day, today)
    title, question = gettext(shown.game.title), f"{words.to_move(shown)} {words.asked(shown)}"
    named = f"{gettext('Puzzle of the day')}: {title}"
    context = {
        "card": link_previews.card_of_page(
            request, shown.game, named, question, reverse("puzzle-card", args=[day])
        ),
        "day": day,
        "is_today": day == today,
        "day_before": day - A_DAY if day > daily.FIRST else None,
        "game": shown.game,
        "title": title,
        "question": question,
        "rules": options.in_words(shown.state.options),
        "preset": options.preset_in_words(shown.game, shown.puzzle.preset),
        "position": _position(shown),
    }
    return render(request, "puzzles/puzzle.html", context)


@require_safe
def picture(request: HttpRequest, day: date) -> HttpResponse:
    """The position of a puzzle, as an SVG document."""
    shown = _of(day)
    drawn = drawing.picture(shown.game.slug, shown.state, None, gettext(shown.game.title))
    return HttpResponse(drawn, content_type="image/svg+xml", headers={"Cache-Control": FOR_A_WHILE})


@require_safe
async def card(request: HttpRequest, day: date) -> HttpResponse:
    """The position of a puzzle on a preview card, as PNG."""
    shown = _of(day)
    response = HttpResponse(content_type="image/png", headers={"Cache-Control": FOR_A_WHILE})
    return await painted(request, drawing.card(shown.game.slug, shown.state, None), response)


@require_safe
def judge(request: HttpRequest, day: date, move: str) -> HttpResponse:
    """The verdict on a move as JSON, with the plies of the answer if it is correct; 422 if it is illegal."""
    shown = _of(day)
    rules = shown.game.rules
    try:
        parsed = rules.parse(move)
        rules.play(shown.state, parsed)
    except IllegalMove as error:
        refusal = {"code": error.code, "detail": gettext(error.sentence) % error.params}
        return json_response(refusal, status=error.status)
    right = str(parsed) == shown.puzzle.answer
    return json_response(
        {
            "right": right,
            "words": words.verdict(shown, str(parsed)),
            "move": str(parsed),
            "plies": _plies(shown, right),
        }
    )


@require_safe
def answer(request: HttpRequest, day: date) -> HttpResponse:
    """The best move as JSON, with its verdict and plies, for solvers who give up."""
    shown = _of(day)
    move = shown.puzzle.answer
    told = words.verdict(shown, move)
    return json_response({"right": False, "words": told, "move": move, "plies": _plies(shown, True)})


def _of(day: date, today: date | None = None) -> Position:
    try:
        return daily.of_day(day, today or datetime.now(UTC).date())
    except NoPuzzle as error:
        raise Http404 from error


def _position(shown: Position) -> dict[str, Any]:
    """The initial data of the board."""
    return codec.plain(
        {
            "state": shown.state,
            "seat": shown.state.turn,
            "names": words.names(shown),
            "legal": [str(move) for move in shown.game.rules.legal_moves(shown.state)],
            "before": [codec.encode_event(event) for event in shown.before],
        }
    )


def _plies(shown: Position, told: bool) -> list[dict[str, Any]]:
    """The plies of the answer in the format of the board; none unless `told`."""
    if not told:
        return []
    return [board_ply(number, each.step, each.outcome) for number, each in enumerate(daily.answer(shown), 1)]
