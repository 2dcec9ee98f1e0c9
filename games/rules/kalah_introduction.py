"""The first minute of Kalah, by `classic`: another turn, past the store, a capture, the end."""

from __future__ import annotations

from .base import Introduction, Lesson, gettext_noop
from .kalah import PRESETS, State, setup

_RULES = PRESETS["classic"]
_NEAR_THE_END = (0, 0, 0, 0, 0, 1, 24, 2, 0, 0, 1, 0, 3, 17)

INTRODUCTION = Introduction(
    (
        Lesson(
            gettext_noop("Sow your third pit from the left: one seed in each place, the last in your store."),
            ("3",),
            gettext_noop("The last seed fell into your store, so you move again."),
            gettext_noop("The last seed of that pit lands elsewhere. Sow the third pit."),
            position=setup(_RULES),
        ),
        Lesson(
            gettext_noop("Sow your fifth pit: the seeds go on into your opponent’s pits."),
            ("5",),
            gettext_noop("Your turn was over, and your opponent sowed a pit."),
            gettext_noop("You can sow that pit too, but this time sow the fifth."),
            then=("1",),
        ),
        Lesson(
            gettext_noop("Sow your first pit: its last seed lands in an empty pit of yours."),
            ("1",),
            gettext_noop("A capture! That seed and all seeds opposite are in your store."),
            gettext_noop("The last seed of that pit captures nothing. Sow the first pit."),
        ),
        Lesson(
            gettext_noop("A game near its end: sow your last seed."),
            ("6",),
            gettext_noop("Your pits are empty, so the game is over. Your opponent keeps the other seeds."),
            position=State(_RULES, 0, _NEAR_THE_END),
        ),
    ),
    gettext_noop("The player with more seeds wins."),
)
