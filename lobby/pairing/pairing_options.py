"""The options of quick pairing: for each preset of every game, tiles with a clock and a number of players."""

from __future__ import annotations

import re
from typing import NamedTuple

from django.utils.translation import gettext

from games.registry import GAMES, Game

CLOCKS = ("5+3", "15+10", "")
"""Clocks on offer, fast ones first. More would split the queue too much."""
CLOCKS_OF_MANY = ("5+3", "")
"""Clocks on offer for three and more players, who are harder to gather."""
MOST_SEATS = 4
"""Maximum number of players."""


class Tile(NamedTuple):
    """A kind of match: slugs of game and preset, notation of the clock, whether rated, number of players."""

    game: str
    preset: str
    clock: str
    rated: bool
    seats: int = 2

    @classmethod
    def parse(cls, text: str, rated: bool) -> Tile | None:
        """The tile for `game/preset/clock` (for three players `game/preset/clock/3`); None if not offered."""
        game, preset, clock, seats = (*text.split("/", 3), "", "", "", "")[:4]
        tile = cls(game, preset, clock, rated, int(seats) if re.fullmatch("[0-9]", seats) else 2)
        return tile if tile.is_offered and tile.name == text else None

    @property
    def is_offered(self) -> bool:
        """Whether quick pairing offers this tile."""
        game = GAMES.get(self.game)
        if game is None or self.seats not in seats_of(game) or self.preset not in game.rules.PRESETS:
            return False
        return self.clock in clocks_for(self.seats)

    @property
    def name(self) -> str:
        """The tile as a form value; whether it is rated is a field of its own."""
        name = f"{self.game}/{self.preset}/{self.clock}"
        return name if self.seats == 2 else f"{name}/{self.seats}"


def games() -> list[Game]:
    """The games of quick pairing."""
    return [game for game in GAMES.values() if seats_of(game)]


def seats_of(game: Game) -> list[int]:
    """The numbers of players that quick pairing offers for a game."""
    return [seats for seats in range(2, MOST_SEATS + 1) if seats in game.rules.SEATS]


def clocks_for(seats: int) -> tuple[str, ...]:
    """The clocks on offer for a number of players."""
    return CLOCKS if seats == 2 else CLOCKS_OF_MANY


def tiles_of(game: Game, preset: str, seats: int) -> list[Tile]:
    """The casual tiles of a preset for a number of players, one per clock."""
    return [Tile(game.slug, preset, clock, rated=False, seats=seats) for clock in clocks_for(seats)]


def clock_in_short(notation: str) -> str:
    """A clock as short text for the narrow tiles."""
    if not notation:
        return gettext("No clock")
    minutes, seconds = notation.split("+")
    return gettext("%(minutes)s min + %(seconds)s s") % {"minutes": minutes, "seconds": seconds}
