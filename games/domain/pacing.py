"""Thinking time and draw decisions of computer players. Pure."""

from __future__ import annotations

from random import Random

from games.bots.base import Evaluation
from games.domain.clock import SECOND
from games.rules.base import Seat

SHORTEST, LONGEST, USUAL = 0.4, 2.0, 0.8
"""Seconds a computer player takes for a move, like an experienced human player."""
HURRY = 30 * SECOND
"""Milliseconds on the clock below which it computes less per move."""
LEAST_EFFORT = 0.005
PART_OF_THE_CLOCK = 1 / 40
"""The largest part of the remaining time that a pause may take."""

LONG_GAME = 60
"""Plies before which it neither offers nor accepts a draw, unless the draw is proved."""
BETWEEN_OFFERS = 20
LEVEL = 0.05
"""Largest distance of the winning chances from a half in a level position."""
LOST = 0.2
"""Winning chances below which a player would be glad of a draw."""


def seed_of_a_choice(match_id: str, ply: int) -> str:
    """The random seed of a computer player's move after ply `ply`; always the same."""
    return f"{match_id}.{ply}"


def dice_of_a_choice(match_id: str, ply: int) -> Random:
    """The random generator of a computer player's move after ply `ply`."""
    # Not security-relevant: the position is no secret, so its moves need not be either.
    return Random(seed_of_a_choice(match_id, ply))  # noqa: S311


def pause(rng: Random, left: int | None) -> float:
    """Seconds until a move is played. `left` is the remaining time in milliseconds, None without a clock."""
    seconds = rng.triangular(SHORTEST, LONGEST, USUAL)
    return seconds if left is None else min(seconds, left / SECOND * PART_OF_THE_CLOCK)


def effort(left: int | None) -> float:
    """The share of the usual computation there is time for (`games.bots.base.Player.choose`)."""
    return 1.0 if left is None else min(1.0, max(LEAST_EFFORT, left / HURRY))


def offers_now(ply: int) -> bool:
    """Whether a draw may be offered after so many plies, so that offers are rare."""
    return ply >= LONG_GAME and ply % BETWEEN_OFFERS in (0, 1)


def offers_draw(look: Evaluation, seat: Seat) -> bool:
    """Whether the position is so level that neither side has much to play for."""
    return abs(look.shares[seat] - 1 / 2) <= LEVEL


def accepts_draw(look: Evaluation, seat: Seat, ply: int) -> bool:
    """Whether a draw is no worse than the expected result."""
    share = look.shares[seat]
    if look.proved:
        return share <= 1 / 2
    return share <= (1 / 2 + LEVEL if ply >= LONG_GAME else LOST)
