"""Limits how many evaluations an address waits for at once, so that workers have time for moves."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from games.net.limits import Places
from games.net.process import process
from lobby.studies.refusals import TooManyAtOnce

MOST_AT_ONCE = 4
"""A class at one address shares them; an evaluation takes about a second."""

_places = process.part(Places, MOST_AT_ONCE)


@contextmanager
def take(address: str) -> Iterator[None]:
    """Hold a place in a `with` block. Raises `TooManyAtOnce`."""
    if not _places.take(address):
        raise TooManyAtOnce
    try:
        yield
    finally:
        _places.give_back(address)
