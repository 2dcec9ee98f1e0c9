"""The only list of games. Forms, pages, API, bots and tests find a game here by its slug."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from .bots import aces_levels, cantstop_levels, kalah_levels, morris_levels
from .bots.base import ONLY_LEVEL, Level, Why, why_of_only_level
from .rules import aces, cantstop, kalah, morris
from .rules.base import Odds, Rules, gettext_noop, ngettext_noop

_BULLET = ("1+0", "2+1")
_LIVE = ("3+2", "5+3", "10+5", "15+10")
_DAYS = ("1d", "3d", "7d")


@dataclass(frozen=True, slots=True)
class Game:
    """A game that can be played here.

    `title` and `blurb` (one sentence for people who have never heard of it) are English, to be
    translated where they are shown. `long_title` has the other name as well that people look for it by,
    "" where there is none; `full_title` is what stands where they look. `dice` says whether any are
    thrown, `odds` is a chance that players may ask for. `pure_luck` says that its presets leave players
    nothing to decide, which is why nobody is rated at it. `draws` says that a match may end in a draw,
    which players may agree on then.
    `unit` is what its points are called, one and many of them through `ngettext_noop`; None where it
    counts none. `sides` are the names of its seats, through `gettext_noop`, where they have any: the first
    of them moves first, unless a table says otherwise.
    `levels` are those of its computer players, the weakest first; `games.bots.<slug>` plays them.
    `why` says what made the weakest move.
    `endings` says, by the reason of an outcome, why a match is over: in brackets after who won.
    `rated_preset` is the preset of rated matches unless another one is asked for, "" for the first: one in
    which moving first is no advantage.
    `minutes` is how long a match usually takes, the fewest and the most; None where nobody has said.
    `clocks` are the clocks that forms suggest beside none and a custom one (`games.domain.clock`).
    Bullet suits games in which a turn is one quick move.
    """

    slug: str
    title: str
    blurb: str
    rules: Rules
    long_title: str = ""
    dice: bool = False
    odds: Odds | None = None
    pure_luck: bool = False
    draws: bool = False
    unit: tuple[str, str] | None = None
    sides: tuple[str, ...] = ()
    levels: tuple[Level, ...] = ONLY_LEVEL
    why: Why = why_of_only_level
    endings: Mapping[str, str] = field(default_factory=dict, hash=False)
    rated_preset: str = ""
    minutes: tuple[int, int] | None = None
    clocks: tuple[str, ...] = (*_LIVE, *_DAYS)

    @property
    def full_title(self) -> str:
        """The title with the other name, where there is one: for headings, tiles and searches."""
        return self.long_title or self.title

    def usual_preset(self, rated: bool) -> str:
        """The slug of the preset that is played unless another one is asked for."""
        return (self.rated_preset if rated else "") or next(iter(self.rules.PRESETS))

    @property
    def board(self) -> str:
        """The static path of the module that draws it."""
        return f"boards/{self.slug}.js"


GAMES = {
    game.slug: game
    for game in (
        Game(
            "kalah",
            gettext_noop("Kalah"),
            gettext_noop("Sow seeds around the board and gather more of them than your opponent."),
            kalah,
            long_title=gettext_noop("Kalah (Mancala)"),
            draws=True,
            unit=ngettext_noop("%d seed", "%d seeds"),
            levels=kalah_levels.LEVELS,
            why=kalah_levels.why,
            endings={"swept": gettext_noop("the pits of one side were empty")},
            rated_preset="pie-rule",
            minutes=(5, 15),
            clocks=(*_BULLET, *_LIVE, *_DAYS),
        ),
        Game(
            "morris",
            gettext_noop("Nine Men’s Morris"),
            gettext_noop("Get three men in a row, take one of your opponent’s, and shut in the rest."),
            morris,
            draws=True,
            sides=(gettext_noop("white"), gettext_noop("black")),
            levels=morris_levels.LEVELS,
            why=morris_levels.why,
            endings={
                "reduced": gettext_noop("the opponent had only two men left"),
                "blocked": gettext_noop("the opponent could not move"),
                "repetition": gettext_noop("the same position for the third time"),
                "fifty": gettext_noop("fifty moves without a man taken"),
                "full": gettext_noop("no empty point on the board"),
            },
            minutes=(10, 20),
            clocks=("2+1", *_LIVE, *_DAYS),
        ),
        Game(
            "aces",
            gettext_noop("Aces"),
            gettext_noop("Throw your dice away and be the one who sends the last of all to the centre."),
            aces,
            dice=True,
            pure_luck=True,
            levels=aces_levels.LEVELS,
            why=aces_levels.why,
            endings={"last-ace": gettext_noop("the last ace was thrown")},
            minutes=(5, 10),
        ),
        Game(
            "cantstop",
            gettext_noop("Can’t Stop"),
            gettext_noop("Throw, climb and dare once more: claim three columns before your luck turns."),
            cantstop,
            dice=True,
            odds=cantstop.ODDS,
            levels=cantstop_levels.LEVELS,
            why=cantstop_levels.why,
            endings={"columns": gettext_noop("three columns claimed")},
            minutes=(10, 30),
        ),
    )
}
