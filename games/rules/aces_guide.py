"""What the page of rules says about Aces."""

from __future__ import annotations

from .base import Section, gettext_noop

GUIDE = (
    Section(
        gettext_noop("The aim"),
        (
            gettext_noop(
                "Each player starts with the same number of dice, usually five. Rolls pass dice to other "
                "players or send them to the centre, where they stay. The player who sends the last die to "
                "the centre wins."
            ),
        ),
    ),
    Section(
        gettext_noop("Your turn"),
        (
            gettext_noop("Roll all your dice. What each die shows decides where it goes:"),
            (
                gettext_noop("**Ones**, the aces, go to the centre."),
                gettext_noop("**Twos** go to the player on your left, who plays next."),
                gettext_noop("**Fives** go to the player on your right."),
                gettext_noop("**Threes, fours and sixes** stay with you."),
            ),
            gettext_noop(
                "If any die moves and you still have dice, you roll again. Your turn ends when a roll "
                "moves nothing or you have no dice left. Under some rules you can also stop after any roll "
                "and keep your dice."
            ),
            gettext_noop(
                "A player without dice is skipped but still in the game: the neighbours’ twos and fives "
                "can bring dice back. With two players, your opponent is both on your left and on your "
                "right."
            ),
        ),
    ),
    Section(
        gettext_noop("The end"),
        (
            gettext_noop(
                "The roll that sends the last die to the centre decides the match, even if it sends "
                "several at once. The player who rolled it wins. Under the last-loses rules that player "
                "loses and all others win."
            ),
            gettext_noop(
                "A player who leaves passes their dice to the player on the left. The game continues until "
                "one player is left, who wins."
            ),
        ),
    ),
    Section(
        gettext_noop("Rule sets"),
        (
            (
                gettext_noop("**Standard:** five dice each, you must keep rolling, and the last ace wins."),
                gettext_noop(
                    "**Last-loses:** the same, but the player who rolls the last ace loses. All others win."
                ),
            ),
        ),
    ),
    Section(
        gettext_noop("Notation"),
        (
            gettext_noop(
                "`roll` rolls the dice. `stop` ends the turn, if the rules allow it. The move list shows "
                "the faces rolled."
            ),
        ),
    ),
)
