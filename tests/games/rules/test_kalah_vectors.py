"""Kalah against numbers: recorded games, perft and published values."""

import json
from pathlib import Path

import pytest

from games.rules import kalah
from games.rules.kalah import PRESETS, Options
from tests.games.rules.kalah_solver import holds

DATA = Path(__file__).parents[2] / "data"


def load(name):
    return json.loads((DATA / name).read_text())


def story_board(side):
    return (*side["pits"][:6], side["store_p1"], *side["pits"][6:], side["store_p2"])


RECORDED = load("kalah_games.json")
# Nobody swaps in these games.
RECORDED["pie-rule"] = RECORDED["classic"]
GAMES = [
    pytest.param(preset, game, id=f"{preset}-{game['seed']}")
    for preset in PRESETS
    for game in RECORDED[preset]
]


@pytest.mark.parametrize(("preset", "game"), GAMES)
def test_vector_game(preset, game):
    state = kalah.setup(PRESETS[preset])
    for ply in game["plies"]:
        seat = ("P1", "P2").index(ply["player"])
        assert state.turn == seat
        *sowings, last = kalah.legal_moves(state)
        if last != kalah.SWAP:
            sowings.append(last)
        assert last != kalah.SWAP or state.swapper == seat
        assert [move.pit + 6 * seat for move in sowings] == ply["legal"]
        state, _ = kalah.play(state, kalah.Move(ply["pit"] - 6 * seat))
        if not state.ended or "final_after_sweep" not in game:
            *pits, mine, theirs = ply["after"]
            assert state.board == (*pits[:6], mine, *pits[6:], theirs)
    if "final_after_sweep" in game:
        assert state.board == story_board(game["final_after_sweep"])
    assert kalah.outcome(state).winners == {"P1": (0,), "P2": (1,), "draw": (0, 1)}[game["result"]]


def perft(state, depth):
    moves = kalah.legal_moves(state)
    if depth == 1:
        return len(moves)
    return sum(perft(kalah.play(state, move).state, depth - 1) for move in moves)


@pytest.mark.parametrize("row", load("kalah_perft.json")["rows"], ids=str)
def test_perft(row):
    names = ("pits", "seeds", "empty_capture", "sow_both_stores")
    start = kalah.setup(Options(**{name: row[name] for name in names}))
    assert [perft(start, depth) for depth in range(1, 7)] == row["perft"]


@pytest.mark.parametrize(
    "row", load("kalah_values.json")["values"], ids=lambda row: f"{row['m']}-{row['n']}-{row['rules']}"
)
def test_published_value(row):
    options = Options(
        pits=row["m"],
        seeds=row["n"],
        empty_capture="empty_capture" in row["rules"],
        sow_both_stores="sow_opponent_store" in row["rules"],
    )
    assert max(row["values_by_first_move"]) == row["value"]
    assert holds(options, row["values_by_first_move"])


def test_the_solver_refutes_a_wrong_value():
    assert holds(Options(pits=3, seeds=2, sow_both_stores=False), [-8, 4, 0])
    assert not holds(Options(pits=3, seeds=2, sow_both_stores=False), [-8, 4, 1])
