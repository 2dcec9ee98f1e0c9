"""The stream of a user's events. While it is open, the user counts as online."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Any

import orjson
from django.utils import translation

from games.api.streams import Stream, streams
from games.net.threads import in_thread
from games.store import history
from lobby.feed import events, lobby_feed, match_invites, program_events
from lobby.pairing import queue
from lobby.people.person import saw, topic, topic_in
from lobby.people.presence import presence
from lobby.tournaments import next_matches

PASSED_ON = {"turn", "pairing", "call", "call-over", "next-match", "error"}
"""Messages of pages that are also sent to programs. They are not stored; `hello` has the current state."""


async def lines(stream: Stream, user_id: int, after: int | None) -> AsyncGenerator[bytes]:
    """Yield the current state, the events after id `after` if given, and all later events, a line each."""
    streams.opened(stream)
    presence.came(user_id)
    try:
        # Join first, so that no event is missed; duplicates are dropped by their ids.
        stream.join(events.topic(user_id), topic(user_id), topic_in(user_id, stream.language))
        hello = await in_thread(_hello)(user_id, stream.language)
        told = hello["event"] if after is None else after
        yield orjson.dumps(hello)
        stream.write(events.WAKE)
        async for payload in _numbered(stream, user_id, told):
            yield payload
    finally:
        streams.closed(stream)
        presence.went(user_id)


async def _numbered(stream: Stream, user_id: int, told: int) -> AsyncGenerator[bytes]:
    """Yield every event after id `told` once, in the order of ids, and messages without an id."""
    async for payload in stream.payloads():
        kind = orjson.loads(payload)["type"] if payload else events.NEWS
        if kind == events.NEWS:
            # The hub only signals that there are events; the store has all of them, in order.
            for event in await in_thread(events.since)(user_id, told):
                told = event["id"]
                yield orjson.dumps(event)
        if not payload or kind in PASSED_ON:
            yield payload


def _hello(user_id: int, language: str) -> dict[str, Any]:
    saw(user_id)
    with translation.override(language):
        return _how_things_are(user_id)


def _how_things_are(user_id: int) -> dict[str, Any]:
    mine = list(lobby_feed.matches_in_play().filter(seatings__user=user_id))
    return {
        "type": "hello",
        # Read first: what happens meanwhile is told again, as an event.
        "event": events.last(user_id),
        "challenges": [
            program_events.table_fields(table) for table in lobby_feed.open_tables().filter(invited=user_id)
        ],
        "calls": match_invites.calls_to(user_id),
        "next": next_matches.next_matches(user_id),
        "matches": [lobby_feed.match_fields(match) for match in mine],
        "waiting": history.waiting_for(user_id),
        **queue.situation(user_id),
    }
