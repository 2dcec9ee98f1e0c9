"""The rules of Can't Stop on plain arrays, compiled, for a player that looks at millions of positions.

A board is seen by the seat on turn. `cones[k, column]` are spaces of the seat k places to its left, so that
row 0 is its own; `owners[column]` is `OPEN`, or that k, or `len(cones)` where the owner has left the match;
`runners[column]` are its runners. All are int64 and indexed by the column itself, as in the rules, against
which the tests hold every function here.

All that is compiled stands in this one file: numba keeps compiled code until the file it is from changes, and
would not notice a change to a function that it calls elsewhere.
"""

# What numba decorates has no types left.
# mypy: disable-error-code="untyped-decorator, no-any-return"

from __future__ import annotations

from itertools import combinations
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from games.rules import cantstop as rules

from .compiler import njit

Array: TypeAlias = np.ndarray[Any, Any]

OPEN = -1
"""The owner of a column that nobody has claimed."""
BOTH = 16
"""A climb is one number: its only column, or `BOTH` times the larger and the smaller of its two."""
WAYS_TO_THROW = rules.DICE.sides**rules.DICE.count
MOST_CLIMBS = 6

LENGTHS = np.array(rules.LENGTHS)
_THROWS = sorted(rules.THROWS.items())
THROWS = len(_THROWS)
"""How many different throws there are."""
WAYS = np.array([ways for _, ways in _THROWS])
"""In how many of the 1,296 ways each of them falls."""
PAIRINGS = np.array(
    [
        [*pairings, *((0, 0),) * (3 - len(pairings))]
        for pairings in (rules.pairings(throw) for throw, _ in _THROWS)
    ]
)
"""int64[THROWS, 3, 2]; the pairings of each throw, the smaller sum first; zeros where two are the same."""
THROW_NUMBERS = {throw: number for number, (throw, _) in enumerate(_THROWS)}
"""The number of each throw, by its faces in rising order."""

TRIPLES = np.array(list(combinations(rules.COLUMNS, 3)))
TRIPLE_NUMBERS = np.zeros((13, 13, 13), np.int64)
TRIPLE_NUMBERS[tuple(TRIPLES.T)] = range(len(TRIPLES))
ROOMS = 27
"""Three columns with no space left, one, or more."""
STEPS = np.array(
    [[1, 0, 0], [0, 1, 0], [0, 0, 1], [2, 0, 0], [0, 2, 0], [0, 0, 2], [1, 1, 0], [1, 0, 1], [0, 1, 1]]
)
"""What a throw can do to three runners."""
_PLAIN = np.arange(2)
"""0 and 1 as arguments: numba compiles a function anew for every number that stands there itself."""


# Loops stand where numpy has a word for it: numba takes ten times as long to compile the word.


@njit(cache=True)
def _fill(row: Array, value: float) -> None:
    for at in range(len(row)):
        row[at] = value


@njit(cache=True)
def _copy(row: Array, to: Array) -> None:
    for at in range(len(row)):
        to[at] = row[at]


@njit(cache=True)
def _sum(one: Array, other: Array, to: Array) -> None:
    for at in range(len(to)):
        to[at] = one[at] + other[at]


@njit(cache=True)
def _add(row: Array, to: Array) -> None:
    for at in range(len(row)):
        to[at] += row[at]


@njit(cache=True)
def runners_out(runners: Array) -> int:
    """How many runners are on the board."""
    out = 0
    for column in range(2, 13):
        if runners[column] > 0:
            out += 1
    return out


@njit(cache=True)
def space(cones: Array, runners: Array, column: int) -> int:
    """Where the seat on turn stands in a column: its runner, or else its cone."""
    return runners[column] if runners[column] > 0 else cones[0, column]


@njit(cache=True)
def _movable(cones: Array, owners: Array, runners: Array, free: int, column: int) -> bool:
    if owners[column] != OPEN or space(cones, runners, column) >= LENGTHS[column]:
        return False
    return runners[column] > 0 or free > 0


@njit(cache=True)
def _barred(runners: Array, strict: bool, column: int) -> bool:
    return strict and runners[column] >= LENGTHS[column]


@njit(cache=True)
def climbs(
    cones: Array, owners: Array, runners: Array, strict: bool, low: int, high: int, found: Array, count: int
) -> int:
    """Add the ways to play one pairing to the first `count` climbs of `found`; returns how many there are."""
    if low == 0 or _barred(runners, strict, low) or _barred(runners, strict, high):
        return count
    free = 3 - runners_out(runners)
    lower = _movable(cones, owners, runners, free, low)
    higher = _movable(cones, owners, runners, free, high)
    if not (lower and higher):
        if lower or higher:
            found[count] = low if lower else high
            count += 1
        return count
    if low == high:
        more = LENGTHS[low] - space(cones, runners, low) > 1
        found[count] = high * BOTH + low if more else low
        return count + 1
    if int(runners[low] == 0) + int(runners[high] == 0) <= free:
        found[count] = high * BOTH + low
        return count + 1
    found[count], found[count + 1] = low, high
    return count + 2


@njit(cache=True)
def legal_climbs(cones: Array, owners: Array, runners: Array, strict: bool, throw: int, found: Array) -> int:
    """Fill `found`, of `MOST_CLIMBS`, with the climbs open after a throw; returns how many there are."""
    count = _PLAIN[0]
    for at in range(3):
        low, high = PAIRINGS[throw, at]
        count = climbs(cones, owners, runners, strict, low, high, found, count)
    return count


@njit(cache=True)
def climb(cones: Array, runners: Array, code: int) -> None:
    """Move the runners."""
    low, high = code % BOTH, code // BOTH
    runners[low] = space(cones, runners, low) + 1
    if high > 0:
        runners[high] = space(cones, runners, high) + 1


@njit(cache=True)
def claims(owners: Array, runners: Array) -> int:
    """How many columns the seat on turn would own if it stopped now."""
    owned = 0
    for column in range(2, 13):
        if owners[column] == 0 or runners[column] == LENGTHS[column]:
            owned += 1
    return owned


@njit(cache=True)
def stop(cones: Array, owners: Array, runners: Array) -> None:
    """Turn the runners into cones and claim the columns they topped."""
    for column in range(2, 13):
        if runners[column] == LENGTHS[column]:
            owners[column] = 0
            for seat in range(len(cones)):
                cones[seat, column] = 0
        elif runners[column] > 0:
            cones[0, column] = runners[column]
        runners[column] = 0


@njit(cache=True)
def pass_on(cones: Array, owners: Array) -> None:
    """See the board from the next seat."""
    seats = len(cones)
    first = cones[0].copy()
    for seat in range(seats - 1):
        _copy(cones[seat + 1], cones[seat])
    _copy(first, cones[seats - 1])
    for column in range(2, 13):
        if 0 <= owners[column] < seats:
            owners[column] = (owners[column] - 1) % seats


@njit(cache=True)
def _steps_of(code: int, triple: Array) -> int:
    """The row of `STEPS` that a climb in these three columns is."""
    low, high = code % BOTH, code // BOTH
    at = 0
    for other in range(3):
        if triple[other] == low:
            at = other
    if high == 0:
        return at
    if high == low:
        return 3 + at
    return 6 + (0 if high == triple[1] else 1 if low == triple[0] else 2)


@njit(cache=True)
def three_runner_table() -> tuple[Array, Array, Array]:
    """What each throw lets three runners do, put together for all throws that let them do the same.

    Returns:
        starts: int32[2 * 165 * 27 + 1]; where the entries begin of a reading (1 strict), three columns
            (`TRIPLE_NUMBERS`) and the room in them, each 0, 1 or 2 for more, the first column's by nines.
        choices: int8[entries, 3]; rows of `STEPS`, the first of which is -1 for a bust; -1 for no more.
        ways: int16[entries]; in how many of the 1,296 ways it falls.
    """
    starts = np.zeros(2 * len(TRIPLES) * ROOMS + 1, np.int32)
    choices = np.zeros((2 * len(TRIPLES) * ROOMS * 40, 3), np.int8)
    ways = np.zeros(len(choices), np.int16)
    cones, owners = np.zeros((1, 13), np.int64), np.zeros(13, np.int64)
    _fill(owners, OPEN)
    found, row = np.zeros(MOST_CLIMBS, np.int64), np.zeros(3, np.int64)
    seen = np.zeros(1000, np.int32)
    entries = 0
    for block in range(2 * len(TRIPLES) * ROOMS):
        triple, room = TRIPLES[block // ROOMS % len(TRIPLES)], block % ROOMS
        runners = np.zeros(13, np.int64)
        for at in range(3):
            runners[triple[2 - at]] = LENGTHS[triple[2 - at]] - room % 3
            room //= 3
        _fill(seen, -1)
        for throw in range(THROWS):
            count = legal_climbs(cones, owners, runners, block >= len(TRIPLES) * ROOMS, throw, found)
            _fill(row, -1)
            for at in range(count):
                row[at] = _steps_of(found[at], triple)
            key = ((row[0] + 1) * 10 + row[1] + 1) * 10 + row[2] + 1
            if seen[key] < 0:
                seen[key] = entries
                _copy(row, choices[entries])
                entries += 1
            ways[seen[key]] += WAYS[throw]
        starts[block + 1] = entries
    return starts, choices[:entries].copy(), ways[:entries].copy()


# The published heuristics


class Heuristic(NamedTuple):
    """Weights; `progress` and `choice` are int64[13], by column.

    Attributes:
        progress: what a space of the turn counts; entering a column counts one space more.
        choice: what a space is worth to a climb.
        odd, even, high, low: added when all three runners are in such columns, 7 being high and low.
        marker: what a climb costs for each runner that it sets.
        threshold: with three runners out, the sum at which to stop.
    """

    progress: Array
    choice: Array
    odd: int
    even: int
    high: int
    low: int
    marker: int
    threshold: int


def _mirrored(*weights: int) -> Array:
    """Weights of the columns 2 to 7, for 12 to 8 as well."""
    return np.array((0, 0, *weights, *weights[-2::-1]))


RULE_OF_28 = Heuristic(_mirrored(6, 5, 4, 3, 2, 1), _mirrored(1, 2, 3, 4, 5, 6), 2, -2, 4, 4, 6, 28)
GLENN_ALOI = Heuristic(_mirrored(7, 7, 3, 2, 2, 1), _mirrored(7, 0, 2, 0, 4, 3), 7, 1, 6, 5, 6, 29)


@njit(cache=True)
def weighed_climb(
    heuristic: Heuristic, cones: Array, owners: Array, runners: Array, strict: bool, throw: int
) -> int:
    """The climb of most weight after a throw, 0 for a bust."""
    found = np.zeros(MOST_CLIMBS, np.int64)
    count = legal_climbs(cones, owners, runners, strict, throw, found)
    best, most = 0, -1000
    for at in range(count):
        low, high = found[at] % BOTH, found[at] // BOTH
        weight = heuristic.choice[low] - heuristic.marker * int(runners[low] == 0)
        if high == low:
            weight = 2 * weight + 2 * heuristic.choice[low]
        elif high > 0:
            weight += heuristic.choice[high] - heuristic.marker * int(runners[high] == 0)
        if weight > most:
            best, most = found[at], weight
    return best


@njit(cache=True)
def has_enough(heuristic: Heuristic, cones: Array, owners: Array, runners: Array) -> bool:
    """Whether to stop: when that wins, or with all runners out and the threshold reached."""
    if claims(owners, runners) >= 3:
        return True
    if runners_out(runners) < 3:
        for column in range(2, 13):
            if runners[column] == 0 and owners[column] == OPEN:
                return False
    weight, odd, high, low = 0, 0, 0, 0
    for column in range(2, 13):
        if runners[column] > 0:
            weight += (runners[column] - cones[0, column] + 1) * heuristic.progress[column]
            odd += column % 2
            high += int(column >= 7)
            low += int(column <= 7)
    weight += heuristic.odd * int(odd == 3) + heuristic.even * int(odd == 0)
    weight += heuristic.high * int(high == 3) + heuristic.low * int(low == 3)
    return weight >= heuristic.threshold


# What a position is worth

# A *share* is what the seat on turn may expect: of the win, or, where it plays alone, the turns it still
# needs with a minus before them. Where more than two play, values are rows of shares by seat.

SEAT_ROWS = int(LENGTHS.sum()) + len(rules.COLUMNS)
_FIRST_ROW = np.cumsum(LENGTHS + 1) - LENGTHS - 3
MOST_POINTS = int(np.prod(np.sort(LENGTHS)[-3:]))
"""The most heights that three runners can have."""
WHOLE_TURN = int(LENGTHS.max())


class Net(NamedTuple):
    """A network with one hidden layer, whose inputs are 0 or 1.

    Attributes:
        rows: float32[`rows_of(seats)`, hidden]; what each input adds to the hidden units: by seat, column
            and space a cone, by column and space a runner, by column a topped runner in the strict
            reading and a column that belongs to no seat, and two that say that it is somebody's turn and
            that the reading is strict.
        out: float32[seats, hidden]; by seat, counted from the one on turn, what a hidden unit is worth.
        bias: float32[seats].
    """

    rows: Array
    out: Array
    bias: Array


class Table(NamedTuple):
    """What `three_runner_table` returns."""

    starts: Array
    choices: Array
    ways: Array


class Scratch(NamedTuple):
    """Where turns with three runners are solved: the one played on in [0], those tried in [1].

    Attributes:
        values: float32[2, MOST_POINTS, shares]; by height of the three runners, the first column's slowest.
        stops: bool[2, MOST_POINTS]; whether to stop there.
        shape: int64[2, 9]; the three columns, the heights they were solved from, and how many of each.
        reach: how many spaces ahead in a column a turn is solved, `WHOLE_TURN` for all.
    """

    values: Array
    stops: Array
    shape: Array
    reach: int


def rows_of(seats: int) -> int:
    """How many inputs a network for so many seats has."""
    return (seats + 1) * SEAT_ROWS + 24


def scratch(seats: int, reach: int = WHOLE_TURN) -> Scratch:
    """Room for solving; for two seats, as for one, the share of the seat on turn tells all."""
    shares = 1 if seats < 3 else seats
    values = np.zeros((2, MOST_POINTS, shares), np.float32)
    return Scratch(values, np.zeros((2, MOST_POINTS), np.bool_), np.zeros((2, 9), np.int64), reach)


@njit(cache=True)
def _cone_row(place: int, column: int, height: int) -> int:
    return place * SEAT_ROWS + _FIRST_ROW[column] + height


@njit(cache=True)
def column_rows(cones: Array, owners: Array, column: int, shift: int, found: Array, count: int) -> int:
    """Add the inputs of a column, seen from seat `shift`, to the first `count` of `found`."""
    seats = len(cones)
    if owners[column] == OPEN:
        for seat in range(seats):
            found[count + seat] = _cone_row((seat - shift) % seats, column, cones[seat, column])
        return count + seats
    if owners[column] < seats:
        found[count] = _cone_row((owners[column] - shift) % seats, column, LENGTHS[column])
    else:
        found[count] = (seats + 1) * SEAT_ROWS + 11 + column - 2
    return count + 1


@njit(cache=True)
def position_rows(cones: Array, owners: Array, runners: Array, strict: bool, shift: int, found: Array) -> int:
    """Fill `found` with the inputs of a position; returns how many there are.

    `shift` 0 is the turn under way. With 1 the next seat is to begin its own, and there are no runners.
    """
    seats = len(cones)
    special = (seats + 1) * SEAT_ROWS
    found[0] = special + 22
    count = 1
    if strict:
        found[count] = special + 23
        count += 1
    for column in range(2, 13):
        count = column_rows(cones, owners, column, shift, found, count)
        if shift == 0 and runners[column] > 0:
            found[count] = _cone_row(seats, column, runners[column])
            count += 1
            if strict and runners[column] == LENGTHS[column]:
                found[count] = special + column - 2
                count += 1
    return count


@njit(cache=True, fastmath=True)
def _read_out(net: Net, hidden: Array, shift: int, shares: Array) -> None:
    """Make hidden units into shares by seat, of which `shares` takes the first ones."""
    seats = len(net.bias)
    if seats == 2:
        # The second seat beats the first by the difference of what they are worth.
        total = net.bias[1] - net.bias[0]
        for unit in range(len(hidden)):
            total += max(hidden[unit], np.float32(0)) * (net.out[1, unit] - net.out[0, unit])
        shares[0] = 1 / (1 + np.exp(-total if shift else total))
        return
    worth = np.empty(seats, np.float32)
    for place in range(seats):
        total = net.bias[place]
        for unit in range(len(hidden)):
            total += max(hidden[unit], np.float32(0)) * net.out[place, unit]
        worth[(place + shift) % seats] = total
    if seats == 1:
        shares[0] = worth[0]
        return
    most = worth[0]
    for seat in range(seats):
        most = max(most, worth[seat])
    total = np.float32(0)
    for seat in range(seats):
        worth[seat] = np.exp(worth[seat] - most)
        total += worth[seat]
    for seat in range(len(shares)):
        shares[seat] = worth[seat] / total


@njit(cache=True, fastmath=True)
def estimate(
    net: Net, cones: Array, owners: Array, runners: Array, strict: bool, shift: int, shares: Array
) -> None:
    """What the network makes of a position before a throw (arguments as in `position_rows`)."""
    found = np.empty(64, np.int64)
    hidden = np.zeros(net.rows.shape[1], np.float32)
    for at in range(position_rows(cones, owners, runners, strict, shift, found)):
        _add(net.rows[found[at]], hidden)
    _read_out(net, hidden, shift, shares)


@njit(cache=True)
def _won(seats: int, shares: Array) -> None:
    """The shares of a match that the seat on turn has just won; alone, it needed this turn."""
    _fill(shares, 0)
    shares[0] = -1 if seats == 1 else 1


@njit(cache=True)
def after_stop(net: Net, cones: Array, owners: Array, runners: Array, strict: bool, shares: Array) -> None:
    """What a position is worth when the turn ends with these runners; none of them for a bust."""
    if claims(owners, runners) >= 3:
        _won(len(cones), shares)
        return
    cones, owners, runners = cones.copy(), owners.copy(), runners.copy()
    stop(cones, owners, runners)
    estimate(net, cones, owners, runners, strict, _PLAIN[1], shares)
    if len(cones) == 1:
        shares[0] -= 1


@njit(cache=True, fastmath=True)
def _stop_parts(net: Net, cones: Array, owners: Array, shape: Array, strict: bool) -> tuple[Array, Array]:
    """Hidden units after a stop, but for three columns, and what these add by column and height."""
    found = np.empty(64, np.int64)
    rest = owners.copy()
    units = net.rows.shape[1]
    hidden, parts = np.zeros(units, np.float32), np.zeros((3, 14, units), np.float32)
    special = (len(cones) + 1) * SEAT_ROWS
    _add(net.rows[special + 22], hidden)
    if strict:
        _add(net.rows[special + 23], hidden)
    for column in range(2, 13):
        if column != shape[0] and column != shape[1] and column != shape[2]:
            for at in range(column_rows(cones, rest, column, _PLAIN[1], found, _PLAIN[0])):
                _add(net.rows[found[at]], hidden)
    below = cones.copy()
    for at in range(3):
        column = shape[at]
        for height in range(shape[3 + at], LENGTHS[column] + 1):
            below[0, column] = height
            if height == LENGTHS[column]:
                rest[column] = 0
            for row in range(column_rows(below, rest, column, _PLAIN[1], found, _PLAIN[0])):
                _add(net.rows[found[row]], parts[at, height])
    return hidden, parts


@njit(cache=True, fastmath=True)
def _rolled(
    table: Table, entry: int, point: int, offsets: Array, values: Array, bust: Array, shares: Array
) -> None:
    """The expectation over a throw by three runners at a point from which all others are solved."""
    _fill(shares, 0)
    for at in range(table.starts[entry], table.starts[entry + 1]):
        part = np.float32(table.ways[at]) / np.float32(WAYS_TO_THROW)
        if table.choices[at, 0] < 0:
            for share in range(len(shares)):
                shares[share] += part * bust[share]
            continue
        best = point + offsets[table.choices[at, 0]]
        for other in range(1, 3):
            if table.choices[at, other] >= 0:
                to = point + offsets[table.choices[at, other]]
                if values[to, 0] > values[best, 0]:
                    best = to
        for share in range(len(shares)):
            shares[share] += part * values[best, share]


@njit(cache=True, fastmath=True)
def solve(
    net: Net,
    table: Table,
    cones: Array,
    owners: Array,
    runners: Array,
    strict: bool,
    room: Scratch,
    slot: int,
) -> None:
    """Play the turn out exactly, for all heights that three runners can still reach.

    Only what a position is worth after the turn is an estimate.
    """
    seats, values, stops, shape = len(cones), room.values[slot], room.stops[slot], room.shape[slot]
    count = 0
    for column in range(2, 13):
        if runners[column] > 0:
            shape[count], shape[3 + count] = column, runners[column]
            shape[6 + count] = min(LENGTHS[column] - runners[column], room.reach) + 1
            count += 1
    hidden, parts = _stop_parts(net, cones, owners, shape, strict)
    owned = 0
    for column in range(2, 13):
        owned += int(owners[column] == 0)
    bust = np.empty(values.shape[1], np.float32)
    stopped, rolled = bust.copy(), bust.copy()
    first, second, third = hidden.copy(), hidden.copy(), hidden.copy()
    after_stop(net, cones, owners, np.zeros(13, np.int64), strict, bust)
    offsets, tops, inner = np.zeros(len(STEPS), np.int64), np.zeros(3, np.int64), np.zeros(3, np.int64)
    for step in range(len(STEPS)):
        offsets[step] = (STEPS[step, 0] * shape[7] + STEPS[step, 1]) * shape[8] + STEPS[step, 2]
    for at in range(3):
        tops[at] = LENGTHS[shape[at]] - shape[3 + at]
        # Where a throw could lead beyond what is solved, the turn is taken to end.
        inner[at] = shape[6 + at] - 2 if tops[at] > room.reach else shape[6 + at]
    block = (int(strict) * len(TRIPLES) + TRIPLE_NUMBERS[shape[0], shape[1], shape[2]]) * ROOMS
    for i in range(shape[6] - 1, -1, -1):
        _sum(hidden, parts[0, shape[3] + i], first)
        for j in range(shape[7] - 1, -1, -1):
            _sum(first, parts[1, shape[4] + j], second)
            for k in range(shape[8] - 1, -1, -1):
                left_i, left_j, left_k = tops[0] - i, tops[1] - j, tops[2] - k
                if owned + int(left_i == 0) + int(left_j == 0) + int(left_k == 0) >= 3:
                    _won(seats, stopped)
                else:
                    _sum(second, parts[2, shape[5] + k], third)
                    _read_out(net, third, _PLAIN[1], stopped)
                    if seats == 1:
                        stopped[0] -= 1
                point = (i * shape[7] + j) * shape[8] + k
                entry = block + min(left_i, 2) * 9 + min(left_j, 2) * 3 + min(left_k, 2)
                within = i < inner[0] and j < inner[1] and k < inner[2]
                if within:
                    _rolled(table, entry, point, offsets, values, bust, rolled)
                stops[point] = not within or stopped[0] >= rolled[0]
                _copy(stopped if stops[point] else rolled, values[point])


@njit(cache=True)
def _point(shape: Array, cones: Array, runners: Array) -> int:
    """Where in a solved turn these runners are."""
    point = 0
    for at in range(3):
        point = point * shape[6 + at] + runners[shape[at]] - shape[3 + at]
    return point


@njit(cache=True)
def _worth(
    net: Net,
    table: Table,
    cones: Array,
    owners: Array,
    runners: Array,
    strict: bool,
    room: Scratch,
    shares: Array,
) -> None:
    """What a position after a climb is worth; with three runners out it is solved in the second slot."""
    if runners_out(runners) == 3:
        solve(net, table, cones, owners, runners, strict, room, _PLAIN[1])
        _copy(room.values[1, 0], shares)
        return
    stopped = shares.copy()
    after_stop(net, cones, owners, runners, strict, stopped)
    estimate(net, cones, owners, runners, strict, _PLAIN[0], shares)
    if stopped[0] >= shares[0]:
        _copy(stopped, shares)


@njit(cache=True)
def _points(shape: Array) -> int:
    return shape[6] * shape[7] * shape[8]


@njit(cache=True)
def _keep(room: Scratch) -> None:
    """Make the turn that was tried the one played on."""
    _copy(room.shape[1], room.shape[0])
    for point in range(_points(room.shape[0])):
        room.stops[0, point] = room.stops[1, point]
        _copy(room.values[1, point], room.values[0, point])


@njit(cache=True)
def best_climb(
    net: Net,
    table: Table,
    cones: Array,
    owners: Array,
    runners: Array,
    strict: bool,
    throw: int,
    room: Scratch,
    shares: Array,
) -> int:
    """The best climb after a throw, 0 for a bust, and in `shares` what it leads to.

    With three runners out before the throw, the turn must be solved in the first slot of `room`; with three
    after it, it is then.
    """
    found = np.zeros(MOST_CLIMBS, np.int64)
    count = legal_climbs(cones, owners, runners, strict, throw, found)
    solved = runners_out(runners) == 3
    best, tried = 0, shares.copy()
    for at in range(count):
        after = runners.copy()
        climb(cones, after, found[at])
        if solved:
            _copy(room.values[0, _point(room.shape[0], cones, after)], tried)
        else:
            _worth(net, table, cones, owners, after, strict, room, tried)
        if best == 0 or tried[0] > shares[0]:
            best = found[at]
            _copy(tried, shares)
            if not solved and runners_out(after) == 3:
                _keep(room)
    if best == 0:
        after_stop(net, cones, owners, np.zeros(13, np.int64), strict, shares)
    return best


@njit(cache=True)
def best_is_stop(net: Net, cones: Array, owners: Array, runners: Array, strict: bool, room: Scratch) -> bool:
    """Whether to stop after a climb; with three runners out the turn must be solved in the first slot."""
    if runners_out(runners) == 3:
        return room.stops[0, _point(room.shape[0], cones, runners)]
    shares = np.zeros(room.values.shape[2], np.float32)
    stopped = shares.copy()
    after_stop(net, cones, owners, runners, strict, stopped)
    estimate(net, cones, owners, runners, strict, _PLAIN[0], shares)
    return stopped[0] >= shares[0]


# A whole turn, solved


class Turn(NamedTuple):
    """Every position of runners that a turn can still come to, solved exactly.

    Attributes:
        values: float32[positions, shares].
        starts: int64[13, 13, 13]; by the columns of the runners, 0 for none and rising, where the values
            begin of all their heights, the first column's slowest; -1 for columns it cannot come to.
        low: int64[13]; the least height of a runner by column.
    """

    values: Array
    starts: Array
    low: Array


@njit(cache=True)
def _columns(runners: Array, found: Array) -> None:
    _fill(found, 0)
    at = 3 - runners_out(runners)
    for column in range(2, 13):
        if runners[column] > 0:
            found[at] = column
            at += 1


@njit(cache=True)
def _at(turn: Turn, runners: Array, columns: Array) -> int:
    """Where these runners, in these columns, are among the values."""
    point = 0
    for column in columns:
        if column > 0:
            point = point * (LENGTHS[column] - turn.low[column] + 1) + runners[column] - turn.low[column]
    return turn.starts[columns[0], columns[1], columns[2]] + point


@njit(cache=True)
def _new_turn(cones: Array, owners: Array, runners: Array, shares: int) -> Turn:
    """An empty `Turn`, with room for all positions that have these runners and no lower ones."""
    low, starts, total = runners.copy(), np.zeros((13, 13, 13), np.int64), 0
    for column in range(13):
        if runners[column] == 0:
            low[column] = cones[0, column] + 1
    out = runners_out(runners)
    for a in range(13):
        for b in range(13):
            for c in range(13):
                starts[a, b, c] = -1
                if (a and b <= a) or (b and c <= b) or a == 1 or b == 1 or c == 1:
                    continue
                size, kept = 1, 0
                for column in (a, b, c):
                    if column > 0:
                        size *= LENGTHS[column] - low[column] + 1 if owners[column] == OPEN else 0
                        kept += int(runners[column] > 0)
                if size > 0 and kept == out:
                    starts[a, b, c] = total
                    total += size
    return Turn(np.zeros((total, shares), np.float32), starts, low)


@njit(cache=True)
def value_of(turn: Turn, runners: Array, shares: Array) -> None:
    """What a position of a solved turn is worth before the choice to throw or to stop."""
    columns = np.zeros(3, np.int64)
    _columns(runners, columns)
    _copy(turn.values[_at(turn, runners, columns)], shares)


@njit(cache=True)
def throw_values(
    net: Net, turn: Turn, cones: Array, owners: Array, runners: Array, strict: bool, values: Array
) -> None:
    """Fill `values`, float64[`THROWS`, shares], with what each throw leads to if the best climb follows."""
    found, columns, bust = np.zeros(MOST_CLIMBS, np.int64), np.zeros(3, np.int64), turn.values[0].copy()
    after_stop(net, cones, owners, np.zeros(13, np.int64), strict, bust)
    for throw in range(THROWS):
        count, best = legal_climbs(cones, owners, runners, strict, throw, found), -1
        for at in range(count):
            after = runners.copy()
            climb(cones, after, found[at])
            _columns(after, columns)
            to = _at(turn, after, columns)
            if best < 0 or turn.values[to, 0] > turn.values[best, 0]:
                best = to
        for share in range(len(bust)):
            values[throw, share] = bust[share] if best < 0 else turn.values[best, share]


@njit(cache=True)
def roll_value(values: Array, shares: Array) -> float:
    """Fill `shares` with the expectation of `throw_values`; returns the standard deviation of the first."""
    square = 0.0
    for share in range(len(shares)):
        total = 0.0
        for throw in range(THROWS):
            total += WAYS[throw] * values[throw, share]
        shares[share] = total / WAYS_TO_THROW
    for throw in range(THROWS):
        square += WAYS[throw] * (values[throw, 0] - shares[0]) ** 2
    return (square / WAYS_TO_THROW) ** 0.5


@njit(cache=True)
def _solve_columns(
    net: Net, turn: Turn, cones: Array, owners: Array, runners: Array, columns: Array, strict: bool
) -> None:
    """Solve all heights of one or two runners, or none, where those of more runners are solved."""
    here, values = runners.copy(), np.zeros((THROWS, turn.values.shape[1]))
    stopped, rolled = turn.values[0].copy(), turn.values[0].copy()
    b, c = columns[1], columns[2]
    for first in range(LENGTHS[b] if b else 0, turn.low[b] - 1 if b else -1, -1):
        for second in range(LENGTHS[c] if c else 0, turn.low[c] - 1 if c else -1, -1):
            _fill(here, 0)
            here[b], here[c] = first, second
            throw_values(net, turn, cones, owners, here, strict, values)
            roll_value(values, rolled)
            if c:
                after_stop(net, cones, owners, here, strict, stopped)
                if stopped[0] >= rolled[0]:
                    _copy(stopped, rolled)
            _copy(rolled, turn.values[_at(turn, here, columns)])


@njit(cache=True)
def solve_turn(
    net: Net, table: Table, cones: Array, owners: Array, runners: Array, strict: bool, room: Scratch
) -> Turn:
    """Solve the turn under way from where its runners are; only the network's word for its end is a guess."""
    turn = _new_turn(cones, owners, runners, room.values.shape[2])
    columns, here = np.zeros(3, np.int64), np.zeros(13, np.int64)
    for number in range(len(TRIPLES)):
        _copy(TRIPLES[number], columns)
        start = turn.starts[columns[0], columns[1], columns[2]]
        if start >= 0:
            _fill(here, 0)
            for column in columns:
                here[column] = turn.low[column]
            solve(net, table, cones, owners, here, strict, room, _PLAIN[1])
            for point in range(_points(room.shape[1])):
                _copy(room.values[1, point], turn.values[start + point])
    # More runners first, and no runner last of all: each stage looks up the one before it.
    for first in range(12, -1, -1):
        for second in range(12, -1, -1):
            if turn.starts[0, first, second] >= 0:
                columns[0], columns[1], columns[2] = 0, first, second
                _solve_columns(net, turn, cones, owners, runners, columns, strict)
    return turn
