"""Downloads of finished matches, and the page that replays an uploaded file."""

from __future__ import annotations

import time
from datetime import UTC, datetime

import orjson
from asgiref.sync import async_to_sync
from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_safe

from games.computers.pool import Busy
from games.domain import clock_words, codec, computer_names, options
from games.domain.matchfile import MOST_BYTES, MOST_PLIES
from games.domain.record import Record
from games.finished import archive
from games.finished.archive import WITHHELD, Withheld
from games.finished.checker import Checked, checker
from games.finished.download_queue import TooBusy, turns
from games.finished.export import match_file
from games.finished.importing import FalseScore
from games.finished.scoresheet import score
from games.net.limits import limit_keys, limiter, network_of
from games.registry import GAMES

TOO_MANY = 429
BUSY = 503
RETRY_AFTER = {TOO_MANY: settings.FILE_LIMIT.retry_after, BUSY: {"Retry-After": "5"}}

readings = limiter(settings.FILE_LIMIT)
"""Limits uploads by network address and by user."""


@require_safe
def text_file(request: HttpRequest, match_id: str) -> HttpResponse:
    """The score of a finished match as text; 409 while it is in play, 403 if the reader may not see it."""
    try:
        with turns.take(network_of(request)):
            sheet = score(record_for(request, match_id))
    except (*WITHHELD, TooBusy) as error:
        return withheld(error)
    return _download(sheet.encode(), f"parlour-{match_id}.txt", "text/plain; charset=utf-8")


@require_safe
def json_file(request: HttpRequest, match_id: str) -> HttpResponse:
    """The score of a finished match as JSON (docs/reference/match-file.md). Errors as of `text_file`."""
    try:
        with turns.take(network_of(request)):
            file = codec.encode(match_file(record_for(request, match_id)))
    except (*WITHHELD, TooBusy) as error:
        return withheld(error)
    return _download(file, f"parlour-{match_id}.json", "application/json")


@require_http_methods(["GET", "HEAD", "POST"])
def replay_file(request: HttpRequest) -> HttpResponse:
    """The form for the file of a match. A POST validates the file and replays it; nothing is stored."""
    if request.method != "POST":
        return _form(request)
    if not _may_bring(request):
        return _form(request, gettext("Too many files. Please wait a minute."), TOO_MANY)
    upload = request.FILES.get("file")
    if upload is None:
        return _form(request, gettext("Choose a file first."), 400)
    try:
        # Reading one byte above the limit shows that the file is too large.
        match = async_to_sync(checker.check)(upload.read(MOST_BYTES + 1))
    except FalseScore as error:
        return _form(request, gettext(error.sentence) % error.params, error.status, error)
    except Busy:
        problem = gettext("The server is checking other files. Please try again in a moment.")
        return _form(request, problem, BUSY)
    return render(request, "finished/imported.html", _imported(match))


def record_for(request: HttpRequest, match_id: str) -> Record:
    """A finished match that the reader may see. Raises `WITHHELD` or `UnknownMatch`."""
    return archive.record_for(match_id, request.user.pk, datetime.now(UTC))


def withheld(error: Withheld | TooBusy) -> HttpResponse:
    """The JSON error response for a match that is withheld."""
    return JsonResponse(
        {"code": error.code, "detail": error.words}, status=error.status, headers=error.headers
    )


def _download(content: bytes, name: str, content_type: str) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type=content_type, headers=headers)


def _may_bring(request: HttpRequest) -> bool:
    keys = limit_keys(request.user.pk, network_of(request))
    return all(readings.take(key, time.monotonic()) for key in keys)


def _form(
    request: HttpRequest, problem: str = "", status: int = 200, error: FalseScore | None = None
) -> HttpResponse:
    context = {
        "problem": problem,
        "false": error is not None,
        "ply": error and error.ply,
        "most_megabytes": MOST_BYTES // 1_000_000,
        "most_plies": MOST_PLIES,
    }
    response = render(request, "finished/replay.html", context, status=status)
    for name, value in RETRY_AFTER.get(status, {}).items():
        response[name] = value
    return response


def _imported(match: Checked) -> dict[str, object]:
    game = GAMES[match.game]
    computers = {seat for seat, name in enumerate(match.names) if computer_names.is_one(name)}
    names = computer_names.at_seats(match.names, computers)
    score = orjson.loads(match.score)
    for seat, name in zip(score["snapshot"]["match"]["seats"], names, strict=True):
        seat["name"] = name
    return {
        "match": match,
        "game": game,
        "title": gettext(game.title),
        "seats": score["snapshot"]["match"]["seats"],
        "options_in_words": options.in_words(match.options),
        "clock_in_words": clock_words.in_words(match.clock),
        "score": score,
    }
