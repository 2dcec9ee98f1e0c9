"""Evaluations beside the analysis board. An address waits for few at once: workers need time for moves."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing

from games.computers.searches import Found, searches
from games.domain.position import Position
from games.net.costs import computed
from games.net.limits import Places
from games.net.process import process
from lobby.studies.refusals import TooManyAtOnce

MOST_AT_ONCE = 4
"""A class at one address shares them; an evaluation takes about a second."""

_places = process.part(Places, MOST_AT_ONCE)


def evaluations(address: str, there: Position) -> AsyncGenerator[Found]:
    """The best level's evaluations of a position in which a player is to move, as they deepen.

    Until the search has ended it takes a place of its address, even if the client leaves before.

    Raises `TooManyAtOnce`, and while they are read `NoHint` if no worker answers in time.
    """
    if not _places.take(address):
        raise TooManyAtOnce
    search = searches.of(there)
    search.task.add_done_callback(lambda _: _places.give_back(address))
    return _charged(search.found())


async def _charged(found: AsyncGenerator[Found]) -> AsyncGenerator[Found]:
    """The same; who reads it pays for the time that the search takes meanwhile."""
    paid = 0.0
    async with aclosing(found):
        async for each in found:
            computed(each.milliseconds - paid)
            paid = each.milliseconds
            yield each
