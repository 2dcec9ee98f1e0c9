"""What the page of rules says about Kalah."""

from __future__ import annotations

from .base import Section, gettext_noop

GUIDE = (
    Section(
        gettext_noop("The board"),
        (
            gettext_noop(
                "Each player owns the row of pits on their side and the store at the right-hand end of it. "
                "At the start every pit holds the same number of seeds and the stores are empty. Whoever has "
                "more seeds in their store at the end wins."
            ),
        ),
    ),
    Section(
        gettext_noop("Your turn"),
        (
            gettext_noop(
                "Take all seeds out of one of your pits and sow them counter-clockwise, one into each place "
                "that follows: along your row, into your store, along the opponent’s row and so on. A large "
                "handful goes all the way round; the pit it came from then gets a seed like any other."
            ),
            gettext_noop("Where the last seed falls decides what happens:"),
            (
                gettext_noop("**In your own store:** you move again."),
                gettext_noop(
                    "**In a pit of yours that was empty:** you capture. This seed and all seeds in the pit "
                    "opposite go to your store, and the turn passes. If there is nothing opposite, an option "
                    "says what becomes of the single seed."
                ),
                gettext_noop("**Anywhere else:** the turn passes."),
            ),
        ),
    ),
    Section(
        gettext_noop("The end"),
        (
            gettext_noop(
                "The game is over as soon as all the pits of one side are empty after a move, whoever made "
                "it, and even if the last seed had earned another turn. What is left in the other pits goes "
                "to the store of their owner. More seeds win; the same number is a draw."
            ),
            gettext_noop("Whoever resigns or leaves has lost."),
        ),
    ),
    Section(
        gettext_noop("The pie rule"),
        (
            gettext_noop(
                "The first move is worth a lot. Where the pie rule is agreed on, the second player may "
                "answer it by swapping sides instead of sowing; then it is the first player’s turn again, "
                "with the board the other way round. So it pays to begin with a fair move."
            ),
        ),
    ),
    Section(
        gettext_noop("Rule sets"),
        (
            (
                gettext_noop(
                    "**Circle:** three seeds in each pit, and the opponent’s store is sown like a pit. "
                    "Nothing comes of a last seed there."
                ),
                gettext_noop(
                    "**Kalaha:** six seeds in each pit, the opponent’s store is skipped, and a last seed in "
                    "an empty pit of one’s own is captured even with nothing opposite."
                ),
                gettext_noop("**Classic:** four seeds in each pit, and the opponent’s store is skipped."),
                gettext_noop(
                    "**Pie-rule:** like Classic, and the second player may swap sides on their first turn."
                ),
            ),
        ),
    ),
    Section(
        gettext_noop("Notation"),
        (
            gettext_noop(
                "A move is the number of the pit, counted from your own left: with six pits `1` is the far "
                "left and `6` lies next to your store. `swap` swaps sides."
            ),
            gettext_noop(
                "Some count on round the board: then the pits of the second player are 7 to 12. With six "
                "pits a side the setting “Pit numbers” says how a match shows and takes them. Files and "
                "programs write `1` to `6` for both sides; programs may send `7` to `12` too."
            ),
        ),
    ),
)
