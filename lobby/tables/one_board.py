"""Several people at one board: one of them holds it, and a match begins at once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from django.db import transaction

from games.law.messages import PRINTABLE
from games.models import NAME_LENGTH, Match
from games.play import begin
from lobby.models import Table, User
from lobby.pairing import queue
from lobby.tables import refusals, tables


@transaction.atomic
def play(holder: User, game: str, options: Any, names: Sequence[str]) -> Match:
    """Begin a match of people with these names, by seat; the first of them moves first.

    It is casual, and has no clock. Nobody but those who are given its address hears of it.

    Raises:
        TableError: "unknown-game", "bad-seats", "bad-option" or "bad-names".
    """
    tables.check_game(game, options, len(names), Table.First.HOST)
    called = [" ".join(name.split()) for name in names]
    if not all(map(_is_name, called)) or len({name.casefold() for name in called}) < len(called):
        raise refusals.BadNames(most=NAME_LENGTH)
    queue.cancel([holder.pk])
    return begin.create_shared(game, options, called, holder)


def _is_name(name: str) -> bool:
    return 0 < len(name) <= NAME_LENGTH and re.match(PRINTABLE, name) is not None
