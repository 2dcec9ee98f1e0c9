"""The computer player of Nine Men's Morris: what each level does, what the best sees, what a look says."""

import subprocess
import sys
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.bots import morris as player
from games.bots import morris_kernel as kernel
from games.bots.morris_levels import LEVELS
from games.rules import morris
from games.rules.morris import BLACK, PRESETS, WHITE
from tests.games.rules.morris_positions import BEFORE_MILL, BLOCKING, DOUBLE, FEW, NINE, position
from tests.helpers.samples import sample

BEST = len(LEVELS)
every_level = pytest.mark.parametrize("level", range(1, BEST + 1))
every_preset = pytest.mark.parametrize("options", PRESETS.values(), ids=PRESETS.keys())


def chosen(state, level=BEST, effort=0.1, seed=1):
    return str(player.choose(state, level, effort, Random(seed)))


def after_some(options, plies, seed):
    """A position after some plies at random, or before the last of them that ended the match."""
    rng, state = Random(seed), morris.setup(options, 2, seed % 2)
    for _ in range(plies):
        following = morris.play(state, rng.choice(morris.legal_moves(state))).state
        if following.ended:
            break
        state = following
    return state


# Every level


@every_preset
@every_level
def test_player_same_seed_plays_same_legal_move(options, level):
    for plies in (0, 7, 20, 60):
        state = after_some(options, plies, plies)
        move = player.choose(state, level, 0.02, Random(plies))
        assert move in morris.legal_moves(state)
        assert move == player.choose(state, level, 0.02, Random(plies))


@given(st.sampled_from(list(PRESETS)), st.integers(0, 90), st.integers(0, 10_000), st.integers(1, BEST))
@settings(max_examples=sample(60, 25), deadline=None)
def test_player_plays_legal_moves_in_random_positions(preset, plies, seed, level):
    state = after_some(PRESETS[preset], plies, seed)
    assert player.choose(state, level, 0.001, Random(seed)) in morris.legal_moves(state)


def test_each_level_has_its_skill():
    assert len(player.SKILLS) == len(LEVELS)


def test_no_two_games_of_the_best_level_need_be_the_same():
    state = morris.setup(NINE)
    assert len({chosen(state, effort=0.02, seed=seed) for seed in range(12)}) > 2


# The best level


def test_player_closes_winning_mill():
    assert chosen(position(FEW)) == "d6-d7"
    assert chosen(position(FEW, hand=(1, 0))) == "d7"


def test_player_takes_winning_man():
    state = morris.play(position(FEW), morris.parse("d6-d7")).state
    assert chosen(state) == "xd1"


def test_player_blocks_opponent_with_one_move_left():
    assert chosen(position(BLOCKING, BLACK)) == "g4-g1"


def test_player_blocks_losing_mill():
    # White has three men and flies; black closes a mill with a7 unless somebody stands there.
    board = """
        .-----B-----B
        | W---.---. |
        | | .-.-. | |
        B-.-.   .-.-W
        | | .-.-. | |
        | .---.---B |
        .-----W-----.
    """
    assert chosen(position(board)).endswith("-a7")
    assert chosen(position(board, hand=(1, 0))) == "a7"


def test_player_closes_double_mill_that_takes_two():
    assert chosen(position(DOUBLE, hand=(1, 1), options=replace(NINE, double_mill=2))) == "d7"


@every_preset
def test_player_converts_proved_wins(options):
    """From random positions in which a win is proved, it wins against any defence."""
    won, enough = 0, sample(60, 3)
    for seed in range(60):
        state = after_some(options, 20 + seed, seed)
        found = player.think(state, list(morris.legal_moves(state)), 7, 30_000, 0)
        if found.values[0] <= kernel.PROVED:
            continue
        seat, rng = state.turn, Random(seed)
        while state.ended is None:
            move = player.choose(state, BEST if state.turn == seat else 4, 0.1, rng)
            state = morris.play(state, move).state
        assert state.ended.winners == (seat,)
        won += 1
        if won == enough:
            break
    assert won >= 3


# Draws


SHUFFLE = ("a1-a4", "g1-g4", "a4-a1", "g4-g1")
"""White and black go to and fro."""
AHEAD = """
    W-----W-----.
    | .---B---W |
    | | W-.-. | |
    .-W-B   .-.-.
    | | .-.-. | |
    | .---B---. |
    W-----W-----B
"""
"""White has seven men, black four; a1 and g1 are free to move to a4 and g4."""


def shuffled(state, times):
    for move in (*SHUFFLE * 9,)[:times]:
        state = morris.play(state, morris.parse(move)).state
    return state


def test_the_trail_gives_back_the_positions_of_the_game():
    state, seen = position(AHEAD), []
    for move in ("", *SHUFFLE, *SHUFFLE[:3]):
        state = morris.play(state, morris.parse(move)).state if move else state
        me, other, *_ = player.position(state)
        seen.append(me | other << 24)
        assert player.path(state) == seen


def test_player_ahead_avoids_third_repetition():
    # g4-g1 of black has brought the position about for the second time; a4-a1 would let black do so again.
    state = shuffled(position(AHEAD), 6)
    assert state.turn == WHITE
    for seed in range(4):
        assert chosen(state, seed=seed) != "a4-a1"


def test_player_behind_seeks_third_repetition():
    state = shuffled(position(AHEAD), 7)
    assert state.turn == BLACK
    assert chosen(state) == "g4-g1"
    assert morris.play(state, morris.parse("g4-g1")).state.ended.reason == "repetition"


def test_search_path_ignored_without_threefold_rule():
    state = shuffled(position(AHEAD, options=replace(NINE, threefold=False)), 6)
    assert player.path(state) == [player.path(state)[-1]]


def test_player_takes_man_before_hundredth_quiet_turn():
    # Any other move is a draw, however good it looks.
    state = position(BEFORE_MILL, quiet=99)
    assert chosen(state) == "d6-d7"


# Effort


def test_less_effort_looks_at_fewer_positions():
    state = after_some(NINE, 12, 3)
    moves = list(morris.legal_moves(state))
    few, many = (player.think(state, moves, 32, nodes, 0) for nodes in (2_000, 50_000))
    assert few.depth < many.depth
    assert few.nodes <= 2_001
    assert many.nodes <= 50_001


# A look


@every_preset
@pytest.mark.parametrize("plies", [0, 15, 45])
def test_a_look_has_a_value_for_every_move_the_best_first(options, plies, monkeypatch):
    monkeypatch.setattr(player, "LOOK_NODES", 60_000)
    state = after_some(options, plies, 5)
    look = player.look(state, 2, Random(1))
    assert look.seat == state.turn
    assert {each.move for each in look.moves} == set(map(str, morris.legal_moves(state)))
    shares = [each.share for each in look.moves]
    assert shares == sorted(shares, reverse=True)
    assert look.shares[state.turn] == shares[0]
    assert sum(look.shares) == pytest.approx(1)
    assert all(each.score is None and each.spread == 0 for each in look.moves)


def test_a_look_proves_a_win_and_a_loss():
    win = player.look(position(FEW), 2, Random(1))
    assert (win.proved, win.shares, win.moves[0].move) == (True, (1, 0), "d6-d7")
    lost = player.look(position(BLOCKING, BLACK), 2, Random(1))
    assert (lost.proved, lost.shares, lost.moves[0].share) == (True, (0, 1), 1)


def bounds(state, plies):
    """The least and the most that a position is worth to white, when some plies are played through."""
    if state.ended:
        worth = (WHITE in state.ended.winners) / len(state.ended.winners)
        return worth, worth
    if not plies:
        return 0, 1
    after = [bounds(morris.play(state, move).state, plies - 1) for move in morris.legal_moves(state)]
    best = max if state.turn == WHITE else min
    return best(low for low, _ in after), best(high for _, high in after)


def nearly_over(seed):
    """Either before the hundredth quiet turn, or before a board of twelve men each is full."""
    if seed % 2:
        return replace(after_some(NINE, 30 + seed, seed), quiet=99, takes=0, trail="")
    men = list("WB" * 10 + "." * 4)
    Random(seed).shuffle(men)
    return morris.State(PRESETS["twelve"], WHITE, "".join(men), (2, 2))


def test_a_look_proves_how_a_match_ends_that_is_nearly_over(monkeypatch):
    monkeypatch.setattr(player, "LOOK_NODES", 50_000)
    proved = set()
    for seed in range(24):
        state = nearly_over(seed)
        low, high = bounds(state, 4)
        look = player.look(state, 2, Random(1))
        if look.proved:
            assert low <= look.shares[WHITE] <= high
            proved.add(look.shares[WHITE])
        else:
            assert low < high
    assert proved == {0, 0.5, 1}


def test_an_estimate_is_no_proof(monkeypatch):
    monkeypatch.setattr(player, "LOOK_NODES", 50_000)
    look = player.look(morris.setup(NINE), 2, Random(1))
    assert not look.proved
    assert 0.4 < look.shares[WHITE] < 0.6


# The compiler


@pytest.mark.full
def test_compiled_kernel_reused_by_second_process():
    code = (
        "from random import Random; from games.rules import morris; from games.bots import morris as player;"
        "print(player.choose(morris.setup(morris.Options()), 8, 0.01, Random(1)))"
    )
    answers = {
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    }
    assert answers == {chosen(morris.setup(NINE), effort=0.01) + "\n"}
