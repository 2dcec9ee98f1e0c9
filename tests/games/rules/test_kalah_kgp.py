"""Boards of the Kalah Game Protocol, with the examples of its specification."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.domain import position
from games.registry import GAMES
from games.rules import kalah, kalah_kgp
from games.rules.base import BadPosition
from games.rules.kalah import Options

CLASSIC = kalah.PRESETS["classic"]
DOCUMENT = Path(__file__).parents[3] / "docs" / "reference" / "position.md"


@pytest.mark.parametrize(
    "text",
    [
        "<3,10,2,1,2,3,4,2,0>",
        "<3,0,0,3,3,3,3,3,3>",
        "<3,1,3,0,4,4,4,3,3>",
        "<1,0,0,1,1>",
        "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>",
    ],
)
def test_a_literal_is_written_as_it_was(text):
    assert kalah_kgp.write(kalah_kgp.read(text, CLASSIC)) == text


def test_each_number_has_its_place():
    read = kalah_kgp.read(" < 3 , 10, 2, 1,2,3, 4,2,0 > ", CLASSIC)
    assert read == kalah.State(Options(pits=3), 0, (1, 2, 3, 10, 4, 2, 0, 2))


def test_a_board_with_more_seeds_is_one_of_a_game_with_more():
    read = kalah_kgp.read("<2,9,5,1,1,1,0>", CLASSIC)
    assert read.options == Options(pits=2, seeds=5)


@given(st.integers(1, 6), st.lists(st.integers(0, 999), max_size=60))
def test_a_board_of_ours_survives_with_the_player_to_move_as_south(pits, choices):
    state = kalah.setup(Options(pits=pits))
    for choice in choices:
        if moves := kalah.legal_moves(state):
            state = kalah.play(state, moves[choice % len(moves)]).state
    read = kalah_kgp.read(kalah_kgp.write(state), state.options)
    half = pits + 1
    turned = state.board[half:] + state.board[:half] if state.turn else state.board
    assert read == kalah.State(state.options, 0, turned)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "3,0,0,3,3,3,3,3,3",
        "<0>",
        "<0,1,1>",
        "<1,1,1,1>",
        "<1,1,1,1,1,1>",
        "<1,1,1,1,1",
        "<1,1,1,1,a>",
        "<1,1,1,1,-1>",
    ],
)
def test_what_is_no_literal_is_refused(text):
    with pytest.raises(BadPosition) as error:
        kalah_kgp.read(text, CLASSIC)
    assert error.value.field == "board"


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("<7,0,0,1,1,1,1,1,1,1,1,1,1,1,1,1,1>", "options"),
        ("<1,9,9,1,1>", "options"),
        ("<2,1,1,0,0,1,1>", "board"),
    ],
)
def test_a_board_that_is_no_position_of_ours_is_refused(text, field):
    with pytest.raises(BadPosition) as error:
        position.of_notation(GAMES["kalah"], "kgp", text)
    assert error.value.field == field


def test_the_example_of_the_document_is_read():
    (example,) = re.findall(r"^    (<.*>)$", DOCUMENT.read_text(), re.MULTILINE)
    read = position.of_notation(GAMES["kalah"], "kgp", example)
    assert str(read) == "kalah.1 pits:3 turn=0 board=1,2,3,10,4,2,0,2"
