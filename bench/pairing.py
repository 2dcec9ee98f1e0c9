"""Time of one pairing by the formats of tournaments: `python -m bench.pairing`.

An arena of 1,000 players who all wait in each of 20 waves, and the rounds of a Swiss. Results are made up by
chance; times are processor time of one process.
"""

from __future__ import annotations

import random
import time

from lobby.tournaments.formats.base import Options, Pairing, Player
from lobby.tournaments.formats.registry import FORMATS

ARENA = 1_000
ROUNDS = 20
SWISS = (30, 100, 200)
SWISS_ROUNDS = 7


def played(new: tuple[Pairing, ...], already: int, chance: random.Random) -> list[Pairing]:
    """The pairings with results."""
    found = []
    for order, pairing in enumerate(new, already + 1):
        points = chance.choice(((1.0, 0.0), (0.0, 1.0), (0.5, 0.5)))
        told = points if len(pairing.seats) == 2 else pairing.points
        found.append(
            Pairing(pairing.round, pairing.table, pairing.seats, pairing.kind, 0, pairing.reason, told, order)
        )
    return found


def milliseconds(options: Options, count: int, rounds: int) -> list[float]:
    """Processor time of the pairing of each round."""
    chance = random.Random(1)
    form = FORMATS[options.format]
    players = [Player(number, number) for number in range(1, count + 1)]
    waiting = [player.id for player in players]
    pairings: list[Pairing] = []
    times = []
    for _round in range(rounds):
        started = time.process_time()
        new = form.pair(players, pairings, options, waiting)
        times.append((time.process_time() - started) * 1000)
        pairings += played(new, len(pairings), chance)
    return times


def main() -> None:
    """Print the table of docs/explanation/performance.md."""
    print("| pairing | last round, CPU ms | dearest round, CPU ms |\n|---|---|---|")
    arena = milliseconds(Options("arena"), ARENA, ROUNDS)
    print(f"| arena, {ARENA:,} players, wave {ROUNDS} | {arena[-1]:.0f} | {max(arena):.0f} |", flush=True)
    for count in SWISS:
        times = milliseconds(Options("swiss", rounds=SWISS_ROUNDS), count, SWISS_ROUNDS)
        print(
            f"| Swiss, {count} players, {SWISS_ROUNDS} rounds | {times[-1]:.0f} | {max(times):.0f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
