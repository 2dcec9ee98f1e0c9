"""The first minute of Aces: where ones, twos and fives go, the end of a turn, and the last die."""

from __future__ import annotations

from dataclasses import replace

from .aces import UNTHROWN, Options, setup
from .base import Introduction, Lesson, gettext_noop

_START = setup(Options(), 3)

INTRODUCTION = Introduction(
    (
        Lesson(
            gettext_noop("Roll your five dice."),
            ("roll",),
            gettext_noop("The 1 went to the centre, the 2 to the left, the 5 to the right."),
            then=((1, 2, 5, 3, 4),),
            position=_START,
        ),
        Lesson(
            gettext_noop("Dice moved, so you roll again."),
            ("roll",),
            gettext_noop(
                "Nothing moved, so your turn was over. Then the player on your right rolled a 2: "
                "it came to you."
            ),
            then=((3, 6), "roll", (3, 3, 4, 6, 6, 4), "roll", (2, 3, 3, 4, 6, 6), "roll", (3, 4, 6, 6, 3)),
        ),
        Lesson(
            gettext_noop("Roll your three dice."),
            ("roll",),
            gettext_noop("You have no dice left, but you are still in: a 2 or a 5 can bring one back."),
            then=((1, 1, 5),),
        ),
        Lesson(
            gettext_noop("The end of a game: the last die is yours. Roll it."),
            ("roll",),
            gettext_noop("A 1: you sent the last die to the centre."),
            then=((1,),),
            position=replace(_START, dice=((UNTHROWN,), (), ()), centre=14),
        ),
    ),
    gettext_noop("The player who sends the last die to the centre wins."),
    ("Ann", "Ben"),
)
