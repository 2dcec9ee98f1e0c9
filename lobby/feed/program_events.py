"""Events of challenges and matches for API clients, in slugs and values rather than text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

import orjson
from django.core.cache import caches

from games.domain import codec
from games.domain.options import preset_of
from games.models import Match
from games.registry import GAMES
from lobby.feed import events, lobby_feed
from lobby.ratings.signals import Settled
from lobby.tables.models import Table
from lobby.tables.terms import TableTerms

TERMS = [field.name for field in fields(TableTerms)]


def recently_open() -> dict[str, bytes]:
    """The public tables as JSON by id, newest first; shared as `lobby_feed.recently_listed` is."""
    key = f"open-tables:{lobby_feed.number()}"
    found: dict[str, bytes] | None = caches["local"].get(key)
    if found is None:
        tables = lobby_feed.open_tables().filter(listed=True)[: lobby_feed.MAX_LISTED]
        found = {table.pk: codec.encode(table_fields(table)) for table in tables}
        caches["local"].set(key, found, lobby_feed.RECENT_SECONDS)
    return found


def table_fields(table: Table) -> dict[str, Any]:
    """A table as sent to clients (`lobby.api.messages.OpenTable`)."""
    game = GAMES[table.game]
    options = codec.decode(game.rules.Options, table.options)
    return {
        "id": table.pk,
        "game": table.game,
        "preset": preset_of(game, options),
        # Not `asdict`, which copies the values.
        "options": {field.name: getattr(options, field.name) for field in fields(options)},
        "seats": table.seats,
        "host": table.host.get_username(),
        "taken": [chair.user.get_username() for chair in table.chairs.all()],
        "match": table.match_id,
        "invited": None if table.invited is None else table.invited.get_username(),
        "first": table.first,
        "position": table.position,
        **{name: getattr(table, name) for name in TERMS},
    }


def challenged(table: Table) -> None:
    """Tell the challenged player."""
    _note_for_invited(table, {"type": "challenge", "table": table_fields(table)})


def table_gone(table: Table) -> None:
    """Tell the challenged player, if there is one, that the challenge is gone."""
    _note_for_invited(table, {"type": "challenge-gone", "table": table.pk})


def declined(table: Table) -> None:
    """Tell the host that the challenge was declined."""
    assert table.invited is not None
    event = {"type": "declined", "table": table.pk, "name": table.invited.get_username()}
    events.note([table.host_id], event)


def matches_begun(matches: Sequence[Match]) -> None:
    """Tell the players that their matches have begun."""
    events.note_each(
        (
            [seating.user_id for seating in match.seatings.all() if seating.user_id is not None],
            {"type": "match", "match": lobby_feed.match_fields(match)},
        )
        for match in matches
    )


def over(settled: Sequence[Settled]) -> None:
    """Tell the players that matches have ended, in the transaction that settles them."""
    for match, _outcome, results in settled:
        outcome = orjson.loads(match.outcome or "null")
        players = [result.user_id for result in results]
        events.note(players, {"type": "match-over", "match": match.pk, "outcome": outcome})


def _note_for_invited(table: Table, event: dict[str, Any]) -> None:
    if table.invited_id is not None:
        events.note([table.invited_id], event)
