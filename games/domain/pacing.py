"""How a computer player behaves beside its moves: how long it takes, and what it thinks of a draw. Pure."""

from __future__ import annotations

from random import Random

from games.bots.base import Evaluation
from games.domain.clock import SECOND
from games.rules.base import Seat

SHORTEST, LONGEST, USUAL = 0.4, 2.0, 0.8
"""Seconds between the turn and the move, as a person who knows the game would take."""
HURRY = 30 * SECOND
"""Milliseconds on the clock below which less work goes into each move."""
LEAST_EFFORT = 0.005
PART_OF_THE_CLOCK = 1 / 40
"""Of the time that is left, what a pause may take."""

LONG_GAME = 60
"""Plies before which a computer player neither offers a draw nor takes one that is not proved."""
BETWEEN_OFFERS = 20
LEVEL = 0.05
"""How far from a half a share may be in a position that is called level."""
LOST = 0.2
"""The share below which somebody who is offered a draw is glad of it."""


def seed_of_a_choice(match_id: str, ply: int) -> str:
    """What the chance of a computer player that moves after ply `ply` is made from; always the same."""
    return f"{match_id}.{ply}"


def dice_of_a_choice(match_id: str, ply: int) -> Random:
    """The chance with which a computer player chose its move after ply `ply`."""
    # The position is no secret, so neither is what is made of it.
    return Random(seed_of_a_choice(match_id, ply))  # noqa: S311


def pause(rng: Random, left: int | None) -> float:
    """Seconds after which a move is played, `left` being the milliseconds on the clock, if there is one."""
    seconds = rng.triangular(SHORTEST, LONGEST, USUAL)
    return seconds if left is None else min(seconds, left / SECOND * PART_OF_THE_CLOCK)


def effort(left: int | None) -> float:
    """The part of the usual work that there is time for (`games.bots.base.Player.choose`)."""
    return 1.0 if left is None else min(1.0, max(LEAST_EFFORT, left / HURRY))


def offers_now(ply: int) -> bool:
    """Whether a draw may be offered after so many plies, so that nobody is asked again and again."""
    return ply >= LONG_GAME and ply % BETWEEN_OFFERS in (0, 1)


def offers_draw(look: Evaluation, seat: Seat) -> bool:
    """Whether nobody seems to have anything left to play for."""
    return abs(look.shares[seat] - 1 / 2) <= LEVEL


def accepts_draw(look: Evaluation, seat: Seat, ply: int) -> bool:
    """Whether a draw is no worse than what is to be expected."""
    share = look.shares[seat]
    if look.proved:
        return share <= 1 / 2
    return share <= (1 / 2 + LEVEL if ply >= LONG_GAME else LOST)
