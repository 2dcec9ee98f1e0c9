"""How to play Nine Men's Morris well, by `nine`: points, threats, mills that close again, room to move."""

from __future__ import annotations

from .base import Introduction, Lesson, gettext_noop
from .morris import PRESETS, State, setup

_RULES = PRESETS["nine"]


def _board(points: str, hand: tuple[int, int] = (0, 0), takes: int = 0) -> State:
    """A position by its points, rank by rank from the top, between which there may be spaces."""
    return State(_RULES, 0, points.replace(" ", ""), hand, takes)


COURSE = Introduction(
    (
        Lesson(
            gettext_noop("The board is empty. Place your first man on one of the best points."),
            ("d6", "b4", "f4", "d2"),
            gettext_noop("A crossing has four ways out and is part of two lines. A corner has two ways."),
            gettext_noop("Take one of the four crossings: d6, b4, f4 or d2."),
            position=setup(_RULES),
        ),
        Lesson(
            gettext_noop("See what your opponent is about to do, and stop it."),
            ("d1",),
            gettext_noop("Before each move, look for two men in a line with an empty third point."),
            gettext_noop("Your opponent would close a mill on the bottom line."),
            position=_board("... .W. ... ... .W. ... ... B.B", (7, 7)),
        ),
        Lesson(
            gettext_noop("Place a man that prepares two threats at once."),
            ("d2",),
            gettext_noop("Now b6 and b2 would each threaten two mills, and your opponent can stop only one."),
            gettext_noop("Take a third crossing: its lines meet yours in two corners."),
            position=_board("... .W. ... .W.B.. ... ... B..", (7, 7)),
        ),
        Lesson(
            gettext_noop(
                "Your opponent threatens a mill, and you could close one. There is something even better."
            ),
            ("g1",),
            gettext_noop("That stops the mill and threatens two: at d7 and at g4. One of them will close."),
            gettext_noop("Stop the mill on a point that makes a second threat."),
            position=_board("W.W ... ... ...... ... ... BB.", (7, 7)),
        ),
        Lesson(
            gettext_noop("You have closed a mill. Which man do you take?"),
            ("xd1",),
            gettext_noop("It was one of two in a line, and the one with more ways out."),
            gettext_noop("Take the man at the bottom that makes a pair and can move in more directions."),
            position=_board("WWW ... ... ...... B.. ... BB.", (6, 6), takes=1),
        ),
        Lesson(
            gettext_noop("All men are placed. How do you use your mill?"),
            ("a7-a4",),
            gettext_noop("Open it where nobody can get in: next turn it closes again and takes a man."),
            gettext_noop("Open the mill, with the man that also gets in your opponent’s way on the left."),
            position=_board("WWW ... B.. ...... B.. BW. B.B"),
        ),
        Lesson(
            gettext_noop("One of your men can close a mill again and again. Move it."),
            ("b4-c4",),
            gettext_noop(
                "Going back to b4 closes the other mill. Such a double mill can take a man each turn."
            ),
            gettext_noop("Look for the man between your two lines."),
            then=("xg1",),
            position=_board("..B W.. WB. .W..B. W.. W.. B.B"),
        ),
        Lesson(
            gettext_noop("You can win at once, without a mill."),
            ("g4-g1",),
            gettext_noop("Your opponent cannot move and has lost. Count the ways out, not only the men."),
            gettext_noop("Your opponent has one way out. Close it."),
            position=_board("BW. ... ... BW...W ... .W. BB."),
        ),
        Lesson(
            gettext_noop(
                "Both have three men and fly, and your opponent threatens g1. Two moves win, all others lose."
            ),
            ("d2-g1", "b6-g1"),
            gettext_noop(
                "A block that threatens as well: g1 and g4 lack only g7. Each move has to do two things."
            ),
            gettext_noop("That loses. Stop the mill with a man that makes a pair with another one there."),
            position=_board("... W.. ... .....W ..B .W. BB."),
        ),
        Lesson(
            gettext_noop("Your opponent has three men. Win."),
            ("d6-d7",),
            gettext_noop("The mill took the third man, and two are too few."),
            gettext_noop("You can close a mill."),
            then=("xd1",),
            position=_board("W.W .W. ... .B.... ... B.W .B."),
        ),
    ),
    gettext_noop("Crossings first, then moves that do two things, and always a way out."),
)
