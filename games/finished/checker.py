"""The files that people bring, checked in a process of its own: to play a match again takes a while."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from games.computers.pool import SerialPool
from games.domain import codec
from games.finished import importing, replay

MOST_WAITING = 4
"""Files that wait to be checked, with the one that is: one takes half a second at worst."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What the page of an imported match shows; `game` is a slug, `score` the JSON of `replay.messages`."""

    game: str
    names: tuple[str, ...]
    options: Any
    clock: str
    begun: datetime
    sealed: bool
    score: bytes


class Checker(SerialPool):
    """One process that plays matches again, begun when the first file is brought."""

    def __init__(self) -> None:
        super().__init__(MOST_WAITING)

    async def check(self, document: bytes) -> Checked:
        """The match in a file. Raises `FalseScore` and `Busy`."""
        return await self.ask_in_line(checked, document)


def checked(document: bytes) -> Checked:
    """The match in a file, whose plies were all played again. Raises `FalseScore`."""
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


checker = Checker()
"""The checker of this process."""
