"""How well the computer plays Can't Stop: alone, level against level, and at a table of three or four."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor

from games.bots.cantstop_levels import LEVELS

from .cantstop_matches import BEST, CARELESS, GLENN, KELLER, all_cores, shared_out
from .figures import Figure, share

TURNS_ALONE = {KELLER: 10.7, GLENN: 9.25}
"""What was published of the heuristics."""
BEST_PUBLISHED = 8.787
"""The turns of the best heuristic that was published. This is not the fewest possible."""
NEAR = 0.15
"""How near to what was published a measured number of turns is."""
LEAST_STEP = 0.55
"""The share of each level against the one below."""
PUBLISHED = "published"
READINGS = {PUBLISHED: False, "strict": True}


def measure(part: float) -> Iterator[Figure]:
    """All figures, over this part of their games."""
    with all_cores() as pool:
        for level, published in TURNS_ALONE.items():
            found, games = _alone(pool, level, part)
            yield _turns(level, games, found, f"about {published}", abs(found - published) < NEAR)
        found, games = _alone(pool, BEST, part)
        # No table has one seat, so matches never use this network.
        what = f"the network for one seat, which no table uses, {PUBLISHED}"
        goal = f"under {BEST_PUBLISHED}, the best published heuristic"
        yield Figure(what, games, f"{found:.2f} turns", goal, found < BEST_PUBLISHED)
        for better in range(CARELESS + 1, BEST + 1):
            for reading in READINGS:
                yield _against(pool, (better, better - 1), reading, part, LEAST_STEP)
        for seats in (3, 4):
            for reading in READINGS:
                yield _against(pool, (BEST, *[GLENN] * (seats - 1)), reading, part, 1 / seats)


def _alone(pool: Executor, level: int, part: float) -> tuple[float, int]:
    """The turns it takes to claim three columns with nobody else at the table, and over how many games."""
    _, turns, games = shared_out(pool, (level,), round(100_000 * part))
    return turns / games, games


def _turns(level: int, games: int, found: float, goal: str, met: bool) -> Figure:
    return Figure(f"{_name(level)} alone, {PUBLISHED}", games, f"{found:.2f} turns", goal, met)


def _against(pool: Executor, levels: tuple[int, ...], reading: str, part: float, least: float) -> Figure:
    """The share of the first level at a table with the others, each sitting everywhere by turns."""
    wins, _, games = shared_out(pool, levels, round(20_000 * part), READINGS[reading])
    others = f"{len(levels) - 1} × " if len(levels) > 2 else ""
    what = f"{_name(levels[0])} against {others}{_name(levels[1])}, {reading}"
    goal = f"at least {least:.0%}" if len(levels) == 2 else f"over {least:.0%}"
    return Figure(what, games, share(wins, games), goal, wins / games >= least)


def _name(level: int) -> str:
    return f"level {level} ({LEVELS[level - 1].name})"
