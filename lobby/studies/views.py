"""The pages of the analysis board and of studies."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_POST, require_safe

from games.domain import codec
from games.domain.position import Position, at_start, recognised
from games.domain.refusals import Refused
from games.finished.download_queue import turns
from games.net.limits import network_of
from games.pages.files import record_for
from games.pages.json_response import json_response, refusal_response
from games.registry import GAMES, Game
from games.rules.base import BadPosition, IllegalMove
from lobby.studies import files, of_matches
from lobby.studies.files import Chapter
from lobby.studies.refusals import BadStudy
from lobby.studies.tree import Tree
from lobby.tables.forms.one_board import usual_name


@require_safe
@ensure_csrf_cookie
def analysis(request: HttpRequest, slug: str) -> HttpResponse:
    """The analysis board, kept by the browser: of the start, of a position `?p=`, or of a match `?match=`."""
    game = GAMES.get(slug)
    if game is None:
        raise Http404
    chapter, names, problem, status = Chapter("", at_start(game), Tree()), None, "", int(HTTPStatus.OK)
    try:
        if "match" in request.GET:
            chapter, names = _of_match(request, game)
        elif "p" in request.GET:
            chapter = Chapter("", _position(game, request.GET["p"]), Tree())
    except (BadPosition, Refused) as error:
        problem = error.words if isinstance(error, Refused) else gettext(error.sentence) % error.params
        status = error.status
    context = {
        "game": game,
        "title": gettext(game.full_title),
        "problem": problem,
        "board": {
            "chapter": live_chapter(chapter),
            "names": names or names_at(chapter.start),
            "kept": not problem and not request.GET.keys() & {"match", "p"},
        },
    }
    return render(request, "studies/analysis.html", context, status=status)


@require_POST
def plies(request: HttpRequest) -> HttpResponse:
    """The nodes of a chapter that a page has, numbered anew, and their positions, as JSON. Nothing is stored.

    Responds 422 if a move is illegal, or the body is no chapter (docs/reference/study-file.md).
    """
    try:
        chapter = files.chapter_of(request.read(files.MOST_BYTES + 1))
    except BadStudy as error:
        illegal = error.__cause__
        if not isinstance(illegal, IllegalMove):
            return refusal_response(error)
        refusal = {"code": illegal.code, "detail": gettext(illegal.sentence) % illegal.params}
        return json_response(refusal, status=illegal.status)
    nodes = chapter.tree.kept()
    told = {"nodes": [files.live_fields(node) for node in nodes], "plies": files.plies(chapter.start, nodes)}
    return json_response(told)


def names_at(start: Position) -> list[str]:
    """What the seats are called where nobody sits."""
    return [usual_name(start.game, seat) for seat in range(start.seats)]


def live_chapter(chapter: Chapter) -> dict[str, Any]:
    """A chapter as the page has it."""
    nodes = [files.live_fields(node) for node in chapter.tree.kept()]
    return codec.plain({"title": chapter.title, "position": str(chapter.start), "nodes": nodes})


def _position(game: Game, text: str) -> Position:
    found = recognised(game, text)
    if found.game is not game:
        raise BadPosition("game")
    return found


def _of_match(request: HttpRequest, game: Game) -> tuple[Chapter, list[str]]:
    """Raises `WITHHELD`, `TooBusy` or `Http404`."""
    with turns.take(network_of(request)):
        record = record_for(request, request.GET["match"])
    if record.game is not game:
        raise Http404
    return of_matches.chapter_of(record), list(record.names)
