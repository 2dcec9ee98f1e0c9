"""What the page of rules says about Kalah."""

from __future__ import annotations

from .base import Section, gettext_noop

GUIDE = (
    Section(
        gettext_noop("The board"),
        (
            gettext_noop(
                "Each player owns the row of pits on their side and the store at its right end. At the "
                "start every pit has the same number of seeds and the stores are empty. The player with "
                "more seeds in their store at the end wins."
            ),
        ),
    ),
    Section(
        gettext_noop("Your turn"),
        (
            gettext_noop(
                "Take all the seeds from one of your pits and sow them counter-clockwise, one in each "
                "place: along your row, into your store, along your opponent’s row, and so on. If there "
                "are enough seeds to go all the way round, the pit you started from gets one too."
            ),
            gettext_noop("Where the last seed lands decides what happens:"),
            (
                gettext_noop("**In your own store:** you move again."),
                gettext_noop(
                    "**In your own empty pit:** you capture. That seed and all seeds in the pit opposite "
                    "go to your store, and your turn ends. If the pit opposite is empty, the rule set "
                    "decides what happens to the last seed."
                ),
                gettext_noop("**Anywhere else:** your turn ends."),
            ),
        ),
    ),
    Section(
        gettext_noop("The end"),
        (
            gettext_noop(
                "The game ends when all the pits on one side are empty after a move, even if the last seed "
                "earned another turn. The seeds left in the other pits go to their owner’s store. More "
                "seeds win. Equal numbers are a draw."
            ),
            gettext_noop("Resigning or leaving loses the game."),
        ),
    ),
    Section(
        gettext_noop("The pie rule"),
        (
            gettext_noop(
                "The first move is a big advantage. With the pie rule, the second player can swap sides "
                "instead of sowing. Then it is the first player’s turn again, on the other side. So it "
                "pays to start with a fair move."
            ),
        ),
    ),
    Section(
        gettext_noop("Rule sets"),
        (
            (
                gettext_noop("**Classic:** four seeds in each pit, and the opponent’s store is skipped."),
                gettext_noop(
                    "**Pie-rule:** like Classic, but the second player can swap sides on their first turn."
                ),
                gettext_noop(
                    "**Kalaha:** six seeds in each pit, and the opponent’s store is skipped. A last seed "
                    "in your own empty pit goes to your store even if the pit opposite is empty."
                ),
                gettext_noop(
                    "**Circle:** three seeds in each pit, and the opponent’s store is sown like a pit. "
                    "Ending there earns no extra turn."
                ),
            ),
        ),
    ),
    Section(
        gettext_noop("Notation"),
        (
            gettext_noop(
                "A move is the number of the pit, counted from your left. With six pits, `1` is the "
                "leftmost and `6` is next to your store. `swap` swaps sides."
            ),
            gettext_noop(
                "Some players number the second player’s pits 7 to 12. With six pits a side, choose the "
                "numbers in the setting “Pit numbers”. Files and programs use `1` to `6` for both sides; "
                "programs can also send `7` to `12`."
            ),
        ),
    ),
)
