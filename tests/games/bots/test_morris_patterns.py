"""What was learned of Nine Men's Morris: how it is stored, and that the kernel adds it up as it is told."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from bench.strength import train_morris
from games.bots import morris as player
from games.bots import morris_kernel as kernel
from games.bots import morris_patterns as patterns
from games.bots import morris_tables
from games.bots.morris_kernel import INFINITE
from games.rules import morris
from games.rules.morris import PRESETS
from games.rules.morris_boards import BOARDS
from tests.helpers.samples import sample

NINE = PRESETS["nine"]
BOARD = BOARDS[NINE.board]
MOST_BYTES = 110_000
SHUT_IN = {"white": (".B.WWBWWBBWW...BWBWB.WB.", 0), "black": ("..WW..W.WWBBBW.BBWBBB.W.", 1)}
"""Positions that were lost by blockade, and who lost them; the first with nine men against eight."""


def worth(state):
    """What a position is worth to the seat on turn, from the tables alone."""
    learned, me = patterns.load(), state.turn
    hand = state.hand
    men = [state.board.count(letter) for letter in "WB"]
    if sum(hand):
        phase = learned.phases[sum(hand)]
    elif 3 in men:
        phase = kernel.FLIGHT
    else:
        phase = kernel.MANY if sum(men) >= kernel.MANY_MEN else kernel.FEW
    digit = {".": 0, "WB"[me]: 1, "WB"[1 - me]: 2}

    def of(first, pattern):
        return first + sum(digit[state.board[point]] * 3**k for k, point in enumerate(pattern))

    def reach(seat):
        own = [point for point, man in enumerate(state.board) if man == "WB"[seat]]
        return len({to for point in own for to in BOARD.adjacent[point] if state.board[to] == "."})

    def shut_in(seat):
        own = [point for point, man in enumerate(state.board) if man == "WB"[seat]]
        return sum(all(state.board[to] != "." for to in BOARD.adjacent[point]) for point in own)

    found = [of(kernel.SIDES, pattern) for pattern in patterns.SIDES]
    found += [of(kernel.QUARTERS, pattern) for pattern in patterns.QUARTERS]
    found += [of(kernel.OUTER, patterns.OUTER), of(kernel.OUTER, patterns.INNER)]
    found.append(of(kernel.MIDDLE, patterns.MIDDLE))
    mine, others = men[me] + hand[me], men[1 - me] + hand[1 - me]
    found.append(kernel.MEN + mine * kernel.MOST_MEN + others)
    found += [kernel.MY_REACH + reach(me), kernel.OTHER_REACH + reach(1 - me)]
    found += [kernel.MY_SHUT + shut_in(me), kernel.OTHER_SHUT + shut_in(1 - me)]
    return int(sum(learned.worths[phase, each].item() for each in found))


def transformed(state, moved):
    """A position after a symmetry of the board."""
    board = ["."] * len(state.board)
    for point, man in enumerate(state.board):
        board[moved[point]] = man
    return replace(state, board="".join(board))


def quiet_games(number):
    """Positions of random games and a move of each that takes nothing and ends nothing."""
    rng = Random(7)
    for _ in range(number):
        state = morris.setup(NINE)
        while state.ended is None:
            move = rng.choice(morris.legal_moves(state))
            after = morris.play(state, move).state
            if not state.takes and not after.takes and not after.ended and after.quiet <= kernel.EARLY:
                yield state, move, after
            state = after


def test_the_kernel_adds_up_what_the_tables_say():
    seen = set()
    for state, move, after in list(quiet_games(sample(60, 12))):
        # Without rest, nothing is looked at but the position after the move.
        found = player.think(state, [move], 1, 1_000, INFINITE, 0, knows=True)
        if found.depth == 1 and abs(found.values[0]) < kernel.PROVED:
            known = morris_draw(after) or morris_tables.value(after) is not None
            assert known or found.values[0] == -worth(after)
            seen.add(sum(after.hand) > 0)
    assert seen == {True, False}


def morris_draw(state):
    """Whether a position has occurred before, which the search calls a draw."""
    path = player.path(state)
    return path[-1] in path[:-1]


def test_positions_that_are_alike_are_worth_the_same():
    for state, _, _ in list(quiet_games(4))[::7]:
        assert len({worth(transformed(state, moved)) for moved in patterns.symmetries()}) == 1


def test_the_board_has_sixteen_symmetries():
    assert len(set(patterns.symmetries())) == 16
    lines = {frozenset(line) for mills in BOARD.mills for line in mills}
    for moved in patterns.symmetries():
        assert {frozenset(moved[point] for point in line) for line in lines} == lines


def colours_swapped(state):
    swapped = {"W": "B", "B": "W", ".": "."}
    board = "".join(swapped[man] for man in state.board)
    return replace(state, board=board, hand=state.hand[::-1], turn=1 - state.turn)


def of_white(state):
    """What a position is worth to White."""
    return worth(state) if state.turn == morris.WHITE else -worth(state)


def test_position_value_negated_with_swapped_colours():
    for state, _, _ in list(quiet_games(4))[::7]:
        assert of_white(colours_swapped(state)) == -of_white(state)


def test_the_trainer_sees_the_worths_that_the_kernel_adds_up(monkeypatch):
    rng = np.random.default_rng(1)
    tables = [[rng.integers(-99, 99, size) for size in patterns.sizes()] for _ in range(kernel.PHASES)]
    learned, table = patterns.learned(tables), player.table(NINE, True)
    monkeypatch.setattr(patterns, "load", lambda: learned)
    rows = [np.concatenate(phase) for phase in tables]
    at, found = np.zeros(kernel.POSITION, np.int64), np.zeros(train_morris.FEATURES, np.int64)
    for state, _, _ in list(quiet_games(3)):
        at[:] = player.position(state)
        phase = train_morris.features(table, at, found)
        assert rows[phase][found].sum() == worth(state)


@pytest.mark.full
def test_the_trainer_writes_a_file_that_can_be_read(tmp_path, monkeypatch):
    monkeypatch.setattr(patterns, "PATH", tmp_path / "worths.txt")
    monkeypatch.setattr(train_morris, "GAMES", 300)
    rounds = (train_morris.Round(1, 0, 0.0, 1), train_morris.Round(1, 0, 0.5, 1, keeps=True))
    train_morris.train(rounds)
    assert patterns.read().worths.any()


def test_a_line_is_read_as_it_was_written():
    worths = patterns.STEP * np.arange(-patterns.MOST_STEPS, patterns.MOST_STEPS + 1)
    line = patterns.packed(worths)
    assert patterns.unpacked(line).tolist() == worths.tolist()
    assert line.isascii()
    assert set(line).isdisjoint(" #\n")


def test_tables_are_read_as_they_were_written(tmp_path, monkeypatch):
    monkeypatch.setattr(patterns, "PATH", tmp_path / "worths.txt")
    rng = np.random.default_rng(1)
    tables = [[patterns.STEP * rng.integers(-9, 9, size) for size in patterns.sizes()] for _ in range(2)]
    patterns.save(tables, "head")
    assert (patterns.read().worths == patterns.learned(tables).worths).all()


def test_the_file_tells_the_command_and_is_small():
    text = patterns.PATH.read_text()
    head, *lines = text.splitlines()
    assert head == f"# {train_morris.HEAD}"
    assert len(text) <= MOST_BYTES
    assert len(lines) == kernel.PHASES * len(patterns.sizes())
    # All that a position can be worth is less than a proof.
    worths = abs(patterns.load().worths).max(axis=1)
    assert patterns.load().worths.shape == (kernel.PHASES, kernel.OTHER_SHUT + kernel.MOST_SHUT + 1)
    assert (worths * 16 < kernel.PROVED).all()


@pytest.mark.parametrize("name", SHUT_IN)
def test_a_side_that_is_shut_in_is_behind(name):
    board, loser = SHUT_IN[name]
    assert worth(morris.State(NINE, 1 - loser, board, (0, 0))) > 0


def test_patterns_known_for_nine_men_with_any_draw_rules():
    assert player.knows_of(NINE)
    assert player.knows_of(replace(NINE, threefold=False, fifty=False))
    assert not any(player.knows_of(options) for name, options in PRESETS.items() if name != "nine")
    assert not player.knows_of(replace(NINE, flying=False))
