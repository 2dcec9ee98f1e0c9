"""Luck and odds in Aces: what a roll brings, how long a match lasts, and who wins with the last die."""

from __future__ import annotations

from dataclasses import replace

from .aces import UNTHROWN, Options, State, setup
from .base import Introduction, Lesson, gettext_noop


def _dice(mine: int, theirs: int, centre: int) -> State:
    """Two players, and dice that have not been rolled."""
    held = (UNTHROWN,) * mine, (UNTHROWN,) * theirs
    return replace(setup(Options(), 2), dice=held, centre=centre)


COURSE = Introduction(
    (
        Lesson(
            gettext_noop("Aces is luck, but luck has odds. How many of five dice will move? Roll."),
            ("roll",),
            gettext_noop(
                "Three moved. A die moves on three of its six faces, so two or three of five are usual."
            ),
            then=((1, 2, 4, 5, 6),),
            position=_dice(5, 5, 0),
        ),
        Lesson(
            gettext_noop("With five dice a turn rarely ends at once. Roll."),
            ("roll",),
            gettext_noop("One moved, so you roll again. The chance that nothing moves is 1 in 32."),
            then=((3, 3, 4, 6, 2),),
            position=_dice(5, 5, 0),
        ),
        Lesson(
            gettext_noop("With two dice a turn ends at once more often. Roll."),
            ("roll",),
            gettext_noop("Nothing moved. With two dice the chance of that is 1 in 4, with one die 1 in 2."),
            then=((3, 6),),
            position=_dice(2, 5, 3),
        ),
        Lesson(
            gettext_noop("Two dice, two players: where will they go? Roll."),
            ("roll",),
            gettext_noop("Both went to your opponent: with two players a die does so on two faces of six."),
            then=((2, 5),),
            position=_dice(2, 3, 5),
        ),
        Lesson(
            gettext_noop("Only an ace takes a die out of the game. Roll your three dice."),
            ("roll",),
            gettext_noop(
                "One ace. Each die has a chance of 1 in 6; 58 of 100 rolls of three dice have none."
            ),
            then=((1, 4, 6),),
            position=_dice(3, 3, 4),
        ),
        Lesson(
            gettext_noop("You are about to run out of dice. Is that good? Roll."),
            ("roll",),
            gettext_noop(
                "You cannot win without dice, but you stay in the game: a two of your opponent brought "
                "one back."
            ),
            then=((5,), "roll", (2, 3, 4), "roll", (4, 6)),
            position=_dice(1, 2, 7),
        ),
        Lesson(
            gettext_noop(
                "The more dice, the better your chance to send the last one to the centre. Roll all eight."
            ),
            ("roll",),
            gettext_noop(
                "Two aces and three that went across. A match of two with five dice each takes about 24 "
                "rolls."
            ),
            then=((1, 1, 2, 2, 5, 3, 4, 6),),
            position=_dice(8, 1, 1),
        ),
        Lesson(
            gettext_noop("Two dice are left, and you hold both. Roll."),
            ("roll",),
            gettext_noop("One went to the centre. Both at once would have won: 1 chance in 36."),
            then=((1, 4),),
            position=_dice(2, 0, 8),
        ),
        Lesson(
            gettext_noop("You hold the very last die. Who is more likely to win? Roll."),
            ("roll",),
            gettext_noop(
                "You are: whoever rolls the last die wins 3 of 5 games. It stayed, so you roll again."
            ),
            then=((6,),),
            position=_dice(1, 0, 9),
        ),
        Lesson(
            gettext_noop("Once more."),
            ("roll",),
            gettext_noop("An ace, 1 in 6: you have won."),
            then=((1,),),
        ),
    ),
    gettext_noop("Nobody plays Aces better than others. Know the odds, and enjoy the luck."),
)
