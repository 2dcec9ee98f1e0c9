"""What quick pairing offers: a tile for each preset and clock of every game that two can play."""

from __future__ import annotations

from typing import NamedTuple

from django.utils.translation import gettext

from games.registry import GAMES, Game

CLOCKS = ("5+3", "15+10", "")
"""The clocks on offer, quick ones first. More would spread the people who wait too thin."""


class Tile(NamedTuple):
    """One kind of match to be paired for. Slugs, the notation of a clock, and whether it counts."""

    game: str
    preset: str
    clock: str
    rated: bool

    @classmethod
    def parse(cls, text: str, rated: bool) -> Tile | None:
        """The tile that `game/preset/clock` names, None if there is none."""
        game, _, rest = text.partition("/")
        preset, _, clock = rest.partition("/")
        tile = cls(game, preset, clock, rated)
        return tile if tile.is_offered and tile.name == text else None

    @property
    def is_offered(self) -> bool:
        """Whether there is such a tile."""
        game = GAMES.get(self.game)
        return game in games() and self.preset in game.rules.PRESETS and self.clock in CLOCKS

    @property
    def name(self) -> str:
        """The tile in a form: whether the match counts is chosen above all tiles."""
        return f"{self.game}/{self.preset}/{self.clock}"


def games() -> list[Game]:
    """The games that two can play."""
    return [game for game in GAMES.values() if 2 in game.rules.SEATS]


def clock_in_short(notation: str) -> str:
    """A clock as the tiles, which are narrow, say it."""
    if not notation:
        return gettext("No clock")
    minutes, seconds = notation.split("+")
    return gettext("%(minutes)s min + %(seconds)s s") % {"minutes": minutes, "seconds": seconds}
