"""What the page of rules says about Nine Men’s Morris."""

from __future__ import annotations

from .base import Section, gettext_noop

GUIDE = (
    Section(
        gettext_noop("The aim"),
        (
            gettext_noop(
                "Get three of your men in a row along a line: that is a mill, and it takes an opposing man "
                "off the board. Take so many that only two are left, or shut the others in so that none of "
                "them can move, and you have won."
            ),
        ),
    ),
    Section(
        gettext_noop("Placing, sliding, flying"),
        (
            (
                gettext_noop(
                    "**Placing:** at first the board is empty, and the players take turns to put one man "
                    "each on any empty point."
                ),
                gettext_noop(
                    "**Sliding:** once a player’s men are all placed, a turn is one man moved along a line "
                    "to the next point, which must be empty."
                ),
                gettext_noop(
                    "**Flying:** with only three men left a player may move any of them to any empty point, "
                    "unless the table has agreed otherwise."
                ),
            ),
            gettext_noop("Whoever sets the table says who moves first, or has it drawn by lot."),
        ),
    ),
    Section(
        gettext_noop("Mills"),
        (
            gettext_noop(
                "Whenever a man that was just placed, slid or flown completes a mill, its player takes one "
                "opposing man, and only then does the turn pass. Men that stand in a mill themselves are "
                "safe as long as there is another to take. A mill may be opened and closed again; each time "
                "it takes a man."
            ),
            gettext_noop(
                "One move can close two mills. It then takes one man, or two if the table has agreed on that."
            ),
        ),
    ),
    Section(
        gettext_noop("The end"),
        (
            (
                gettext_noop("A player who has only two men, those in hand included, has lost."),
                gettext_noop(
                    "A player whose turn it is and who cannot move has lost, also right after the last man "
                    "was placed. Whoever may fly can always move."
                ),
                gettext_noop(
                    "It is a draw when the same position comes up for the third time with the same player to "
                    "move, or when both players have made fifty moves in a row and no man was taken. Each of "
                    "these rules can be switched off."
                ),
                gettext_noop("It is a draw, too, when all men are placed and fill the whole board."),
                gettext_noop("Whoever resigns or leaves has lost."),
            ),
        ),
    ),
    Section(
        gettext_noop("Rule sets"),
        (
            (
                gettext_noop("**Nine:** the game most people know. Nine men each, three squares."),
                gettext_noop("**Six:** the small one. Six men each, two squares, and nobody flies."),
                gettext_noop(
                    "**Lasker:** ten men each. From the first turn on a player may either place a man or "
                    "slide one."
                ),
                gettext_noop(
                    "**Twelve:** twelve men each on a board with diagonals, as Morabaraba is played in "
                    "southern Africa."
                ),
            ),
        ),
    ),
    Section(
        gettext_noop("Notation"),
        (
            gettext_noop(
                "Points are named by file and rank, from `a1` at the bottom left to `g7` at the top right of "
                "the large board. `d6` places a man, `d6-d5` slides or flies it, `xd6` takes the man on that "
                "point."
            ),
        ),
    ),
)
