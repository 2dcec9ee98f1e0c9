"""How far exact endings of Can't Stop for two would reach.

    python -m bench.strength.cantstop_races

plays level 4 against the network for one seat, which knows of its opponent only the columns claimed. A *race*
begins when both have claimed two columns. From then on no column closes before the match ends, so its
positions are all pairs of what the one and what the other may still come to.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, combinations
from math import prod

import numpy as np

from games.bots import cantstop_net
from games.bots.cantstop_kernel import (
    LENGTHS,
    OPEN,
    Array,
    Net,
    Scratch,
    Table,
    pass_on,
    scratch,
    three_runner_table,
)
from games.rules.cantstop import TO_WIN

from .cantstop_matches import BEST, _turn
from .figures import share
from .train_cantstop import seed

GAMES = 2_000
LIMITS = (10**6, 4 * 10**7, 10**8, 10**9, 10**10)
"""Positions of a race; a table of 20 MB holds 40 million values of half a byte."""
TOPS = LENGTHS[2:].tolist()
OPEN_COLUMNS = len(TOPS) - 2 * (TO_WIN - 1)


def main() -> None:
    seed(1)
    matches = list(played(GAMES))
    races = [race for race, _ in matches if race]
    left = np.stack([each for race in races for each in race])
    won = sum(wins for _, wins in matches), sum(wins for race, wins in matches if race)
    print(f"level 4 won {share(won[0], GAMES)} of {GAMES:,} matches")
    print(f"and {share(won[1], len(races))} of the {len(races)} races")
    positions = left.astype(float).prod(axis=1)
    print(f"a race can come to {np.median(positions):.1e} positions (median of {len(positions)} turns)")
    for limit in LIMITS:
        few = sum(any(each.astype(float).prod() <= limit for each in race) for race in races) / GAMES
        part = (positions <= limit).mean()
        print(f"to {limit:.0e} at most: {part:.2%} of these turns, in {few:.2%} of the matches")
    counts = by_steps()
    most = max(steps for steps, count in enumerate(counts) if count <= LIMITS[1])
    print(f"of all {counts[-1]:.1e} positions, {counts[most]:.1e} have up to {most} steps left")
    print(f"these have {left.sum(axis=1).min()} or more")
    single = sum(prod(columns) for columns in combinations(TOPS, OPEN_COLUMNS))
    print(f"one player alone has {single:.1e}")


def played(games: int) -> Iterator[tuple[list[Array], bool]]:
    """The races of matches, by turns the steps left of both to the tops, and whether level 4 won."""
    table = Table(*three_runner_table())
    nets, rooms = (cantstop_net.load(2), cantstop_net.load(1)), (scratch(2), scratch(1))
    for number in range(games):
        cones, owners = np.zeros((2, 13), np.int64), np.full(13, OPEN)
        race, won, turn = [], False, number % 2 - 1
        while not won:
            turn += 1
            is_open = owners[2:] == OPEN
            if all((owners == seat).sum() == TO_WIN - 1 for seat in range(2)):
                race.append((LENGTHS[2:] - cones[:, 2:])[:, is_open].ravel())
            if turn % 2:
                won = alone(nets[1], table, rooms[1], cones, owners)
            else:
                won = _turn(BEST, nets[0], table, rooms[0], cones, owners, False)
            pass_on(cones, owners)
        yield race, turn % 2 == 0


def alone(net: Net, table: Table, room: Scratch, cones: Array, owners: Array) -> bool:
    """A turn of the network for one seat; returns whether it won the match."""
    mine, seen = cones[:1].copy(), np.minimum(owners, 1)
    won = _turn(BEST, net, table, room, mine, seen, False)
    owners[(seen == 0) & (owners == OPEN)] = 0
    cones[0] = mine[0]
    cones[1, owners == 0] = 0
    return bool(won)


def by_steps() -> list[int]:
    """How many positions of races there are, by the steps left to all tops, of both players, or fewer."""
    positions = [0] * (2 * sum(TOPS) + 1)
    for columns in combinations(TOPS, OPEN_COLUMNS):
        ways = [1]
        for length in (*columns, *columns):
            ways = np.convolve(ways, [0] + [1] * length).tolist()
        for steps, count in enumerate(ways):
            positions[steps] += count
    return list(accumulate(positions))


if __name__ == "__main__":
    main()
