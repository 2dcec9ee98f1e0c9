"""The only list of tournament formats."""

from __future__ import annotations

from collections.abc import Mapping

from lobby.tournaments.formats import (
    arena,
    knockout,
    round_robin,
    simul,
    swiss,
    tables,
    team_battle,
    team_match,
)
from lobby.tournaments.formats.base import Format

FORMATS: Mapping[str, Format] = {
    "arena": arena,
    "swiss": swiss,
    "round_robin": round_robin,
    "knockout": knockout,
    "tables": tables,
    "team_battle": team_battle,
    "team_match": team_match,
    "simul": simul,
}
"""By the word that is stored with a tournament."""
MOST_CLUBS: Mapping[str, int] = {"team_battle": 40, "team_match": 2}
"""The formats in which players play for their clubs, each with how many clubs can take part."""
