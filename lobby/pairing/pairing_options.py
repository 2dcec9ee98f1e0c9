"""What quick pairing offers: tiles for each preset of every game, a clock and a number of players on each."""

from __future__ import annotations

import re
from typing import NamedTuple

from django.utils.translation import gettext

from games.registry import GAMES, Game

CLOCKS = ("5+3", "15+10", "")
"""The clocks on offer, quick ones first. More would spread the people who wait too thin."""
CLOCKS_OF_MANY = ("5+3", "")
"""The same where more than two meet, who are harder to gather."""
MOST_SEATS = 4
"""How many are gathered at most."""


class Tile(NamedTuple):
    """One kind of match: slugs, the notation of a clock, whether it counts, how many play."""

    game: str
    preset: str
    clock: str
    rated: bool
    seats: int = 2

    @classmethod
    def parse(cls, text: str, rated: bool) -> Tile | None:
        """The tile that `game/preset/clock` names, for three `game/preset/clock/3`; None without."""
        game, preset, clock, seats = (*text.split("/", 3), "", "", "", "")[:4]
        tile = cls(game, preset, clock, rated, int(seats) if re.fullmatch("[0-9]", seats) else 2)
        return tile if tile.is_offered and tile.name == text else None

    @property
    def is_offered(self) -> bool:
        """Whether there is such a tile."""
        game = GAMES.get(self.game)
        if game is None or self.seats not in seats_of(game) or self.preset not in game.rules.PRESETS:
            return False
        return self.clock in clocks_for(self.seats)

    @property
    def name(self) -> str:
        """The tile in a form: whether the match counts is chosen above all tiles."""
        name = f"{self.game}/{self.preset}/{self.clock}"
        return name if self.seats == 2 else f"{name}/{self.seats}"


def games() -> list[Game]:
    """The games that people can be paired for."""
    return [game for game in GAMES.values() if seats_of(game)]


def seats_of(game: Game) -> list[int]:
    """How many may meet at a game."""
    return [seats for seats in range(2, MOST_SEATS + 1) if seats in game.rules.SEATS]


def clocks_for(seats: int) -> tuple[str, ...]:
    """The clocks on offer for so many."""
    return CLOCKS if seats == 2 else CLOCKS_OF_MANY


def tiles_of(game: Game, preset: str, seats: int) -> list[Tile]:
    """The casual tiles of a preset for so many, one for each clock."""
    return [Tile(game.slug, preset, clock, rated=False, seats=seats) for clock in clocks_for(seats)]


def clock_in_short(notation: str) -> str:
    """A clock as the tiles, which are narrow, say it."""
    if not notation:
        return gettext("No clock")
    minutes, seconds = notation.split("+")
    return gettext("%(minutes)s min + %(seconds)s s") % {"minutes": minutes, "seconds": seconds}
