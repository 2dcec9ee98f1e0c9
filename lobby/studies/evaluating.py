"""Evaluations beside the analysis board. An address waits for few at once: workers need time for moves."""

from __future__ import annotations

import asyncio

from games.bots.base import Evaluation
from games.computers.hints import hints
from games.domain.position import Position
from games.net.limits import Places
from games.net.process import process
from lobby.studies.refusals import TooManyAtOnce

MOST_AT_ONCE = 4
"""A class at one address shares them; an evaluation takes about a second."""

_places = process.part(Places, MOST_AT_ONCE)
_waiting: set[asyncio.Future[Evaluation]] = process.part(set)


async def evaluation(address: str, there: Position) -> Evaluation:
    """The best level's evaluation of a position in which a player is to move.

    It is waited for to its end, even if the client leaves: until then it takes a place of its address.

    Raises `TooManyAtOnce`, and `NoHint` if no worker answers in time.
    """
    if not _places.take(address):
        raise TooManyAtOnce
    waiting = asyncio.ensure_future(hints.evaluation(there))
    _waiting.add(waiting)
    waiting.add_done_callback(_waiting.discard)
    waiting.add_done_callback(lambda _: _places.give_back(address))
    return await asyncio.shield(waiting)
