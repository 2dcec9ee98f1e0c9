"""The stream of a match: what its socket tells, with every ply once and in order."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Any

import orjson

from games.api.streams import Stream, streams
from games.watch.viewer import PLIES_OF_PAGE, Viewer

PLIES = b'{"type":"plies"'
"""How every message begins that carries plies."""


async def lines(stream: Stream, viewer: Viewer, after: int | None) -> AsyncGenerator[bytes]:
    """The snapshot, the plies since `after` if there is one, and whatever happens from now on."""
    streams.opened(stream)
    try:
        # Join first, so that nothing falls between; what is known twice is told once.
        stream.join(viewer.topic)
        viewer.came()
        snapshot = await viewer.snapshot()
        told = int(snapshot["ply"])
        yield orjson.dumps(snapshot)
        while after is not None and after < told:
            message = await viewer.plies(after, PLIES_OF_PAGE)
            if not message["plies"]:
                break
            after = _last(message, after)
            told = max(told, after)
            yield orjson.dumps(message)
        async for payload in stream.payloads():
            if payload.startswith(PLIES):
                payload, told = await since(viewer, told, payload)
                if not payload:
                    continue
            yield payload
    finally:
        streams.closed(stream)
        viewer.went()


async def since(viewer: Viewer, told: int, payload: bytes) -> tuple[bytes, int]:
    """What of a `plies` message was not told yet, nothing if all was, and the last ply told then."""
    message = orjson.loads(payload)
    last = _last(message, message["after"])
    if last <= told:
        return b"", told
    if message["after"] > told:
        # The hub lost something on its way here. The store has it.
        message = await viewer.plies(told)
        return orjson.dumps(message), _last(message, told)
    if message["after"] < told:
        message["plies"] = [ply for ply in message["plies"] if ply["number"] > told]
        message["after"] = told
        payload = orjson.dumps(message)
    return payload, last


def _last(message: dict[str, Any], after: int) -> int:
    """The number of the last ply in a `plies` message."""
    return message["plies"][-1]["number"] if message["plies"] else after
