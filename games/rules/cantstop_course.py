"""How to play Can't Stop well, by `strict`: which columns, how long to roll, and when to dare."""

from __future__ import annotations

from dataclasses import replace

from .base import Introduction, Lesson, Seat, gettext_noop
from .cantstop import COLUMNS, Options, State, setup


def _row(spaces: dict[int, int]) -> tuple[int, ...]:
    return tuple(spaces.get(column, 0) for column in range(COLUMNS.stop))


def _board(
    runners: dict[int, int],
    cones: tuple[dict[int, int], dict[int, int]] = ({}, {}),
    owners: dict[int, Seat] | None = None,
    dice: tuple[int, ...] = (),
) -> State:
    """A position by the columns that are not empty."""
    return replace(
        setup(Options(), 2),
        runners=_row(runners),
        cones=tuple(map(_row, cones)),
        owners=tuple((owners or {}).get(column) for column in range(COLUMNS.stop)),
        dice=dice,
    )


COURSE = Introduction(
    (
        Lesson(
            gettext_noop("Choose the columns that are rolled most often."),
            ("6+7",),
            gettext_noop(
                "Of 100 rolls, 64 have a pair that makes 7, and 56 one that makes 6. Only 13 make 2."
            ),
            gettext_noop("Columns 2 and 11 are short, but their sums are rare."),
            position=_board({}, dice=(1, 1, 5, 6)),
        ),
        Lesson(
            gettext_noop("You have two runners out and one left. Roll or stop?"),
            ("roll",),
            gettext_noop("With a runner left, nearly every roll can be used. Roll until all three are out."),
            gettext_noop("A bust is impossible now: the third runner can start in any column."),
            then=((2, 2, 3, 5),),
            position=_board({6: 1, 8: 1}),
        ),
        Lesson(
            gettext_noop("Choose the pairing that keeps your third runner free."),
            ("6+8",),
            gettext_noop("Both runners went up, and the next roll is still without risk."),
            gettext_noop("Column 7 is good, but your last runner would be out."),
            position=_board({6: 2, 8: 3}, dice=(3, 3, 4, 4)),
        ),
        Lesson(
            gettext_noop("Your runners are in 6, 7 and 8, one space each. Roll or stop?"),
            ("roll",),
            gettext_noop(
                "In these columns only 8 of 100 rolls are a bust. Three steps are not enough to stop."
            ),
            gettext_noop("That is too early: these are the three best columns."),
            then=((2, 6, 3, 4),),
            position=_board({6: 1, 7: 1, 8: 1}),
        ),
        Lesson(
            gettext_noop("Now they are in 2, 3 and 12. Roll or stop?"),
            ("stop",),
            gettext_noop("Here 56 of 100 rolls are a bust. In rare columns, take what you have."),
            gettext_noop("More than half of all rolls would be a bust here."),
            position=_board({2: 1, 3: 1, 12: 1}),
        ),
        Lesson(
            gettext_noop("Again 6, 7 and 8, but you have climbed 21 spaces. Roll or stop?"),
            ("stop",),
            gettext_noop(
                "The risk is the same, but a bust would cost 21 spaces. The more you have to lose, the "
                "sooner you stop."
            ),
            gettext_noop("The risk is small, but you have too much to lose."),
            position=_board({6: 7, 7: 8, 8: 6}),
        ),
        Lesson(
            gettext_noop("Column 12 is nearly full. Which pairing do you choose?"),
            ("7+12",),
            gettext_noop("A double six is rare. Take the top of a short column when you can."),
            gettext_noop("You may wait a long time for the next double six."),
            position=_board({7: 6}, ({12: 2, 7: 5}, {}), dice=(6, 6, 3, 4)),
        ),
        Lesson(
            gettext_noop("A runner is at the top of 12, and all three are out. Roll or stop?"),
            ("stop",),
            gettext_noop("A bust in 31 of 100 rolls would have cost you the column. Now it is yours."),
            gettext_noop("Column 12 would be worth too much to risk."),
            position=_board({12: 3, 7: 7, 3: 2}, ({12: 2, 7: 5}, {})),
        ),
        Lesson(
            gettext_noop(
                "You and your opponent have two columns each, and your opponent is almost at the top of "
                "8. Roll or stop?"
            ),
            ("roll",),
            gettext_noop(
                "If you stop, you will hardly get another turn. Dare more when you are about to lose."
            ),
            gettext_noop("Your opponent would very likely win now."),
            then=((1, 4, 3, 4),),
            position=_board({5: 8, 7: 3, 9: 2}, ({5: 6}, {8: 10, 9: 6}), {6: 0, 12: 0, 2: 1, 4: 1}),
        ),
        Lesson(
            gettext_noop("Two columns are yours. Win."),
            ("5+9",),
            gettext_noop("Column 9 is your third: you stopped and won."),
            gettext_noop("One of the pairings brings a runner to the top."),
            then=("stop",),
            position=_board({9: 8, 5: 2}, ({9: 5, 6: 4}, {8: 9}), {7: 0, 3: 0, 10: 1, 4: 1}, (4, 5, 2, 3)),
        ),
    ),
    gettext_noop(
        "Choose middle columns, bring out the third runner late, and stop when there is much to lose."
    ),
)
