"""Glicko-2, pure functions.

Source: Mark E. Glickman, "Example of the Glicko-2 system" (Boston University, 2013),
http://www.glicko.net/glicko/glicko2.pdf. The steps named below are that paper's.

Glickman rates whole rating periods. Here every match is rated as it ends, so it stands for the fraction
of a period since the player's last match: step 6 adds only that fraction of the variance.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log, pi, sqrt
from typing import NamedTuple

SCALE = 173.7178
"""Rating points per unit of the internal scale (step 2)."""
AVERAGE = 1500.0
TAU = 0.5
"""Limits changes of the volatility. Glickman advises 0.3 to 1.2; his example uses this value."""
LEAST_DEVIATION, MOST_DEVIATION = 30.0, 350.0
"""Below 30 a rating would hardly change any more (Glickman on Glicko-1); 350 is a new player's."""
MOST_VOLATILITY = 0.2
"""Three times the usual value. After a very unlikely loss step 5 has a second solution, hundreds of times
as large, which would ruin the rating.
"""
PRECISION = 1e-6


class Strength(NamedTuple):
    """Rating and deviation on the usual scale, and the volatility."""

    rating: float = AVERAGE
    deviation: float = MOST_DEVIATION
    volatility: float = 0.06


def aged(player: Strength, periods: float) -> Strength:
    """The player after `periods` rating periods (may be fractional) without a match: the deviation grows."""
    deviation = sqrt(player.deviation**2 + periods * (player.volatility * SCALE) ** 2)
    return player._replace(deviation=min(deviation, MOST_DEVIATION))


def rate(player: Strength, games: Sequence[tuple[Strength, float]], periods: float = 1.0) -> Strength:
    """The player after `games`, at least one.

    Args:
        player: as of the end of their last match.
        games: opponents as of now, each with the player's score: 1 won, 0.5 drawn, 0 lost.
        periods: rating periods since the player's last match.
    """
    mu, phi = (player.rating - AVERAGE) / SCALE, player.deviation / SCALE
    certainty = surprise = 0.0  # step 3: 1/v; step 4: delta/v
    for other, score in games:
        weight = 1 / sqrt(1 + 3 * (other.deviation / SCALE / pi) ** 2)
        expected = 1 / (1 + exp(-weight * (mu - (other.rating - AVERAGE) / SCALE)))
        certainty += weight**2 * expected * (1 - expected)
        surprise += weight * (score - expected)
    volatility = _volatility(player.volatility, phi, 1 / certainty, surprise / certainty)
    variance = 1 / (1 / (phi**2 + periods * volatility**2) + certainty)  # steps 6 and 7
    deviation = min(max(SCALE * sqrt(variance), LEAST_DEVIATION), MOST_DEVIATION)
    return Strength(player.rating + SCALE * variance * surprise, deviation, volatility)


def _volatility(sigma: float, phi: float, v: float, delta: float) -> float:
    """Step 5: the new volatility, by the Illinois algorithm."""
    start = log(sigma**2)

    def slope(x: float) -> float:
        total = phi**2 + v + exp(x)
        return exp(x) * (delta**2 - total) / (2 * total**2) - (x - start) / TAU**2

    left, right = start, start - TAU
    if delta**2 > phi**2 + v:
        right = min(log(delta**2 - phi**2 - v), log(MOST_VOLATILITY**2))
        if slope(left) > 0 and slope(right) >= 0:
            return MOST_VOLATILITY
    else:
        while slope(right) < 0:
            right -= TAU
    at_left, at_right = slope(left), slope(right)
    while abs(right - left) > PRECISION:
        middle = left + (left - right) * at_left / (at_right - at_left)
        at_middle = slope(middle)
        if at_middle * at_right <= 0:
            left, at_left = right, at_right
        else:
            at_left /= 2
        right, at_right = middle, at_middle
    return exp(left / 2)
