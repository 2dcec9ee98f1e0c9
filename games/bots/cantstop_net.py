"""What positions of Can't Stop are worth, as it was learned: the networks in the files beside this one.

`cantstop_1.txt` is for somebody who plays alone, the others for two to four seats. Each line holds weights in
thousandths: first one for each input (`games.bots.cantstop_kernel.Net`), then one for each seat, then one of
all biases. The board is symmetrical, so only half of the hidden units are written down: the others see it in
a mirror. `bench.strength.train_cantstop` writes them.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np

from games.rules import cantstop as rules

from .cantstop_kernel import LENGTHS, SEAT_ROWS, Array, Net

UNIT = 1000


def path(seats: int) -> Path:
    """The file of the network for so many seats."""
    return Path(__file__).with_name(f"cantstop_{seats}.txt")


@cache
def load(seats: int) -> Net:
    """The network for so many seats."""
    lines = [line for line in path(seats).read_text().splitlines() if not line.startswith("#")]
    weights = [np.array(line.split(), np.float32) / UNIT for line in lines]
    return whole(np.stack(weights[: -seats - 1]), np.stack(weights[-seats - 1 : -1]), weights[-1])


def save(seats: int, parts: tuple[Array, Array, Array]) -> None:
    """Write down the rows, outs and biases of half the hidden units."""
    rows, out, bias = parts
    lines = [" ".join(str(round(float(weight) * UNIT)) for weight in line) for line in (*rows, *out, bias)]
    head = f"# Can't Stop, {seats} seats: see cantstop_net.py; written by bench.strength.train_cantstop"
    path(seats).write_text("\n".join((head, *lines)) + "\n")


def whole(rows: Array, out: Array, bias: Array) -> Net:
    """The network of half the hidden units and their mirror images."""
    mirrored = np.hstack((rows, rows[mirror(len(bias))]))
    return Net(np.ascontiguousarray(mirrored), np.hstack((out, out)), bias.copy())


@cache
def mirror(seats: int) -> Array:
    """int64[inputs]; for each input the one that says the same of the column opposite."""
    spaces = [(column, space) for column in rules.COLUMNS for space in range(LENGTHS[column] + 1)]
    opposite = [spaces.index((14 - column, space)) for column, space in spaces]
    of_seats = [seat * SEAT_ROWS + row for seat in range(seats + 1) for row in opposite]
    special = (seats + 1) * SEAT_ROWS
    topped = [special + row for row in range(10, -1, -1)]
    strangers = [special + 11 + row for row in range(10, -1, -1)]
    return np.array((*of_seats, *topped, *strangers, special + 22, special + 23))
