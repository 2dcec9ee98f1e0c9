"""The only list of games. Forms, pages, API, bots and tests find a game here by its slug."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from .bots import aces_levels, cantstop_levels, kalah_levels, kalah_tables, morris_levels, morris_tables
from .bots.base import ONLY_LEVEL, Level, Prove, Why, nothing_proved, why_of_only_level
from .rules import (
    aces,
    aces_course,
    aces_introduction,
    cantstop,
    cantstop_course,
    cantstop_introduction,
    kalah,
    kalah_course,
    kalah_introduction,
    kalah_kgp,
    morris,
    morris_course,
    morris_introduction,
    morris_sanmill,
)
from .rules.base import Introduction, Notation, Odds, Rules, gettext_noop, ngettext_noop

_BULLET = ("1+0", "2+1")
_LIVE = ("3+2", "5+3", "10+5", "15+10")
_DAYS = ("1d", "3d", "7d")


@dataclass(frozen=True, slots=True)
class Game:
    """A playable game.

    Texts are English and translated where they are shown.

    Attributes:
        title: the name.
        blurb: one sentence for people who have never heard of the game.
        long_title: the title with another name that people search for; "" if there is none.
        dice: whether the game has dice.
        odds: a chance that players may request; None if there is none.
        pure_luck: whether its presets leave no decisions, so that it cannot be rated.
        draws: whether a match may end in a draw, so that players may agree on one.
        unit: singular and plural name of its points, through `ngettext_noop`; None without points.
        sides: names of the seats, through `gettext_noop`, if any. The first moves first by default.
        levels: levels of the computer players, weakest first; `games.bots.<slug>` plays them.
        why: what made the weakest move.
        proved: the result of a position with best play, where tables have it.
        introduction: the first minute of the game; None if it has none.
        course: ten lessons on how to play well, likewise.
        notations: how other programs write its positions, by their names.
        endings: by the reason of an outcome, the text in brackets after the winner.
        rated_preset: default preset of rated matches, one in which moving first is no advantage; "" for the
            first preset.
        minutes: fewest and most minutes that a match usually takes; None if unknown.
        clocks: clocks suggested in forms, besides none and a custom one (`games.domain.clock`). Bullet suits
            games in which a turn is one quick move.
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
    proved: Prove = nothing_proved
    introduction: Introduction | None = field(default=None, hash=False)
    course: Introduction | None = field(default=None, hash=False)
    notations: Mapping[str, Notation] = field(default_factory=dict, hash=False)
    endings: Mapping[str, str] = field(default_factory=dict, hash=False)
    rated_preset: str = ""
    minutes: tuple[int, int] | None = None
    clocks: tuple[str, ...] = (*_LIVE, *_DAYS)

    @property
    def full_title(self) -> str:
        """The title, with the other name if there is one: for headings, tiles and search."""
        return self.long_title or self.title

    def usual_preset(self, rated: bool) -> str:
        """The slug of the default preset."""
        return (self.rated_preset if rated else "") or next(iter(self.rules.PRESETS))

    @property
    def board(self) -> str:
        """The static path of the module that draws the board."""
        return f"boards/{self.slug}.js"


GAMES = {
    game.slug: game
    for game in (
        Game(
            "kalah",
            gettext_noop("Kalah"),
            gettext_noop("Sow seeds around the board and collect more than your opponent."),
            kalah,
            long_title=gettext_noop("Kalah (Mancala)"),
            draws=True,
            unit=ngettext_noop("%d seed", "%d seeds"),
            levels=kalah_levels.LEVELS,
            why=kalah_levels.why,
            proved=kalah_tables.proved,
            introduction=kalah_introduction.INTRODUCTION,
            course=kalah_course.COURSE,
            notations={"kgp": kalah_kgp.NOTATION},
            endings={"swept": gettext_noop("one side’s pits were empty")},
            rated_preset="pie-rule",
            minutes=(5, 15),
            clocks=(*_BULLET, *_LIVE, *_DAYS),
        ),
        Game(
            "morris",
            gettext_noop("Nine Men’s Morris"),
            gettext_noop("Line up three men to take one of your opponent’s."),
            morris,
            draws=True,
            sides=(gettext_noop("white"), gettext_noop("black")),
            levels=morris_levels.LEVELS,
            why=morris_levels.why,
            proved=morris_tables.proved,
            introduction=morris_introduction.INTRODUCTION,
            course=morris_course.COURSE,
            notations={"sanmill": morris_sanmill.NOTATION},
            endings={
                "reduced": gettext_noop("the opponent had only two men left"),
                "blocked": gettext_noop("the opponent could not move"),
                "repetition": gettext_noop("the same position for the third time"),
                "fifty": gettext_noop("fifty moves without a man taken"),
                "full": gettext_noop("no empty points left"),
            },
            minutes=(10, 20),
            clocks=("2+1", *_LIVE, *_DAYS),
        ),
        Game(
            "aces",
            gettext_noop("Aces"),
            gettext_noop("Get rid of your dice. Send the last one to the centre to win."),
            aces,
            dice=True,
            pure_luck=True,
            levels=aces_levels.LEVELS,
            why=aces_levels.why,
            introduction=aces_introduction.INTRODUCTION,
            course=aces_course.COURSE,
            endings={"last-ace": gettext_noop("the last ace was rolled")},
            minutes=(5, 10),
        ),
        Game(
            "cantstop",
            gettext_noop("Can’t Stop"),
            gettext_noop("Roll, climb and push your luck. Be the first to claim three columns."),
            cantstop,
            dice=True,
            odds=cantstop.bust_odds,
            levels=cantstop_levels.LEVELS,
            why=cantstop_levels.why,
            introduction=cantstop_introduction.INTRODUCTION,
            course=cantstop_course.COURSE,
            endings={"columns": gettext_noop("three columns claimed")},
            minutes=(10, 30),
        ),
    )
}
