"""The download of all finished matches of a user, streamed while it is written."""

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
"""Limits downloads by network address; a file may hold thousands of matches."""


async def document(person: User, asker: int | None, now: datetime) -> AsyncIterator[bytes]:
    """Yield the finished matches of `person` as chunks of one JSON document, in order of their start.

    See docs/reference/match-file.md for the format.

    Args:
        person: whose matches.
        asker: id of the reader, None for a visitor; matches that the reader may not see are left out.
        now: the time for which visibility is decided.
    """
    head = {"format": FORMAT, "version": VERSION, "name": person.username, "written": timestamp(now)}
    yield codec.encode(head)[:-1] + b',"matches":['
    batches = archive.batches(archive.finished_by(person.pk, asker, now))
    between = b"\n"
    # Holds one batch in memory; batches are read in a thread.
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
