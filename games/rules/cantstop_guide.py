"""What the page of rules says about Can’t Stop."""

from __future__ import annotations

from .base import Section, gettext_noop

GUIDE = (
    Section(
        gettext_noop("The aim"),
        (
            gettext_noop(
                "There is a column for every sum of two dice, from 2 to 12. Sums that fall often have long "
                "columns, rare ones short columns. Be the first to reach the top of three of them."
            ),
        ),
    ),
    Section(
        gettext_noop("Your turn"),
        (
            gettext_noop(
                "Throw four dice and split them into two pairs; there are up to three ways to do that. Each "
                "pair’s sum moves a runner one space up its column. Two equal sums move one runner two "
                "spaces, or one where only one is left."
            ),
            gettext_noop(
                "You have three runners a turn. A new runner starts one space above your cone in that "
                "column, or on the first space if you have none there. If both sums can move, both must. If "
                "only one runner is left for two new columns, you choose one of them; with none left only "
                "columns with a runner move."
            ),
            gettext_noop("Then decide: throw again, or stop."),
            (
                gettext_noop(
                    "**Stop**, and your cones move up to where your runners stand. What you have gained is "
                    "safe."
                ),
                gettext_noop(
                    "**Throw again**, and if no pair can move a runner it is a bust: the runners come off, "
                    "and everything gained in this turn is lost."
                ),
            ),
            gettext_noop("The board shows the chance that the next throw is a bust."),
        ),
    ),
    Section(
        gettext_noop("Claiming a column"),
        (
            gettext_noop(
                "A column is yours when you stop with a runner at its top, not before. Then everybody’s "
                "cones leave it, and nobody can enter it any more."
            ),
            gettext_noop(
                "A runner at the top can go no further. The usual, strict rule is that a way of pairing with "
                "that column in it cannot be chosen at all; if that goes for every way, it is a bust. The "
                "published game is milder: only that half is not played, and the other half still moves."
            ),
        ),
    ),
    Section(
        gettext_noop("The end"),
        (
            gettext_noop("Whoever stops with a third column claimed has won at once."),
            gettext_noop(
                "Whoever leaves takes their cones along; columns they had claimed stay closed. The game goes "
                "on until somebody wins or only one is left, who has won."
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
                "`roll` throws and `stop` stops. A pairing is written by its sums, the smaller first: `6+8`; "
                "`7+7` moves two spaces in column 7, and a single `7` plays that half alone, where only one "
                "can be played."
            ),
        ),
    ),
)
