"""The levels on which the computer plays Kalah, the weakest first."""

from functools import partial
from random import Random

from games.bots.base import NO_OTHER, Level
from games.rules.base import gettext_noop
from games.rules.kalah import Move, State, legal_moves, play, stores

SLIPS_OF_THE_FIRST = 0.8
"""How often the first level sows from any pit, from 0 to 1."""


def lead_after(state: State, move: Move | None = None) -> int:
    """By how many seeds the store of the seat on turn is ahead of the other, after its move or before any."""
    after = stores(state if move is None else play(state, move).state)
    return after[state.turn] - after[1 - state.turn]


def greedily(slips: float, state: State, rng: Random) -> Move:
    """The move that takes the most seeds, or any one, with the chance `slips`."""
    moves = legal_moves(state)
    if len(moves) == 1:
        return moves[0]
    if rng.random() < slips:
        return rng.choice(moves)
    leads = [lead_after(state, move) for move in moves]
    return rng.choice([move for move, lead in zip(moves, leads, strict=True) if lead == max(leads)])


LEVELS = (
    Level(
        gettext_noop("Sprout"),
        gettext_noop("Plays at random, and sometimes takes seeds."),
        choose=partial(greedily, SLIPS_OF_THE_FIRST),
    ),
    Level(
        gettext_noop("Clover"),
        gettext_noop("Takes the most seeds it can, about half the time."),
        choose=partial(greedily, 0.5),
    ),
    Level(gettext_noop("Hazel"), gettext_noop("Considers your reply, but often forgets to.")),
    Level(gettext_noop("Rowan"), gettext_noop("Considers your reply, and rarely forgets to.")),
    Level(gettext_noop("Alder"), gettext_noop("Looks ahead to its next turn, and rarely makes mistakes.")),
    Level(gettext_noop("Linden"), gettext_noop("Looks four turns ahead, and almost never makes mistakes.")),
    Level(gettext_noop("Oak"), gettext_noop("Looks five turns ahead, and may give away a single seed.")),
    Level(
        gettext_noop("Sequoia"), gettext_noop("Looks as far ahead as it can, often to the end of the game.")
    ),
)


def why(state: State, move: Move, rng: Random) -> str:
    """What made the first level move (`games.bots.base.Why`)."""
    moves = legal_moves(state)
    if len(moves) == 1:
        return NO_OTHER
    if rng.random() < SLIPS_OF_THE_FIRST:
        return gettext_noop("At random: four times out of five it plays without counting seeds.")
    if lead_after(state, move) > lead_after(state):
        return gettext_noop("It counted the seeds each move wins. No move wins more than this one.")
    return gettext_noop("It counted the seeds each move wins. No move wins any, so it chose one at random.")
