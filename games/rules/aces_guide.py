"""What the page of rules says about Aces."""

from __future__ import annotations

from .base import Section, gettext_noop

GUIDE = (
    Section(
        gettext_noop("The aim"),
        (
            gettext_noop(
                "Everybody starts with some dice, usually five. Throws pass dice on or send them to the "
                "centre, from where none comes back. Whoever sends the last die of all to the centre has "
                "won."
            ),
        ),
    ),
    Section(
        gettext_noop("Your turn"),
        (
            gettext_noop("Throw all the dice you have. Then they move by what they show:"),
            (
                gettext_noop("**Ones**, the aces, go to the centre."),
                gettext_noop("**Twos** go to the player on your left, who has the next turn."),
                gettext_noop("**Fives** go to the player on your right."),
                gettext_noop("**Threes, fours and sixes** stay with you."),
            ),
            gettext_noop(
                "If any die has moved and you still hold some, you throw again. Your turn ends when a throw "
                "moves nothing, or when you have no dice left. At some tables you may also stop after any "
                "throw and keep what you hold."
            ),
            gettext_noop(
                "A player without dice is passed over but not out: the neighbours’ twos and fives bring dice "
                "back. With two players the other one sits both on your left and on your right."
            ),
        ),
    ),
    Section(
        gettext_noop("The end"),
        (
            gettext_noop(
                "The throw that sends the last die to the centre decides the match, also if it sends several "
                "at once. Its player wins; where the table has turned this round, its player loses and all "
                "others win."
            ),
            gettext_noop(
                "Whoever leaves hands their dice to the player on the left, and the game goes on until only "
                "one is left, who has won."
            ),
        ),
    ),
    Section(
        gettext_noop("Rule sets"),
        (
            (
                gettext_noop(
                    "**Standard:** five dice each, throwing on is compulsory, and the last ace wins."
                ),
                gettext_noop(
                    "**Last-loses:** the same, but whoever throws the last ace loses, and all others win."
                ),
            ),
        ),
    ),
    Section(
        gettext_noop("Notation"),
        (
            gettext_noop(
                "`roll` throws the dice and `stop` ends the turn where that is allowed. The list of moves "
                "shows the faces that fell."
            ),
        ),
    ),
)
