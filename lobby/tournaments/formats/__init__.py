"""The only list of tournament formats."""

from __future__ import annotations

from collections.abc import Mapping

from lobby.tournaments.formats import arena, knockout, round_robin, swiss, tables
from lobby.tournaments.formats.base import Format

FORMATS: Mapping[str, Format] = {
    "arena": arena,
    "swiss": swiss,
    "round_robin": round_robin,
    "knockout": knockout,
    "tables": tables,
}
"""By the word that is stored with a tournament."""
