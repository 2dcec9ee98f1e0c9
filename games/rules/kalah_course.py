"""How to play Kalah well, by `classic`: another turn, captures, what the opponent threatens, and the end."""

from __future__ import annotations

from .base import Introduction, Lesson, gettext_noop
from .kalah import PRESETS, State


def _board(*board: int) -> State:
    return State(PRESETS["classic"], 0, board)


COURSE = Introduction(
    (
        Lesson(
            gettext_noop("Find the pit that earns another turn."),
            ("5",),
            gettext_noop(
                "Two seeds, two steps to your store. Before each move, look for pits with as many seeds "
                "as steps."
            ),
            gettext_noop("Count: its last seed has to fall into your store."),
            position=_board(0, 3, 1, 0, 2, 2, 15, 0, 5, 0, 1, 1, 0, 18),
        ),
        Lesson(
            gettext_noop("Two pits earn another turn. Sow the one that leaves you the other."),
            ("6",),
            gettext_noop(
                "The pit nearer to the store first: the other one would have dropped a seed into it."
            ),
            gettext_noop("That loses a turn. Begin next to the store."),
            position=_board(1, 0, 0, 3, 1, 1, 17, 4, 0, 1, 1, 0, 2, 17),
        ),
        Lesson(
            gettext_noop("You can capture in two ways. Take more."),
            ("2",),
            gettext_noop("Four seeds instead of two. Look opposite each of your empty pits before you move."),
            gettext_noop("There is a capture of four seeds."),
            position=_board(3, 1, 0, 2, 0, 0, 20, 1, 0, 0, 3, 2, 0, 16),
        ),
        Lesson(
            gettext_noop("Your fourth pit earns another turn. There is something better."),
            ("2",),
            gettext_noop(
                "The extra turn had to wait: its seeds would have filled the empty pit in which you captured."
            ),
            gettext_noop("Your second pit captures now, and only now."),
            position=_board(3, 3, 0, 3, 0, 4, 14, 0, 3, 1, 0, 0, 2, 15),
        ),
        Lesson(
            gettext_noop(
                "Your opponent’s single seed on the right threatens your pit with 3 seeds. Stop it."
            ),
            ("6",),
            gettext_noop(
                "With another seed, that pit no longer ends in the empty one. A threat needs an exact number."
            ),
            gettext_noop(
                "Another move saves more: the pit next to your store also reaches the one that threatens you."
            ),
            position=_board(1, 1, 2, 4, 3, 2, 16, 1, 0, 2, 0, 1, 2, 13),
        ),
        Lesson(
            gettext_noop("Your opponent’s pit with 4 seeds would earn another turn. Spoil that."),
            ("6",),
            gettext_noop(
                "Now it has 5 seeds, and the last one goes past the store. "
                "One long sowing can spoil several plans."
            ),
            gettext_noop("The pit with 4 seeds still ends in the store. Drop a seed into it."),
            position=_board(2, 1, 0, 2, 1, 4, 15, 2, 1, 4, 0, 3, 0, 13),
        ),
        Lesson(
            gettext_noop("A pit has 13 seeds. What happens if you sow them?"),
            ("4",),
            gettext_noop(
                "Once round, past your opponent’s store, into its own pit, which is empty: a capture."
            ),
            gettext_noop("The large pit is worth more: 13 seeds are exactly one lap."),
            position=_board(1, 1, 1, 13, 0, 0, 15, 0, 0, 1, 1, 1, 1, 13),
        ),
        Lesson(
            gettext_noop("Your opponent has one seed left. Move without giving away another."),
            ("3",),
            gettext_noop("At the end the seeds on your side are yours. Give none to a player who has few."),
            gettext_noop("That brings your opponent new seeds. Stay on your side."),
            position=_board(0, 0, 1, 0, 4, 3, 21, 0, 1, 0, 0, 0, 0, 18),
        ),
        Lesson(
            gettext_noop("You can move six times in a row. How do you begin?"),
            ("6",),
            gettext_noop("As before, the nearest pit comes first."),
            gettext_noop("That makes the chain shorter. Begin next to the store."),
            position=_board(0, 3, 3, 3, 2, 1, 15, 1, 1, 0, 0, 3, 2, 14),
        ),
        Lesson(
            gettext_noop("Which pit comes second?"),
            ("5",),
            gettext_noop("The rest was played for you: seven seeds in one turn, two of them by a capture."),
            gettext_noop("That earns less. The pit with 2 seeds is next."),
            then=("6", "4", "6", "5"),
        ),
    ),
    gettext_noop("Count before you sow: your turns, your captures, then those of your opponent."),
)
