"""What the lobby shows, and how it hears of every change.

Every change has a number. A browser that opens the lobby is subscribed first and gets the whole list
afterwards, with the number it is good for; then it applies the changes with higher numbers in order,
and asks for the list again when one is missing.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import translation
from django.utils.translation import gettext

from games import codec
from games.hub import hub
from games.models import Match
from games.options import in_words, preset_of
from games.registry import GAMES
from lobby.models import News, Table
from lobby.words import preset_in_words

MOST = 200
"""Tables and matches in the list at most, the newest first; one's own come on top of that."""


def topic(language: str) -> str:
    """The hub's topic for lobbies in a language: one message serves all who read it."""
    return f"lobby.{language}"


def open_tables() -> QuerySet[Table]:
    """The tables that wait for people, newest first."""
    tables = Table.objects.filter(match=None, game__in=GAMES).order_by("-created")
    return tables.select_related("host").prefetch_related("chairs__user")


def matches_in_play() -> QuerySet[Match]:
    """The matches that are being played, newest first."""
    matches = Match.objects.filter(status=Match.Status.PLAYING, game__in=GAMES).order_by("-created")
    return matches.select_related("table").prefetch_related("seatings__user")


def table_fields(table: Table) -> dict[str, Any]:
    """A table as the lobby shows it, in the language that is active."""
    game = GAMES[table.game]
    options = codec.decode(game.rules.Options, table.options)
    return {
        "id": table.pk,
        "game": table.game,
        "title": gettext(game.title),
        "preset": preset_in_words(preset_of(game, options)),
        "options_in_words": in_words(options),
        "host": table.host.get_username(),
        "seats": table.seats,
        "taken": [chair.user.get_username() for chair in table.chairs.all()],
        "match": table.match_id,
    }


def match_fields(match: Match) -> dict[str, Any]:
    """A match as the lobby shows it, with the table it began at (none for a rematch)."""
    table = getattr(match, "table", None)
    return {
        "id": match.pk,
        "game": match.game,
        "title": gettext(GAMES[match.game].title),
        "players": [seating.user.get_username() for seating in match.seatings.all()],
        "table": None if table is None else table.pk,
    }


def number() -> int:
    """The number of the last change."""
    return News.objects.values_list("number", flat=True).first() or 0


def everything(user_id: int | None) -> dict[str, Any]:
    """The whole list for somebody, in the language that is active, and the number it is good for.

    The number is read first: the list may know of later changes, which do no harm when they come.
    """
    last = number()
    tables = {table.pk: table for table in open_tables()[:MOST]}
    matches = {match.pk: match for match in matches_in_play()[:MOST]}
    if user_id is not None:
        tables |= {table.pk: table for table in open_tables().filter(chairs__user=user_id)}
        matches |= {match.pk: match for match in matches_in_play().filter(seatings__user=user_id)}
    return {
        "type": "lobby",
        "number": last,
        "tables": [table_fields(table) for table in tables.values()],
        "matches": [match_fields(match) for match in matches.values()],
    }


def tell_table(table: Table) -> None:
    """A table is new, or its chairs have changed, or its match began."""
    _tell(lambda: {"type": "table", "table": table_fields(table)})


def tell_table_gone(table_id: str) -> None:
    """A table was cancelled."""
    _tell(lambda: {"type": "table-gone", "id": table_id})


@transaction.atomic
def tell_match(match_id: str) -> None:
    """A match began."""
    match = matches_in_play().filter(pk=match_id).first()
    if match is not None:
        _tell(lambda: {"type": "match", "match": match_fields(match)})


@transaction.atomic
def tell_match_over(match_id: str) -> None:
    """A match ended."""
    _tell(lambda: {"type": "match-over", "id": match_id})


def _tell(build: Callable[[], dict[str, Any]]) -> None:
    """Give a change its number in the transaction that makes it, and tell every lobby after the commit."""
    last = _next_number()
    for language, _ in settings.LANGUAGES:
        with translation.override(language):
            message = {**build(), "number": last}
        transaction.on_commit(partial(hub.announce, topic(language), message), robust=True)


def _next_number() -> int:
    if not News.objects.filter(pk=1).update(number=F("number") + 1):
        News.objects.get_or_create(pk=1)
        News.objects.filter(pk=1).update(number=F("number") + 1)
    return News.objects.values_list("number", flat=True).get(pk=1)
