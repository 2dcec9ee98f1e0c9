"""Learn what positions of Nine Men's Morris are worth, from games of the search against itself.

    python -m bench.strength.train_morris

plays games of the preset `nine` from fixed seeds and writes games/bots/morris_nine.txt, within half an hour
on one core. Its rounds are those that made the file of the repository; the steps of the fits were still
changed between them then, so it writes a file of the same kind, not the same numbers. The first round is
played by the weights that were set by hand, any later one by what the round before it learned. The games
begin with some turns at random, and then each side plays the best move of a shallow search, and now and then
any.

What a position is worth is fitted by logistic regression (of AdaGrad) to a mixture of two things: how the
game ended, a draw being a half, and how the search judged the position, which sees further than the position
itself. All games count the same, however long they were. What a pattern is worth is the sum of something for
all phases of placing (or moving, or flying) and something for its phase, and both are drawn towards nothing,
so what was seen seldom is judged by what it has in common with others: its lines, and the other phases. The
last games are not learned from; how well they are foretold is told instead.
"""

from __future__ import annotations

import argparse
from time import perf_counter
from typing import NamedTuple

import numpy as np

from games.bots import morris as player
from games.bots import morris_kernel as kernel
from games.bots import morris_patterns as patterns
from games.bots.compiler import njit
from games.bots.morris_kernel import BITS, GAME, MOST_MEN, MOST_SHUT, PHASES, Table, memory
from games.rules.morris import PRESETS


class Round(NamedTuple):
    """So many batches of games of the search against itself, and how they are learned from.

    Attributes:
        batches: how many; the sides look two turns ahead.
        deeper: in so many of the first ones, each side looks two or three turns ahead, by chance.
        trust: how the search is trusted, from 0 to 1, against the end of the game.
        epochs: how often the examples are gone through.
        keeps: whether the games of the round before are learned from once more.
    """

    batches: int
    deeper: int
    trust: float
    epochs: int
    keeps: bool = False


ROUNDS = (
    Round(15, 0, 0.0, 3),
    Round(33, 4, 0.5, 3),
    Round(23, 0, 0.75, 4),
    Round(13, 1, 0.75, 4, keeps=True),
)
DEPTH = 2
GAMES = 3_000
"""Of a batch."""
SEED = 77_000
RANDOM_TURNS = 10
"""Turns at random that a game begins with at most."""
SLIPS = 0.03
"""How often any move is played afterwards, in every other game."""
MOST_TURNS = 300
MOST_QUIET = 24
"""Quiet turns, on top of those that place the men, after which positions are not learned from any more: they
are much alike."""
SLOTS = 1 << 14
"""Of the transposition table: shallow searches are faster with one that fits the cache."""
RATE = 0.1
CAUTION = 30.0
"""What the squares of the gradients begin with: patterns seen a few times only learn little."""
DRAWN_PATTERN, DRAWN_COUNT = 1.0, 0.5
"""How strongly the worth of a pattern, and any other one, is drawn towards nothing in an epoch."""
HEAVIEST = 4.0
"""What a position of a short game counts at most, if it counts 1 on average."""
HELD_OUT = 0.04
"""The part of the games, the last ones, that the result is checked with."""

# The columns of an example.
ME, OTHER, HANDS, MINE, GAME_NUMBER, VALUE = range(6)
EXAMPLE = 6
UNKNOWN = -99_999
"""The value of a position that was not searched."""
EXAMPLES_A_GAME = 150
"""More than games give on average: some forty."""
FEATURES, SHARED = 32, 11
"""Worths that a position is the sum of; the first of them are of patterns."""
FAMILIES = 3
"""Of phases that share worths: placing, moving, flying."""
HEAD = "Nine Men's Morris: see morris_patterns.py; written by python -m bench.strength.train_morris"

_BASES = np.cumsum([0, *patterns.sizes()])
_SIDES, _QUARTERS, _OUTER, _MIDDLE = patterns.different()[:4]
_LINES = patterns.lines_of_sides()
_KINDS = _BASES[[4, 5, 4, 6]]
_MEN, _REACH, _SHUT = _BASES[7], _BASES[8:10], _BASES[10:12]


@njit
def seed(number):
    """Begin the chances of compiled code anew."""
    np.random.seed(number)


@njit
def begin(m, men):
    """Write the empty board into frame 0."""
    f = m.frames[0]
    for column in range(kernel.POSITION):
        f[column] = 0
    f[kernel.MY_HAND] = f[kernel.OTHER_HAND] = men
    f[kernel.PATH] = 0
    m.path[0] = 0


@njit
def go_on(t, m, move):
    """Make a move in frame 0; how the position stands for the player who is to move then."""
    f, below = m.frames[0], m.frames[1]
    kernel.play(t, f, move, below)
    for column in range(kernel.POSITION):
        f[column] = below[column]
    if f[kernel.TAKES]:
        return kernel.GOES_ON
    f[kernel.PATH] = f[kernel.PATH] + 1 if f[kernel.SLIDES] else 0
    m.path[f[kernel.PATH]] = f[kernel.ME] | (f[kernel.OTHER] << 24)
    return kernel.ending(t, f, kernel.occurred(m, f, GAME))


@njit
def chosen(t, m, moves, values, depth):
    """The best move of frame 0 in a search of so many turns; of equal ones, any."""
    n = kernel.moves_of(t, m.frames[0], m.moves[0])
    moves[:n] = m.moves[0, :n]
    np.random.shuffle(moves[:n])
    if n > 1 and depth:
        m.counters[kernel.NODES], m.counters[kernel.LIMIT] = 0, 1 << 40
        m.counters[kernel.REST] = kernel.QUIESCENCE
        kernel.think(t, m, moves[:n], values[:n], 1, depth, 0)
    return moves[0]


@njit
def game(t, m, men, least, most, examples, moves, values):
    """Play a game and fill in its examples; their number."""
    begin(m, men)
    m.history[:] = 0
    at_random = np.random.randint(0, RANDOM_TURNS + 1)
    slips = SLIPS if np.random.random() < 0.5 else 0.0
    depths = np.random.randint(least, most + 1), np.random.randint(least, most + 1)
    f, found, turns, end = m.frames[0], 0, 0, kernel.GOES_ON
    while end == kernel.GOES_ON and turns < MOST_TURNS:
        depth = depths[f[kernel.SIDE]]
        if turns < at_random or np.random.random() < slips:
            depth = 0
        if not f[kernel.TAKES]:
            turns += 1
            if turns > at_random and f[kernel.QUIET] < MOST_QUIET + men * 2:
                row = examples[found]
                row[ME], row[OTHER], row[MINE] = f[kernel.ME], f[kernel.OTHER], f[kernel.SIDE]
                row[HANDS] = f[kernel.MY_HAND] * 16 + f[kernel.OTHER_HAND]
                found += 1
        begins, values[0] = f[kernel.TAKES] == 0, UNKNOWN
        move = chosen(t, m, moves, values, depth)
        if found and begins and turns > at_random and f[kernel.QUIET] < MOST_QUIET + men * 2:
            examples[found - 1, VALUE] = values[0] if depth else UNKNOWN
        end = go_on(t, m, move)
    loser = f[kernel.SIDE] if end == kernel.LOST else -1
    for row in examples[:found]:
        row[MINE] = 1 if loser < 0 else (0 if row[MINE] == loser else 2)
    return found


@njit
def play(t, m, men, number, least, most, examples):
    """Play some games; the number of examples that they gave."""
    moves, values = np.zeros(kernel.MOVES, np.int64), np.zeros(kernel.MOVES, np.int64)
    filled = 0
    for each in range(number):
        begun = filled
        filled += game(t, m, men, least, most, examples[filled:], moves, values)
        examples[begun:filled, GAME_NUMBER] = each
    return filled


@njit
def family_of(phase):
    return 0 if phase < kernel.MANY else (1 if phase < kernel.FLIGHT else 2)


@njit
def features(t, at, found):
    """Fill in the numbers of the different worths that a position is the sum of; its phase."""
    number = (1 << BITS) - 1
    me, other = at[kernel.ME], at[kernel.OTHER]
    empty = t.full & ~(me | other)
    free = kernel.around(t, empty)
    sides, quarters, rings = kernel.coded(t, at, 0), kernel.coded(t, at, 1), kernel.coded(t, at, 2)
    for k in range(4):
        side = (sides >> k * BITS) & number
        found[k] = _BASES[0] + _SIDES[side]
        found[4 + k] = _BASES[1] + _QUARTERS[(quarters >> k * BITS) & number]
        for line in range(4):
            found[SHARED + 4 * k + line] = _KINDS[line] + _LINES[line, side]
    found[8] = _BASES[2] + _OUTER[rings & number]
    found[9] = _BASES[2] + _OUTER[(rings >> BITS) & number]
    found[10] = _BASES[3] + _MIDDLE[rings >> 2 * BITS]
    men = (kernel.count(me) + at[kernel.MY_HAND]) * MOST_MEN
    found[27] = _MEN + men + kernel.count(other) + at[kernel.OTHER_HAND]
    found[28] = _REACH[0] + kernel.count(kernel.around(t, me) & empty)
    found[29] = _REACH[1] + kernel.count(kernel.around(t, other) & empty)
    found[30] = _SHUT[0] + min(kernel.count(me & ~free), MOST_SHUT)
    found[31] = _SHUT[1] + min(kernel.count(other & ~free), MOST_SHUT)
    return kernel.phase_of(t, at)


@njit
def read(row, at):
    """Write an example into a position."""
    at[kernel.ME], at[kernel.OTHER] = row[ME], row[OTHER]
    at[kernel.MY_HAND], at[kernel.OTHER_HAND] = row[HANDS] // 16, row[HANDS] % 16


@njit
def occurrences(t, examples, own, shared):
    """Count how often the examples have each worth, of its phase and of its family."""
    at, found = np.zeros(kernel.POSITION, np.int64), np.zeros(FEATURES, np.int64)
    for row in examples:
        read(row, at)
        phase = features(t, at, found)
        for k in range(FEATURES):
            own[phase, found[k]] += 1
            if k < SHARED:
                shared[family_of(phase), found[k]] += 1


@njit
def improve(worths, squares, counts, row, to, gradient, drawn, rate):
    """A step of AdaGrad for one worth."""
    slope = gradient + drawn * worths[row, to] / counts[row, to]
    squares[row, to] += slope * slope
    worths[row, to] -= rate * slope / np.sqrt(squares[row, to])


@njit
def learn(t, examples, targets, weights, order, own, shared, rate):
    """Go through the examples once, in an order; returns the cross-entropy and the weight of each phase.

    `own` and `shared` are worths, squares of gradients and counts, by phase and by family. Nothing is learned
    with a `rate` of 0.
    """
    at, found = np.zeros(kernel.POSITION, np.int64), np.zeros(FEATURES, np.int64)
    losses, sums = np.zeros(PHASES), np.zeros(PHASES)
    for n in order:
        read(examples[n], at)
        phase = features(t, at, found)
        family, worth = family_of(phase), 0.0
        for k in range(FEATURES):
            worth += own[0][phase, found[k]]
            if k < SHARED:
                worth += shared[0][family, found[k]]
        share, target = 1 / (1 + np.exp(-worth)), targets[n]
        loss = target * np.log(share + 1e-9) + (1 - target) * np.log(1 - share + 1e-9)
        losses[phase] -= weights[n] * loss
        sums[phase] += weights[n]
        if not rate:
            continue
        gradient = weights[n] * (share - target)
        for k in range(FEATURES):
            drawn = DRAWN_PATTERN if k < SHARED else DRAWN_COUNT
            improve(*own, phase, found[k], gradient, drawn, rate)
            if k < SHARED:
                improve(*shared, family, found[k], gradient, DRAWN_PATTERN, rate)
    return losses, sums


def fit(t: Table, examples, each: Round, rng):
    """What the examples of a round say that the worths of each phase are, in hundredths of a man.

    Tells how well they foretell the ends of the games, those held out last.
    """
    games = examples[:, GAME_NUMBER]
    weights = 1 / np.bincount(games)[games]
    weights = np.minimum(weights / weights.mean(), HEAVIEST)
    ends, values = examples[:, MINE] / 2, examples[:, VALUE]
    judged = 1 / (1 + np.exp(-np.clip(values, -3_000, 3_000) / player.SCALE))
    targets = np.where(values == UNKNOWN, ends, (1 - each.trust) * ends + each.trust * judged)
    held_out = games >= games.max() * (1 - HELD_OUT)
    known, unknown = np.nonzero(~held_out)[0], np.nonzero(held_out)[0]
    own, shared = (
        (np.zeros((rows, _BASES[-1])), np.full((rows, _BASES[-1]), CAUTION), np.zeros((rows, _BASES[-1])))
        for rows in (PHASES, FAMILIES)
    )
    occurrences(t, examples[known], own[2], shared[2])
    for epoch in range(each.epochs):
        rate = RATE * (1 - epoch / (each.epochs + 0.5))
        learned = learn(t, examples, targets, weights, rng.permutation(known), own, shared, rate)
        foretold = learn(t, examples, ends, weights, unknown, own, shared, 0.0)
        for what, (losses, sums) in (("learned", learned), ("held out", foretold)):
            print(what, epoch, round(losses.sum() / sums.sum(), 4), np.round(losses / sums, 3), flush=True)
    families = [family_of(phase) for phase in range(PHASES)]
    return np.round((own[0] + shared[0][families]) * player.SCALE).astype(np.int64)


def batch(t: Table, m, number: int, depths: tuple[int, int]):
    """The examples of a batch of games, from a seed of its own."""
    seed(SEED + number)
    examples = np.zeros((GAMES * EXAMPLES_A_GAME + MOST_TURNS, EXAMPLE), np.int64)
    return examples[: play(t, m, PRESETS["nine"].men, GAMES, *depths, examples)]


def examples_of(t: Table, number: int, each: Round):
    """The examples of a round."""
    m, found = memory(SLOTS), []
    for at in range(each.batches):
        found.append(batch(t, m, 100 * number + at, (DEPTH, DEPTH + (at < each.deeper))))
        found[-1][:, GAME_NUMBER] += at * GAMES
    return np.concatenate(found)


def joined(before, examples):
    """The examples of two rounds, the games of the later one last."""
    later = examples.copy()
    later[:, GAME_NUMBER] += before[-1, GAME_NUMBER] + 1
    return np.concatenate([before, later])


def train(rounds: tuple[Round, ...]) -> None:
    """Play and learn, and write what was learned after each round."""
    began, t, before = perf_counter(), player.table(PRESETS["nine"]), None
    for number, each in enumerate(rounds):
        examples = examples_of(t, number, each)
        if each.keeps:
            examples = joined(before, examples)
        before = examples
        print(f"{perf_counter() - began:5.0f} s  {each}  {len(examples):,} examples", flush=True)
        tables = [np.split(row, _BASES[1:-1]) for row in fit(t, examples, each, np.random.default_rng(1))]
        patterns.save(tables, HEAD)
        t = t._replace(knows=True, learned=patterns.learned(tables))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.parse_args()
    train(ROUNDS)


if __name__ == "__main__":
    main()
