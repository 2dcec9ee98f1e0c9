"""What the page of rules says about Nine Men’s Morris."""

from __future__ import annotations

from .base import Section, gettext_noop

GUIDE = (
    Section(
        gettext_noop("The aim"),
        (
            gettext_noop(
                "Get three of your men in a row along a line. That is a mill, and you take one of your "
                "opponent’s men. You win when your opponent has only two men left or cannot move."
            ),
        ),
    ),
    Section(
        gettext_noop("Placing, sliding, flying"),
        (
            (
                gettext_noop(
                    "**Placing:** the board starts empty. Players take turns placing one man on any empty "
                    "point."
                ),
                gettext_noop(
                    "**Sliding:** when all your men are placed, move one man per turn along a line to the "
                    "next point, which must be empty."
                ),
                gettext_noop(
                    "**Flying:** with only three men left, you can move any of them to any empty point, "
                    "unless the rule set says otherwise."
                ),
            ),
            gettext_noop("The host chooses who moves first, or leaves it to chance."),
        ),
    ),
    Section(
        gettext_noop("Mills"),
        (
            gettext_noop(
                "When you complete a mill by placing, sliding or flying, take one of your opponent’s men. "
                "Only then does your turn end. Men in a mill are safe while there is another man to take. "
                "You can open a mill and close it again; each time you take a man."
            ),
            gettext_noop("One move can close two mills. You then take one man, or two under some rules."),
        ),
    ),
    Section(
        gettext_noop("The end"),
        (
            (
                gettext_noop("A player with only two men, including those in hand, loses."),
                gettext_noop(
                    "A player who cannot move on their turn loses, even right after the last man is "
                    "placed. A player who can fly can always move."
                ),
                gettext_noop(
                    "The game is a draw when the same position comes up for the third time with the same "
                    "player to move, or after fifty moves each without a man taken. Both rules can be "
                    "turned off."
                ),
                gettext_noop("The game is also a draw when all men are placed and no point is empty."),
                gettext_noop("Resigning or leaving loses the game."),
            ),
        ),
    ),
    Section(
        gettext_noop("Rule sets"),
        (
            (
                gettext_noop("**Nine:** the best-known version. Nine men each, three squares."),
                gettext_noop("**Six:** the small version. Six men each, two squares, no flying."),
                gettext_noop(
                    "**Lasker:** ten men each. From the first turn you can place a man or slide one."
                ),
                gettext_noop(
                    "**Twelve:** twelve men each on a board with diagonals, like Morabaraba in southern "
                    "Africa."
                ),
            ),
        ),
    ),
    Section(
        gettext_noop("Notation"),
        (
            gettext_noop(
                "Points have a file and a rank, from `a1` at the bottom left to `g7` at the top right of "
                "the large board. `d6` places a man, `d6-d5` slides or flies it, and `xd6` takes the man "
                "on that point."
            ),
        ),
    ),
)
