"""Everything somebody has played, as one file: written while it is sent, however long it becomes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import datetime

from django.conf import settings

from games.domain import codec
from games.domain.instants import timestamp
from games.finished import archive
from games.finished.export import match_file
from games.net.limits import limiter
from games.net.threads import in_thread
from lobby.people.models import User

FORMAT = "parlour-matches"
VERSION = 1

downloads = limiter(settings.DOWNLOAD_LIMIT)
"""Files of all matches by address: each may be as long as somebody's years of playing."""


async def document(person: User, asker: int | None, now: datetime) -> AsyncIterator[bytes]:
    """The finished matches of a person that `asker` may look at, in the order in which they began.

    JSON, in pieces: docs/reference/match-file.md says what is in it.
    """
    head = {"format": FORMAT, "version": VERSION, "name": person.username, "written": timestamp(now)}
    yield codec.encode(head)[:-1] + b',"matches":['
    batches = archive.batches(archive.finished_by(person.pk, asker, now))
    between = b"\n"
    # A batch at a time is in memory, and each is read beside the event loop.
    while (batch := await in_thread(_next)(batches)) is not None:
        for written in batch:
            yield between + written
            between = b",\n"
    yield b"\n]}\n"


def _next(batches: archive.Batches) -> list[bytes] | None:
    match_ids = next(batches, None)
    if match_ids is None:
        return None
    return [codec.encode(match_file(record)) for record in archive.records(match_ids)]
