"""The stream of a match: the messages of its socket, with every ply once and in order."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from functools import partial
from typing import Any

import orjson

from games.api.streams import Stream, streams
from games.watch.viewer import PLIES_OF_PAGE, Viewer, look_at
from games.watch.visibility import ADMITTED

PLIES = b'{"type":"plies"'
"""The first bytes of every message with plies."""


async def lines(stream: Stream, viewer: Viewer, after: int | None) -> AsyncGenerator[bytes]:
    """Yield the snapshot, the plies after ply `after` if given, and all later messages, a line each."""
    streams.opened(stream)
    try:
        # Join first, so that no message is missed; duplicates are dropped below.
        stream.join(viewer.topic)
        viewer.came()
        if viewer.view.admitted:
            stream.join(ADMITTED)
            stream.check = partial(look_at, viewer.match_id, stream.user_id)
            # Anew: the right may have ended before.
            await stream.look_again()
        snapshot = await viewer.snapshot()
        sent = int(snapshot["ply"])
        yield orjson.dumps(snapshot)
        while after is not None and after < sent:
            message = await viewer.plies(after, PLIES_OF_PAGE)
            if not message["plies"]:
                break
            after = _last(message, after)
            sent = max(sent, after)
            yield orjson.dumps(message)
        async for payload in stream.payloads():
            if payload.startswith(PLIES):
                payload, sent = await since(viewer, sent, payload)
                if not payload:
                    continue
            yield payload
    finally:
        streams.closed(stream)
        viewer.went()


async def since(viewer: Viewer, sent: int, payload: bytes) -> tuple[bytes, int]:
    """The part of a `plies` message after ply `sent` (empty if there is none), and the new last ply."""
    message = orjson.loads(payload)
    last = _last(message, message["after"])
    if last <= sent:
        return b"", sent
    if message["after"] > sent:
        # A message of the hub was lost. Read the missing plies from the store.
        message = await viewer.plies(sent)
        return orjson.dumps(message), _last(message, sent)
    if message["after"] < sent:
        message["plies"] = [ply for ply in message["plies"] if ply["number"] > sent]
        message["after"] = sent
        payload = orjson.dumps(message)
    return payload, last


def _last(message: dict[str, Any], after: int) -> int:
    """The number of the last ply in a `plies` message."""
    return message["plies"][-1]["number"] if message["plies"] else after
