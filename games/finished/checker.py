"""Checks uploaded match files in a separate process, since replaying a match takes a while."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from games.computers.pool import SerialPool
from games.domain import codec
from games.finished import importing, replay
from games.net.process import process

MOST_WAITING = 2
"""Most files in the queue, including the current one; each takes at most half a second. Other forms need
turns meanwhile (`FORMS_AT_ONCE`)."""


@dataclass(frozen=True, slots=True)
class Checked:
    """The data of the page of an imported match: `game` is a slug, `score` the JSON of `replay.messages`."""

    game: str
    names: tuple[str, ...]
    options: Any
    clock: str
    begun: datetime
    sealed: bool
    score: bytes


class Checker(SerialPool):
    """A lazily started process that replays matches."""

    def __init__(self) -> None:
        super().__init__(MOST_WAITING)

    async def check(self, document: bytes) -> Checked:
        """Check a file in the process, and return its match. Raises `FalseScore` and `Busy`."""
        return await self.ask_in_line(checked, document)


def checked(document: bytes) -> Checked:
    """Check a file by replaying every ply, and return its match. Raises `FalseScore`."""
    match = importing.read(document)
    return Checked(
        game=match.game.slug,
        names=match.names,
        options=match.start.options,
        clock=match.clock,
        begun=match.begun,
        sealed=match.sealed,
        score=codec.encode(replay.messages(match)),
    )


checker = process.part(Checker)
"""The checker of this process."""
