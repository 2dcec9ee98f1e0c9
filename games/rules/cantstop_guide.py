"""What the page of rules says about Can’t Stop."""

from __future__ import annotations

from .base import Section, gettext_noop

GUIDE = (
    Section(
        gettext_noop("The aim"),
        (
            gettext_noop(
                "Each sum of two dice, from 2 to 12, has a column. Common sums have long columns, rare "
                "sums short ones. Be the first to reach the top of three columns."
            ),
        ),
    ),
    Section(
        gettext_noop("Your turn"),
        (
            gettext_noop(
                "Roll four dice and split them into two pairs. There are up to three ways to do it. The "
                "sum of each pair moves a runner one space up its column. Two equal sums move one runner "
                "two spaces, or one if only one is left."
            ),
            gettext_noop(
                "You have three runners per turn. A new runner starts one space above your cone in that "
                "column, or on the first space if you have no cone there. If both sums can move, both must "
                "move. If you have one runner left for two new columns, choose one of them. With no "
                "runners left, only columns with a runner can move."
            ),
            gettext_noop("Then decide: roll again or stop."),
            (
                gettext_noop("**Stop**, and your cones move up to your runners. Your progress is safe."),
                gettext_noop(
                    "**Roll again**, and if no pair can move a runner, you bust: your runners come off and "
                    "you lose this turn’s progress."
                ),
            ),
            gettext_noop("The board shows the chance that the next roll is a bust."),
        ),
    ),
    Section(
        gettext_noop("Claiming a column"),
        (
            gettext_noop(
                "You claim a column when you stop with a runner at the top. All cones leave the column, "
                "and nobody can use it again."
            ),
            gettext_noop(
                "A runner at the top can go no further. By the usual, strict rule you cannot choose a "
                "pairing with that column. If every pairing has one, you bust. In the published game only "
                "that half is lost, and the other half still moves."
            ),
        ),
    ),
    Section(
        gettext_noop("The end"),
        (
            gettext_noop("The first player to claim a third column wins."),
            gettext_noop(
                "When a player leaves, their cones come off the board; columns they have claimed stay "
                "closed. The game continues until a player wins or only one is left, who wins."
            ),
        ),
    ),
    Section(
        gettext_noop("Rule sets"),
        (
            (
                gettext_noop("**Strict:** a pairing with a topped column in it cannot be chosen."),
                gettext_noop(
                    "**Published:** the other half of a pairing with a topped column in it still moves."
                ),
            ),
        ),
    ),
    Section(
        gettext_noop("Notation"),
        (
            gettext_noop(
                "`roll` rolls and `stop` stops. A pairing is written as its sums, the smaller first: "
                "`6+8`. `7+7` moves two spaces in column 7. A single `7` plays only that half, when the "
                "other cannot be played."
            ),
        ),
    ),
)
