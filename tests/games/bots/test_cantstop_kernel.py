"""The compiled rules of Can't Stop do what the rules do, on random positions of both readings."""

from dataclasses import replace
from itertools import pairwise
from random import Random

import numpy as np
import pytest

from games.bots import cantstop as bot
from games.bots import cantstop_kernel as kernel
from games.bots import cantstop_net
from games.rules import cantstop as rules
from games.rules.base import Roll
from tests.helpers.samples import sample

POSITIONS = sample(20_000, 4_000)
PARTS = 10


def random_position(rng: Random) -> rules.State:
    """A position before a throw in which anything may be the case that can be in a match."""
    options = rng.choice(list(rules.PRESETS.values()))
    seats = rng.choice(rules.SEATS)
    state = rules.setup(options, seats, rng.randrange(seats))
    owners = [None] * rules.COLUMNS.stop
    for column in rng.sample(rules.COLUMNS, rng.choice((0, 0, 1, 2, 4))):
        owner = rng.randrange(seats)
        owners[column] = owner if owners.count(owner) < rules.TO_WIN - 1 else None  # type: ignore[arg-type, call-overload]
    cones = [[0] * rules.COLUMNS.stop for _ in range(seats)]
    for row in cones:
        for column in rules.COLUMNS:
            if owners[column] is None:
                row[column] = rng.randrange(rules.LENGTHS[column])
    runners = [0] * rules.COLUMNS.stop
    free = [column for column in rules.COLUMNS if owners[column] is None]
    for column in rng.sample(free, rng.randrange(rules.RUNNERS + 1)):
        least, top = cones[state.turn][column] + 1, rules.LENGTHS[column]
        runners[column] = rng.choice((top, rng.randint(least, top)))
    return replace(state, cones=tuple(map(tuple, cones)), owners=tuple(owners), runners=tuple(runners))


def kernel_climbs(board: bot.Board, dice: tuple[int, ...]) -> list[str]:
    cones, owners, runners, strict, _ = board
    found, throw = np.zeros(kernel.MOST_CLIMBS, np.int64), kernel.THROW_NUMBERS[tuple(sorted(dice))]
    count = kernel.legal_climbs(cones, owners, runners, strict, throw, found)
    return [str(bot.move_of(code)) for code in found[:count]]


def same(board: bot.Board, state: rules.State) -> bool:
    """Whether a board and a state are the same position."""
    other = bot.seen(state)
    return all(np.array_equal(here, there) for here, there in zip(board[:3], other[:3], strict=True))


@pytest.mark.parametrize("part", range(PARTS))
def test_throws_climbs_busts_claims_and_wins_are_those_of_the_rules(part):
    rng = Random(part)
    for _ in range(POSITIONS // PARTS):
        state = random_position(rng)
        dice = tuple(rng.randint(1, 6) for _ in range(4))
        landed = replace(state, dice=dice)
        legal = rules.legal_moves(landed)
        board = bot.seen(state)
        assert sorted(kernel_climbs(board, dice)) == sorted(map(str, legal))
        if not legal:
            thrown = rules.play(replace(state, due=True), Roll(dice)).state
            board.runners[:] = 0
        else:
            move = rng.choice(legal)
            thrown = rules.play(landed, move).state
            kernel.climb(board.cones, board.runners, bot.code_of(move))
            assert same(board, thrown)
            wins = kernel.claims(board.owners, board.runners) >= rules.TO_WIN
            thrown = rules.play(thrown, rules.STOP).state
            assert wins == (rules.outcome(thrown) is not None)
            kernel.stop(board.cones, board.owners, board.runners)
        kernel.pass_on(board.cones, board.owners)
        assert same(board, thrown)


def test_three_runners_can_do_in_the_table_what_they_can_do_one_throw_at_a_time():
    starts, choices, ways = kernel.three_runner_table()
    assert len(choices) == len(ways) == starts[-1]
    for start, end in pairwise(starts):
        assert ways[start:end].sum() == kernel.WAYS_TO_THROW


@pytest.mark.parametrize(("columns", "moved"), [((6, 7, 8), 1192), ((2, 3, 12), 568), ((4, 6, 8), 1181)])
def test_the_table_knows_the_published_chances(columns, moved):
    starts, choices, ways = kernel.three_runner_table()
    # The published reading, more than one space left in all three.
    block = kernel.TRIPLE_NUMBERS[columns] * kernel.ROOMS + kernel.ROOMS - 1
    entries = slice(starts[block], starts[block + 1])
    assert ways[entries][choices[entries, 0] >= 0].sum() == moved


def test_a_board_is_the_same_in_a_mirror():
    rng = Random(1)
    for _ in range(300):
        board = bot.seen(random_position(rng))
        shares, mirrored = np.zeros(len(board.seats), np.float32), np.zeros(len(board.seats), np.float32)
        net = cantstop_net.load(len(board.seats))
        kernel.estimate(net, *board[:4], 0, shares)
        other = [part.copy() for part in board[:3]]
        for part in other:
            part[..., 2:13] = part[..., 12:1:-1].copy()
        kernel.estimate(net, *other, board.strict, 0, mirrored)  # type: ignore[arg-type, call-arg]
        assert mirrored == pytest.approx(shares, abs=1e-5)
