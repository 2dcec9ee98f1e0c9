"""Exact endings of Nine Men's Morris: the tables, their files, and how the best level and a look use them."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from games.bots import morris as player
from games.bots import morris_check, morris_retrograde, morris_tables
from games.bots import morris_kernel as kernel
from games.bots.base import Proved
from games.bots.morris_index import index, ways
from games.bots.morris_levels import LEVELS
from games.bots.morris_tables import Solved, has_repeated
from games.bots.table_file import BadTable
from games.rules import morris
from games.rules.morris import ALWAYS, PRESETS
from tests.games.rules.morris_positions import LASKER, NINE
from tests.helpers.samples import sample

BEST = len(LEVELS)
every_size = pytest.mark.parametrize("men", morris_tables.SIZES)


def table(men):
    return Solved(*map(np.asarray, morris_tables.loaded(morris_tables.path(men), men)))


def random_positions(men, number, seed=1):
    rng = Random(seed)
    return [morris_check.random_position(men, n % 2 == 0, rng) for n in range(number)]


def worth(state, men=3):
    return morris_check.value({men: table(men)}, state)


def won_in(turns, men=3, **changes):
    """A position that the side to move wins in so many turns."""
    for state in random_positions(men, 5_000, seed=5):
        if worth(state, men) == turns + 1:
            return replace(state, **changes)
    raise AssertionError(f"no position is won in {turns} turns")


# The values


@every_size
def test_every_value_follows_from_the_rules(men):
    smaller = table(men - 1) if men > 3 else None
    morris_check.check(men, table(men), smaller, sample(2_000, 60), Random(7))


def test_a_value_that_does_not_follow_is_found():
    wrong = Solved(table(3).threes * 0, table(3).others)
    with pytest.raises(morris_check.Wrong):
        morris_check.check(3, wrong, None, 40, Random(1))


def test_three_against_three_is_the_same_from_both_sides():
    for state in random_positions(3, 200):
        board = state.board.translate(str.maketrans("WB", "BW"))
        assert worth(state) == worth(replace(state, board=board, turn=1 - state.turn))


def test_tables_have_one_value_for_each_position_up_to_symmetry():
    assert len(index().threes) == 158
    for men in morris_tables.SIZES:
        assert len(table(men).threes) == len(table(men).others) == 158 * ways(men)


@every_size
def test_a_search_forward_finds_the_same_ends(men):
    """The alpha-beta search, which knows no tables, proves what ends within some turns, and no draws."""
    turns = 4
    for state in random_positions(men, sample(60, 6), seed=3):
        code = worth(state, men)
        found = player.think(state, list(morris.legal_moves(state)), turns, 50_000, 0)
        if code and code - 1 <= found.depth:
            assert found.values[0] > kernel.PROVED if code % 2 == 0 else found.values[0] < -kernel.PROVED
        elif not code:
            assert abs(found.values[0]) <= kernel.PROVED


@pytest.mark.full
def test_tables_rebuilt_are_identical():
    solved = None
    for men in (3, 4):
        solved = morris_retrograde.solve(men, solved)
        assert (solved.threes == table(men).threes).all()
        assert men == 3 or (solved.others == table(men).others).all()


# How they are used


@pytest.mark.parametrize("options", [NINE, LASKER], ids=["nine", "lasker"])
@pytest.mark.parametrize(("men", "turns"), [(3, 13), (4, 9), (6, 3)])
def test_the_best_level_wins_in_as_few_turns_as_possible(men, turns, options):
    state = won_in(turns, men, options=options)
    winner, rng, played = state.turn, Random(1), 0
    while state.ended is None:
        played += not state.takes
        state = morris.play(state, player.choose(state, BEST, 0.01, rng)).state
    assert (state.ended.winners, played) == ((winner,), turns)


def test_a_draw_is_kept():
    state = next(state for state in random_positions(4, 2_000) if not worth(state, 4))
    for seed in range(6):
        after = morris.play(state, player.choose(state, BEST, 0.01, Random(seed))).state
        assert morris_tables.value(after) == 0


@every_size
def test_a_look_proves_wins_losses_and_draws(men):
    for state in random_positions(men, 20):
        code, look = worth(state, men), player.look(state, 2, Random(1))
        result = 0 if not code else -1 if code % 2 else 1
        assert morris_tables.proved(state) == Proved(result, turns=code - 1 if code else None)
        assert look.proved
        share = 0.5 if not code else 0 if code % 2 else 1
        assert look.shares[state.turn] == look.moves[0].share == share
        assert {each.move for each in look.moves} == set(map(str, morris.legal_moves(state)))
        assert [each.share for each in look.moves] == sorted(
            (each.share for each in look.moves), reverse=True
        )


def test_a_man_is_taken_where_that_wins_from_outside_the_tables():
    """Four against four is in no table, but what a taken man leaves is."""
    rng, seen = Random(2), 0
    while seen < 3:
        board = list("W" * 4 + "B" * 4 + "." * 16)
        rng.shuffle(board)
        state = morris.State(NINE, 0, "".join(board), (0, 0))
        if not morris.legal_moves(state):
            continue
        known = morris_tables.endings(state, morris.legal_moves(state))
        if not known:
            continue
        seen += 1
        assert all(morris.play(state, move).state.takes for move in known)


def before_taking(number):
    """Positions of four to six men against four, in which the fourth may be taken."""
    rng = Random(2)
    for n in range(number):
        mine = 4 + n % 3
        board = list("W" * mine + "B" * 4 + "." * (20 - mine))
        rng.shuffle(board)
        yield morris.State(NINE, 0, "".join(board), (0, 0))


@pytest.mark.parametrize(
    ("states", "results"),
    [(before_taking(1_000), {0, 1}), (random_positions(5, 20), {-1, 0, 1})],
    ids=["taking a man", "three against five"],
)
def test_the_search_looks_positions_up(states, results):
    """A turn ahead, each move has the value that the tables give it."""
    seen = set()
    for state in states:
        known = morris_tables.endings(state, morris.legal_moves(state))
        if not known:
            continue
        found = player.think(state, list(known), 1, 10_000, kernel.INFINITE, 0, knows=True)
        for move, value in zip(found.moves, found.values, strict=True):
            result = 0 if abs(value) <= kernel.PROVED else 1 if value > 0 else -1
            assert result == known[move].result, (state, move)
            # A draw is a little better for whom it was better.
            assert result or abs(value) < kernel.MAN
            seen.add(result)
    assert seen == results


def test_the_search_knows_what_the_tables_do_not():
    """A win that comes too late for the hundredth quiet turn is none, nor one after a repetition."""
    won = won_in(5)
    moves = list(morris.legal_moves(won))
    for state, is_won in (
        (replace(won, quiet=95), True),
        (replace(won, quiet=96), False),
        (replace(won, trail="ajbkjakbaj"), False),
    ):
        assert (player.think(state, moves, 1, 10_000, 0, 0, knows=True).values[0] > kernel.PROVED) == is_won


@pytest.mark.parametrize(
    "options",
    [PRESETS["six"], PRESETS["twelve"], replace(NINE, flying=False), replace(NINE, from_mills=ALWAYS)],
    ids=["six", "twelve", "no flying", "taking from mills"],
)
def test_other_rules_have_no_tables(options):
    assert not morris_tables.fits(options)


def test_men_in_hand_are_in_no_table():
    state = replace(random_positions(3, 1)[0], hand=(1, 0))
    assert morris_tables.endings(state, morris.legal_moves(state)) == {}


# The draws of the rules


def test_a_win_after_the_hundredth_quiet_turn_is_not_told():
    state = won_in(5)
    moves = morris.legal_moves(state)
    in_time = morris_tables.endings(replace(state, quiet=95), moves)
    assert max(each.rank for each in in_time.values()) == (1, -5)
    late = morris_tables.endings(replace(state, quiet=96), moves)
    assert all(each.result < 1 for each in late.values())
    assert len(late) < len(moves)
    without = replace(state, quiet=96, options=replace(NINE, fifty=False))
    assert len(morris_tables.endings(without, moves)) == len(moves)


def test_a_win_in_time_is_won_before_the_draw():
    state, rng = won_in(5, quiet=95), Random(1)
    winner = state.turn
    while state.ended is None:
        state = morris.play(state, player.choose(state, BEST, 0.01, rng)).state
    assert state.ended.winners == (winner,)


def test_repetitions_are_seen_in_the_trail():
    there, back = "ajbk", "jakb"
    assert not has_repeated("")
    assert not has_repeated(there)
    # Only the position now has occurred twice: the shortest win does not come back to it.
    assert not has_repeated(there + back)
    assert has_repeated(there + back + there[:2])


def test_table_win_needs_capture_after_repetition():
    state = won_in(5)
    moves = morris.legal_moves(state)
    after = {move: morris.play(state, move).state for move in moves}
    told = morris_tables.endings(replace(state, trail="ajbkjakbaj"), moves)
    assert {each.result for move, each in told.items() if not after[move].takes} <= {0}
    assert morris_tables.proved(replace(state, trail="ajbkjakbaj")) is None


# Files


@pytest.fixture
def file(tmp_path):
    copy = tmp_path / "copy.table"
    copy.write_bytes(morris_tables.path(3).read_bytes())
    return copy


def test_a_table_is_read_as_it_was_written(tmp_path):
    morris_tables.write(tmp_path / "table", 3, table(3))
    found = morris_tables.read(tmp_path / "table", 3)
    assert (found.threes, found.others) == morris_tables.loaded(morris_tables.path(3), 3)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda data: b"", "foreign"),
        (lambda data: b"PNG" + data, "foreign"),
        (lambda data: data.replace(b"table 1 3", b"table 0 3", 1), "old"),
        (lambda data: data[:-100], "damaged"),
        (lambda data: data[:2000] + b"xxxx" + data[2004:], "damaged"),
        (lambda data: data + b"x", "damaged"),
    ],
    ids=["empty", "another kind", "another format", "cut off", "changed inside", "longer"],
)
def test_a_bad_file_is_refused(file, change, code):
    file.write_bytes(change(file.read_bytes()))
    with pytest.raises(BadTable) as refused:
        morris_tables.read(file, 3)
    assert refused.value.code == code
    with pytest.warns(UserWarning, match=code):
        assert morris_tables.loaded(file, 3) is None


def test_a_table_that_is_not_there_is_none(tmp_path):
    with pytest.warns(UserWarning, match="nowhere"):
        assert morris_tables.loaded(tmp_path / "nowhere", 3) is None
