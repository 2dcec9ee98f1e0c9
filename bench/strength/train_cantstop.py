"""Learn what positions of Can't Stop are worth, by playing against itself, and write it down.

    python -m bench.strength.train_cantstop 2

plays matches of two seats in both readings from a fixed seed and writes games/bots/cantstop_2.txt, within
minutes on one core. The same machine writes the same file again. The learning is TD(lambda): what a position
is worth before a throw approaches what its turn led to, solved exactly from the third runner on, mixed with
what the match led to afterwards. Lambda falls to nothing while the steps (of Adam) become smaller.
"""

from __future__ import annotations

import argparse
from time import perf_counter

import numpy as np

from games.bots import cantstop_net
from games.bots.cantstop_kernel import (
    OPEN,
    WAYS,
    Net,
    Table,
    best_climb,
    best_is_stop,
    claims,
    climb,
    pass_on,
    position_rows,
    runners_out,
    scratch,
    stop,
    three_runner_table,
)
from games.bots.compiler import njit

HIDDEN = {1: 16, 2: 16, 3: 12, 4: 12}
"""Hidden units by number of seats, each counted once with its mirror image."""
GAMES = {1: 60_000, 2: 50_000, 3: 16_000, 4: 12_000}
GAMES_A_ROUND = 100
BATCH = 64
REACH = 6
"""Spaces ahead in a column for which a turn is solved; further ones are too rare to learn much from."""
MOST_SAMPLES = 1200
"""Positions of a match that are learned from."""
ODD_STARTS = 0.15
"""The part of the matches that begin with columns that belong to somebody who has left."""
_SUMMED_WAYS = np.cumsum(WAYS)


@njit
def seed(number):
    """Begin the chances of compiled code anew."""
    np.random.seed(number)


@njit
def throw_dice():
    """The number of a throw."""
    return np.searchsorted(_SUMMED_WAYS, np.random.randint(0, 1296), side="right")


@njit
def match(net, table, room, strict, seats, lam, rows, counts, targets):
    """Play one match; returns how many samples it filled in."""
    cones, owners = np.zeros((seats, 13), np.int64), np.full(13, OPEN)
    if np.random.random() < ODD_STARTS:
        for _ in range(np.random.randint(1, 4)):
            owners[np.random.randint(2, 13)] = seats
    runners = np.zeros(13, np.int64)
    shares = np.zeros(room.values.shape[2], np.float32)
    turn_of, value_of = np.zeros(MOST_SAMPLES, np.int64), np.zeros((MOST_SAMPLES, seats), np.float32)
    samples = turn = 0
    over = False
    while not over and samples < MOST_SAMPLES - 40:
        runners[:] = 0
        while True:
            if runners_out(runners) < 3:
                counts[samples] = position_rows(cones, owners, runners, strict, 0, rows[samples])
                turn_of[samples] = turn
                samples += 1
            solved = runners_out(runners) == 3
            code = best_climb(net, table, cones, owners, runners, strict, throw_dice(), room, shares)
            if not solved:
                value = shares.copy()
            if code == 0:
                runners[:] = 0
                break
            climb(cones, runners, code)
            if best_is_stop(net, cones, owners, runners, strict, room):
                over = claims(owners, runners) >= 3
                stop(cones, owners, runners)
                break
        for seat in range(seats):
            value_of[turn, (turn + seat) % seats] = value[min(seat, len(value) - 1)]
        if seats == 2:
            value_of[turn, (turn + 1) % 2] = 1 - value[0]
        turn += 1
        pass_on(cones, owners)
    outcome = np.zeros(seats)
    if over and seats > 1:
        outcome[(turn - 1) % seats] = 1
    elif not over:
        outcome[:] = value_of[turn - 1]
    for at in range(turn - 1, -1, -1):
        if seats == 1:
            outcome -= 1
        outcome = (1 - lam) * value_of[at] + lam * outcome
        value_of[at] = outcome
    for at in range(samples):
        for place in range(seats):
            targets[at, place] = value_of[turn_of[at], (turn_of[at] + place) % seats]
    return samples


@njit
def play(net, table, room, seats, lam, games, rows, counts, targets):
    """Play some matches, in the two readings by turns; returns how many samples they filled in."""
    filled = 0
    for game in range(games):
        filled += match(
            net, table, room, game % 2 == 1, seats, lam, rows[filled:], counts[filled:], targets[filled:]
        )
    return filled


@njit(fastmath=True)
def gradients(net, rows, count, target, to_rows, to_out, to_bias):
    """Add the gradients of one sample; returns its loss."""
    units, seats = net.rows.shape[1], len(net.bias)
    hidden = np.zeros(units, np.float32)
    for at in range(count):
        hidden += net.rows[rows[at]]
    worth = net.bias.copy()
    for place in range(seats):
        for unit in range(units):
            worth[place] += net.out[place, unit] * max(hidden[unit], np.float32(0))
    if seats > 1:
        worth = np.exp(worth - worth.max())
        worth /= worth.sum()
    error = worth - target
    slope = np.zeros(units, np.float32)
    for place in range(seats):
        to_bias[place] += error[place]
        for unit in range(units):
            if hidden[unit] > 0:
                to_out[place, unit] += error[place] * hidden[unit]
                slope[unit] += error[place] * net.out[place, unit]
    for at in range(count):
        to_rows[rows[at]] += slope
    return (error**2).sum()


@njit(fastmath=True)
def adam(weights, gradient, first, second, rate, step):
    """One step of Adam on flat arrays."""
    for at in range(len(weights)):
        first[at] = 0.9 * first[at] + 0.1 * gradient[at]
        second[at] = 0.999 * second[at] + 0.001 * gradient[at] ** 2
        mean = first[at] / (1 - 0.9**step)
        weights[at] -= rate * mean / (np.sqrt(second[at] / (1 - 0.999**step)) + 1e-8)


class Learner:
    """The weights under way, half of them: the others are their mirror images."""

    def __init__(self, seats: int) -> None:
        rng, half = np.random.default_rng(seats), HIDDEN[seats]
        inputs = cantstop_net.mirror(seats)
        self.mirror = inputs
        self.rows = rng.normal(0, 0.1, (len(inputs), half)).astype(np.float32)
        self.out = rng.normal(0, 0.3, (seats, half)).astype(np.float32)
        self.bias = np.full(seats, -9 if seats == 1 else 0, np.float32)
        self.moments = [(np.zeros(part.size), np.zeros(part.size)) for part in self.parts]
        self.steps = 0

    @property
    def parts(self):
        return self.rows, self.out, self.bias

    def net(self) -> Net:
        return cantstop_net.whole(*self.parts)

    def learn(self, rows, counts, targets, rate: float) -> float:
        """One step on a batch; returns the mean squared error."""
        net, half = self.net(), self.rows.shape[1]
        sums = [np.zeros_like(part) for part in net]
        loss = batch_gradients(net, rows, counts, targets, *sums)
        whole_rows, whole_out, bias = sums
        by_half = whole_rows[:, :half] + whole_rows[self.mirror][:, half:]
        self.steps += 1
        for part, gradient, moments in zip(
            self.parts,
            (by_half, whole_out[:, :half] + whole_out[:, half:], bias),
            self.moments,
            strict=True,
        ):
            flat = np.ascontiguousarray(gradient).ravel() / len(rows)
            adam(part.ravel(), flat, *moments, rate, self.steps)
        return loss / len(rows)


@njit
def batch_gradients(net, rows, counts, targets, to_rows, to_out, to_bias):
    loss = 0.0
    for at in range(len(rows)):
        loss += gradients(net, rows[at], counts[at], targets[at], to_rows, to_out, to_bias)
    return loss


def train(seats: int, games: int) -> Learner:
    """Play and learn; tells now and then how it goes."""
    learner, table, room = Learner(seats), Table(*three_runner_table()), scratch(seats, REACH)
    rng = np.random.default_rng(seats)
    seed(seats)
    most = GAMES_A_ROUND * MOST_SAMPLES
    rows = np.zeros((most, 64), np.int64)
    counts, targets = np.zeros(most, np.int64), np.zeros((most, seats), np.float32)
    began, rounds = perf_counter(), games // GAMES_A_ROUND
    for number in range(rounds):
        done = number / rounds
        lam, rate = max(0.0, 0.8 - 1.2 * done), 0.003 * 0.02**done
        filled = play(learner.net(), table, room, seats, lam, GAMES_A_ROUND, rows, counts, targets)
        order = rng.permutation(filled)
        losses = [
            learner.learn(rows[part], counts[part], targets[part], rate)
            for part in np.array_split(order, max(1, filled // BATCH))
        ]
        if number % max(1, rounds // 50) == 0:
            told = f"{done:4.0%} {perf_counter() - began:5.0f} s  error {np.mean(losses):.4f}"
            print(f"{told}  samples {filled}  targets {targets[:filled].mean(0)}", flush=True)
            cantstop_net.save(seats, learner.parts)
    return learner


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seats", type=int, choices=range(1, 5))
    parser.add_argument("--games", type=int)
    arguments = parser.parse_args()
    learner = train(arguments.seats, arguments.games or GAMES[arguments.seats])
    cantstop_net.save(arguments.seats, learner.parts)


if __name__ == "__main__":
    main()
