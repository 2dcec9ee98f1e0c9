"""The page of a position and its picture. Nothing is stored: the address has the whole position."""

from __future__ import annotations

from dataclasses import replace
from http import HTTPStatus

from django.contrib.staticfiles import finders
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from games.api.positions import fields
from games.domain import codec, options, texts
from games.domain.position import MOST_CHARACTERS, Position, at_start, recognised
from games.domain.refusals import words_of
from games.finished.archive import WITHHELD
from games.finished.download_queue import TooBusy, turns
from games.models import Ply
from games.net.limits import network_of
from games.pages.files import record_for, withheld
from games.registry import GAMES, Game
from games.rules.base import BadPosition
from games.share import drawing, link_previews
from games.share.painter import painted
from games.store import history
from lobby.positions.addresses import address
from lobby.tables import computers
from lobby.tables.forms.one_board import usual_name
from lobby.tables.models import Table

CARD_CACHED = "public, max-age=86400"


@require_safe
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """The position `?p=`, or the start position of a `?preset=` with so many `?seats=`.

    A text that another program wrote, or that is not in its shortest form, redirects to the address of the
    position. A bad one is shown with what is wrong with it.
    """
    game, text = _game(slug), request.GET.get("p", "").strip()
    try:
        shown = _read(request, game, text)
    except BadPosition as error:
        wrong = words_of(error)
        return _render(request, at_start(game), text, wrong)
    if shown.game != game or (text and text != str(shown)):
        return redirect(address(shown))
    return _render(request, shown)


@require_safe
def of_match(request: HttpRequest, match_id: str, ply: int) -> HttpResponse:
    """Redirect to the position after a ply of a finished match; errors as of `files.json_file`."""
    try:
        with turns.take(network_of(request)):
            record = record_for(request, match_id)
            state = history.state_after(match_id, ply)
    except (*WITHHELD, TooBusy) as error:
        return withheld(error)
    except Ply.DoesNotExist as error:
        raise Http404 from error
    return redirect(address(Position(record.game, state, len(record.names))))


@require_safe
async def card(request: HttpRequest, slug: str) -> HttpResponse:
    """A position on a preview card, as PNG."""
    try:
        shown = _read(request, _game(slug), request.GET.get("p", ""))
    except BadPosition as error:
        raise Http404 from error
    outcome = shown.game.rules.outcome(shown.state)
    response = HttpResponse(content_type="image/png", headers={"Cache-Control": CARD_CACHED})
    return await painted(request, drawing.card(shown.game.slug, shown.state, outcome), response)


def _game(slug: str) -> Game:
    if slug not in GAMES:
        raise Http404
    return GAMES[slug]


def _read(request: HttpRequest, game: Game, text: str) -> Position:
    preset = request.GET.get("preset", "")
    start = at_start(game, preset, texts.number(request.GET.get("seats", "")))
    if not text:
        return start
    return recognised(game, text, request.GET.get("notation", ""), start.state.options if preset else None)


def _render(request: HttpRequest, shown: Position, text: str = "", wrong: str = "") -> HttpResponse:
    """The page; `wrong` says what is wrong with the `text` that was asked for."""
    game = shown.game
    title, edit = gettext(game.title), f"boards/{game.slug}/edit.js"
    preset = options.preset_of(game, shown.state.options)
    told = fields(shown)
    preview = link_previews.card_of_page(
        request,
        game,
        gettext("%(game)s: a position") % {"game": title},
        shown.note or gettext(game.blurb),
        address(shown, "position-card"),
    )
    context = {
        "card": replace(preview, address=request.build_absolute_uri(address(shown))),
        "game": game,
        "title": title,
        "preset": options.preset_in_words(game, preset),
        "preset_slug": preset or "",
        "counts": game.rules.SEATS if len(game.rules.SEATS) > 1 else (),
        "presets": [(slug, options.preset_in_words(game, slug)) for slug in game.rules.PRESETS],
        "note": shown.note,
        "text": text or str(shown),
        "wrong": wrong,
        "most": MOST_CHARACTERS,
        "notations": [
            (name, game.notations[name].program, written) for name, written in told["notations"].items()
        ],
        "position": codec.plain(
            {**told, "names": _names(shown), "start": game.rules.setup(shown.state.options, shown.seats)}
        ),
        "fields": [(name, gettext(words)) for name, words in game.rules.FIELDS.items()],
        "edit": edit if finders.find(edit) else None,
        "seats": shown.seats,
        "levels": list(enumerate(map(gettext, (level.name for level in game.levels)), 1)),
        "middle": computers.middle(game),
        "sides": _sides(shown),
    }
    status = HTTPStatus.BAD_REQUEST if wrong else HTTPStatus.OK
    return render(request, "positions/position.html", context, status=status)


def _names(shown: Position) -> list[str]:
    return [usual_name(shown.game, seat) for seat in range(shown.seats)]


def _sides(shown: Position) -> list[tuple[str, str, bool]]:
    """Which side to play: the `Table.First` of each choice, its words, and whether it is suggested."""
    game, more = shown.game, len(shown.game.rules.SEATS) > 1
    if game.sides:
        mine, theirs = usual_name(game, 0), usual_name(game, 1)
    else:
        mine, theirs = gettext("I do"), gettext("The next one") if more else gettext("The other player")
    suggested = shown.state.turn if game.sides else 0
    return [
        (Table.First.HOST.value, mine, suggested == 0),
        (Table.First.OTHER.value, theirs, suggested == 1),
        (Table.First.LOT.value, gettext("Random"), False),
    ]
