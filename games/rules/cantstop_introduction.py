"""The first minute of Can't Stop: pairs of dice, three runners, the bust, and a third column."""

from __future__ import annotations

from dataclasses import replace

from .base import Introduction, Lesson, gettext_noop
from .cantstop import COLUMNS, Options, setup

_START = setup(Options(), 2)


def _row(**spaces: int) -> tuple[int, ...]:
    """A row of a state, by the columns that are not 0: `_row(c7=3)`."""
    return tuple(spaces.get(f"c{column}", 0) for column in range(COLUMNS.stop))


_NEAR_THE_END = replace(
    _START,
    cones=(_row(c6=4, c8=7), _row(c5=2, c6=6, c10=3)),
    runners=_row(c6=5, c8=11),
    owners=tuple({4: 0, 9: 0, 7: 1}.get(column) for column in range(COLUMNS.stop)),
)

INTRODUCTION = Introduction(
    (
        Lesson(
            gettext_noop("Roll the four dice."),
            ("roll",),
            gettext_noop("There are three ways to make two pairs."),
            then=((1, 5, 2, 6),),
            position=_START,
        ),
        Lesson(
            gettext_noop("Choose 6 and 8: each sum moves a runner up its column."),
            ("6+8",),
            gettext_noop("Two of your three runners are on the mountain."),
            gettext_noop("You can choose that too, but this time choose 6 and 8."),
        ),
        Lesson(
            gettext_noop("You have a runner left, so a bust is impossible now. Roll again."),
            ("roll",),
            gettext_noop("This time there are two ways."),
            gettext_noop("You can stop and keep your steps, but now a roll risks nothing."),
            then=((1, 1, 5, 3),),
        ),
        Lesson(
            gettext_noop("Choose 4 and 6: one runner starts, the other goes up again."),
            ("4+6",),
            gettext_noop(
                "All three runners are out. If no pair fits them now, you bust and lose these steps."
            ),
            gettext_noop("You can choose that too, but this time choose 4 and 6."),
        ),
        Lesson(
            gettext_noop(
                "Later: you own two columns, and a runner is at the top of column 8. Stop to claim it."
            ),
            ("stop",),
            gettext_noop("Column 8 is yours: your third."),
            gettext_noop("You can roll, but if you bust, you lose the top of column 8. Stop."),
            position=_NEAR_THE_END,
        ),
    ),
    gettext_noop("The first player with three columns wins."),
)
