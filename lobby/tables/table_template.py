"""To play the same again: the table that would lead to a match like another one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from games.domain import codec
from games.models import Match
from games.registry import GAMES
from games.watch import visibility
from lobby.models import Table
from lobby.tables.terms import TableTerms


@dataclass(frozen=True, slots=True)
class Plan:
    """What `tables.set_table` is told beside the host, and on which levels computer players sit there too."""

    game: str
    options: Any
    seats: int
    first: str
    terms: TableTerms
    levels: tuple[int, ...] = ()


def plan_like(match_id: str, asker: int | None) -> Plan | None:
    """The table that leads to a match like this one; None if there is none that `asker` may look at.

    A match that began elsewhere than at a table (a rematch, say) draws lots for the first move, as rated ones
    do, and a person who has been challenged once is not challenged again: that table is by invitation.
    """
    match = Match.objects.filter(pk=match_id, game__in=GAMES).select_related("table").first()
    if match is None or not visibility.view_of(match, asker).allowed:
        return None
    table: Table | None = getattr(match, "table", None)
    levels = list(match.seatings.values_list("level", flat=True))
    return Plan(
        game=match.game,
        options=codec.decode(GAMES[match.game].rules.Options, match.options),
        seats=len(levels),
        first=Table.First.LOT if table is None or table.rated else table.first,
        terms=TableTerms.like(match.terms) if table is None else TableTerms.of(table),
        levels=tuple(level for level in levels if level is not None),
    )
