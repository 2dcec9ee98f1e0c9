"""Hot-seat matches: several players at one board."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction

from games.domain.position import Position
from games.models import NAME_LENGTH, Match
from games.play import begin
from lobby.pairing import queue
from lobby.people import naming
from lobby.people.models import User
from lobby.tables import refusals, tables
from lobby.tables.models import Table


@transaction.atomic
def play(
    holder: User, game: str, options: Any, names: Sequence[str], position: Position | None = None
) -> Match:
    """Begin a hot-seat match, casual and without a clock. It is not listed; spectators need its URL.

    Args:
        holder: the user who hosts the match.
        game: slug of a registered game.
        options: an `Options` of that game.
        names: the players' names by seat; the first moves first.
        position: where the match begins if not at the start; it says who moves first.

    Raises:
        TableError: "unknown-game", "bad-seats", "bad-option", "bad-names" or "reserved-name".
    """
    tables.check_game(game, options, len(names), Table.First.HOST)
    called = [_chosen(name) for name in names]
    if len({name.casefold() for name in called}) < len(called):
        raise refusals.BadNames(most=NAME_LENGTH)
    queue.cancel([holder.pk])
    return begin.create_shared(game, options, called, holder, position=position)


def _chosen(name: str) -> str:
    try:
        return naming.choose_at_board(name)
    except ValidationError as error:
        if error.code == "reserved":
            raise refusals.ReservedName(name=name) from None
        raise refusals.BadNames(most=NAME_LENGTH) from None
