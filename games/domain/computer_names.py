"""The names of computer players in the language of the user.

Accounts, files and the API keep the names as they are stored (`games.bots.base.Level`).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache
from itertools import chain

from django.utils.translation import gettext

from games.bots.base import ONLY_LEVEL
from games.registry import GAMES
from games.rules.base import Seat


def in_words(name: str) -> str:
    """The name of a computer player, which may end with a number: Sprout, Sprout-2."""
    stem, hyphen, number = name.partition("-")
    return f"{gettext(stem)}{hyphen}{number}"


def at_seats(names: Sequence[str], levels: Collection[Seat]) -> tuple[str, ...]:
    """The names of the players of a match; those in the seats `levels` are computers."""
    return tuple(in_words(name) if seat in levels else name for seat, name in enumerate(names))


def is_one(name: str) -> bool:
    """Whether a name is that of a level, with or without a number; nobody else can choose it."""
    lower = name.lower()
    stem, _hyphen, number = lower.rpartition("-")
    return lower in _all() or (number.isdigit() and stem in _all())


@cache
def _all() -> frozenset[str]:
    levels = chain(ONLY_LEVEL, *(game.levels for game in GAMES.values()))
    return frozenset(name.lower() for level in levels for name in (level.name, *level.others))
