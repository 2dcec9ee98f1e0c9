"""A new table with the settings of an earlier match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from games.domain import codec
from games.domain.position import Position, of_start
from games.models import Match
from games.registry import GAMES
from games.watch import visibility
from lobby.tables.models import Table
from lobby.tables.terms import TableTerms


@dataclass(frozen=True, slots=True)
class Plan:
    """Arguments for `set_table`, plus the levels of the computer players to seat.

    `position` is where the match begins if not at the start.
    """

    game: str
    options: Any
    seats: int
    first: str
    terms: TableTerms
    levels: tuple[int, ...] = ()
    position: Position | None = None


def plan_like(match_id: str, asker: int | None) -> Plan | None:
    """The settings of a match as a new table; None if there is no such match or `asker` may not see it.

    A match without a table (a rematch, say) gets a random first move, like rated ones. A challenge becomes a
    table by invitation, so that the opponent is not challenged again.
    """
    match = Match.objects.filter(pk=match_id, game__in=GAMES).select_related("table").first()
    if match is None or not visibility.view_of(match, asker).allowed:
        return None
    table: Table | None = getattr(match, "table", None)
    levels = list(match.seatings.values_list("level", flat=True))
    game = GAMES[match.game]
    return Plan(
        game=match.game,
        options=codec.decode(game.rules.Options, match.options),
        seats=len(levels),
        first=Table.First.LOT if table is None or table.rated else table.first,
        terms=TableTerms.like(match.terms) if table is None else TableTerms.of(table),
        levels=tuple(level for level in levels if level is not None),
        position=of_start(game, codec.decode_state(game.rules, match.start), len(levels)),
    )
