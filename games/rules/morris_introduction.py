"""The first minute of Nine Men's Morris: a mill by placing, one by sliding, and what they take."""

from __future__ import annotations

from .base import Introduction, Lesson, gettext_noop
from .morris import WHITE, Options, State

# The ranks from the top: 7, 6, 5, 4 on both sides of the middle, 3, 2, 1.
_PLACING = "WW.  .BB  ...  ..W ..B  ...  ...  ..."
_SLIDING = "W..  .BB  ...  W.B .W.  ..W  ...  .W."

INTRODUCTION = Introduction(
    (
        Lesson(
            gettext_noop("You are white. Place a man on the top right corner: three in a line are a mill."),
            ("g7",),
            gettext_noop("A mill! Each mill takes one of your opponent’s men."),
            gettext_noop("You can place a man there, but it closes no mill. Try the top right corner."),
            position=State(Options(), WHITE, _PLACING.replace(" ", ""), (6, 6)),
        ),
        Lesson(
            gettext_noop("Your opponent has two in a line: take one of these."),
            ("xd6", "xf6"),
            gettext_noop("Now your opponent cannot close a mill with the next man."),
            gettext_noop("You can take that man, but then your opponent closes a mill. Take d6 or f6."),
        ),
        Lesson(
            gettext_noop(
                "All men are placed, now they slide. Slide the man at the bottom into the left corner."
            ),
            ("d1-a1",),
            gettext_noop("You closed a mill again."),
            gettext_noop("You can move that way, but it closes no mill. Slide d1 to the corner, a1."),
            position=State(Options(), WHITE, _SLIDING.replace(" ", ""), (0, 0)),
        ),
        Lesson(
            gettext_noop("Take any man."),
            (),
            gettext_noop("You took the deciding man."),
        ),
    ),
    gettext_noop("You win when your opponent has only two men left or cannot move."),
)
