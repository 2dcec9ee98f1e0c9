"""Positions as text: examples, and what is refused."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.bots.base import Proved
from games.domain import field_values, position
from games.domain.position import LONGEST_NOTE, MOST_CHARACTERS, Position
from games.registry import GAMES
from games.rules import aces, kalah, morris
from games.rules.base import BadPosition, Outcome

ROOT = Path(__file__).parents[3]
DOCUMENT = (ROOT / "docs" / "reference" / "position.md").read_text()

KALAH, MORRIS = "kalah.1 classic turn=0 board=4*6,0,4*6,0", f"morris.1 nine turn=0 board={'.' * 24} hand=9,9"


def test_the_start_of_a_game():
    state = kalah.setup(kalah.PRESETS["classic"])
    assert str(Position(GAMES["kalah"], state, 2)) == KALAH
    assert position.parse(KALAH) == Position(GAMES["kalah"], state, 2)


def test_options_without_a_preset_are_named():
    state = kalah.setup(kalah.Options(pits=4, pie=True), first=1)
    text = "kalah.1 pits:4,pie:true turn=1 board=4*4,0,4*4,0 swapper=0"
    assert str(Position(GAMES["kalah"], state, 2)) == text
    assert position.parse(text).state == state


def test_the_number_of_seats_is_written_where_a_game_has_several():
    state = aces.setup(aces.PRESETS["standard"], 3)
    text = "aces.1 standard seats=3 turn=0 dice=[0*5],[0*5],[0*5] present=true*3"
    assert str(Position(GAMES["aces"], state, 3)) == text


def test_a_repeated_position_is_known_after_reading_it():
    """What the rules look back to is part of the state, so the third time is a draw as without the text."""
    state = position.parse("morris.1 nine turn=0 board=W.WB.B.WB.W.B..WB..B..BW hand=0,0").state
    for move in ["g1-g4", "f6-f4", "g4-g1", "f4-f6"] * 2:
        assert state.ended is None
        state = morris.play(state, morris.parse(move)).state
        state = position.parse(str(Position(GAMES["morris"], state, 2))).state
    assert state.ended == Outcome((0, 1), "repetition")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (KALAH.replace("4*6", "5,4*5", 1), "There are 49 seeds. These rules have 48."),
        ("kalah.1 classic turn=0 board=0*6,24,4*6,0", "Each side needs seeds in its pits."),
        (MORRIS.replace("9,9", "10,9"), "White has more than 9 men on the board and in hand."),
        (MORRIS.replace("9,9", "9,2"), "Black has fewer than 3 men."),
        (MORRIS.replace("turn=0 board=..", "turn=0 board=WW").replace("9,9", "7,9"), "Both players place"),
        (MORRIS.replace("board=....", "board=WWWB").replace("9,9", "6,8"), "White has a mill, but black has"),
        (MORRIS.replace("board=....", "board=BBBW").replace("9,9", "8,6"), "Black has a mill, but white has"),
        (MORRIS.replace("board=..", "board=WB").replace("9,9", "8,8 takes=1"), "only after a mill"),
        ("aces.1 standard seats=2 turn=0 dice=[0*6],[0*5] present=true,true", "more than 10 dice"),
        ("aces.1 standard seats=2 turn=0 dice=[],[0*5] present=true,true", "The player to move has no dice."),
    ],
)
def test_what_cannot_be_is_said_in_a_sentence(text, sentence):
    with pytest.raises(BadPosition) as error:
        position.parse(text)
    assert sentence in str(error.value)


def test_a_mill_that_is_about_to_take_is_possible():
    mill = MORRIS.replace("board=....", "board=WWWB").replace("9,9", "6,8 takes=1")
    assert position.parse(mill).state.takes == 1
    kept = mill.replace(" takes=1", "").replace("nine", "from_mills:never")
    assert position.parse(kept).state.takes == 0


def test_only_a_position_in_which_somebody_moves_has_a_proved_result():
    won = Proved(1, 4)
    game = replace(GAMES["cantstop"], proved=lambda _state: won)
    state = position.at_start(game).state
    assert position.proved(Position(game, state, 2)) == won
    assert position.proved(Position(game, replace(state, due=True), 2)) is None
    assert position.proved(Position(game, replace(state, ended=Outcome((0,), "columns")), 2)) is None


def test_who_wrote_a_text_is_found_out():
    game = GAMES["kalah"]
    assert position.recognised(game, KALAH) == position.parse(KALAH)
    literal = "<3,10,2,1,2,3,4,2,0>"
    assert position.recognised(game, f" {literal} ") == position.of_notation(game, "kgp", literal)
    with pytest.raises(BadPosition):
        position.recognised(GAMES["aces"], literal)


@pytest.mark.parametrize(
    "text", [f"  {KALAH}  ", KALAH.replace(" ", "   "), KALAH.replace("4*6", "4,4,4,4,4,4")]
)
def test_other_ways_to_write_the_same(text):
    assert str(position.parse(text)) == KALAH


def test_fields_may_come_in_any_order_and_defaults_may_be_written():
    assert str(position.parse("kalah.1 classic swapper=null board=4*6,0,4*6,0 turn=0")) == KALAH


@pytest.mark.parametrize("note", ["Black wins", "a ; b", "turn=1", "Это ничья", ";"])
def test_a_note_follows_a_semicolon(note):
    read = position.parse(f"{KALAH} ; {note}")
    assert read.note == note
    assert str(read) == f"{KALAH} ; {note}"


def test_a_note_is_one_line_of_visible_text():
    assert position.parse(f"{KALAH} ;  two \n lines ").note == "two lines"
    with pytest.raises(BadPosition) as error:
        Position(GAMES["kalah"], position.parse(KALAH).state, 2, "two\nlines")
    assert error.value.field == "note"


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("", "game"),
        (" ; only a note", "game"),
        ("chess.1 classic", "game"),
        ("kalah classic turn=0 board=4*6,0,4*6,0", "game"),
        ("kalah.99 classic turn=0 board=4*6,0,4*6,0", "game"),
        ("kalah.x classic turn=0 board=4*6,0,4*6,0", "game"),
        ("kalah.1", "options"),
        ("kalah.1 huge turn=0 board=4*6,0,4*6,0", "options"),
        ("kalah.1 pits:9 turn=0 board=4*9,0,4*9,0", "options"),
        ("kalah.1 pots:4 turn=0 board=4*4,0,4*4,0", "options"),
        ("kalah.1 board:4 turn=0 board=4*6,0,4*6,0", "options"),
        ("morris.1 board:two,men:12 turn=0 board=................ hand=12,12", "options"),
        ("kalah.1 classic board=4*6,0,4*6,0", "turn"),
        ("kalah.1 classic turn=2 board=4*6,0,4*6,0", "turn"),
        ("kalah.1 classic turn=north board=4*6,0,4*6,0", "turn"),
        ("kalah.1 classic turn=0", "board"),
        ("kalah.1 classic turn=0 board=", "board"),
        ("kalah.1 classic turn=0 board=4*6,0,4*6", "board"),
        ("kalah.1 classic turn=0 board=4*6,0,4*6,1", "board"),
        ("kalah.1 classic turn=0 board=4*6,0,4*5,5,-1", "board"),
        ("kalah.1 classic turn=0 board=0*6,24,4*6,0", "board"),
        ("kalah.1 classic turn=0 board=4*6,0,4*6,0 board=4*6,0,4*6,0", "board"),
        ("kalah.1 classic turn=0 board=4*6,0,4*6,0.0", "board"),
        ("kalah.1 classic turn=0 board=[4*6,0,4*6,0", "board"),
        ("kalah.1 classic turn=0 board=4*6,0,4*6,99999999999999999999", "board"),
        ("kalah.1 classic turn=0 board=4*6,0,4*6,0 swapper=1", "swapper"),
        ("kalah.1 classic turn=0 board=4*6,0,4*6,0 hand=9", "hand"),
        ("kalah.1 classic turn=0 board=4*6,0,4*6,0 options=classic", "options"),
        ("kalah.1 classic turn=0 board=4*6,0,4*6,0 version=1", "version"),
        ("kalah.1 classic turn=0 board=4*6,0,4*6,0 ended={winners:[7],reason:swept}", "ended"),
        (MORRIS.replace("=.", "=W"), "board"),
        (MORRIS.replace("9,9", "10,9"), "board"),
        (MORRIS.replace("9,9", "2,9"), "board"),
        (MORRIS.replace("=....", "=X..."), "board"),
        (MORRIS + " takes=1", "takes"),
        (MORRIS + " takes=2", "takes"),
        (MORRIS + " trail=abc", "trail"),
        (MORRIS + " trail=az", "trail"),
        ("aces.1 standard turn=0 dice=[0*5],[0*5] present=true,true", "seats"),
        ("aces.1 standard seats=1 turn=0 dice=[[0*5]] present=[true]", "seats"),
        ("aces.1 standard seats=true turn=0 dice=[0*5],[0*5] present=true,true", "seats"),
        ("aces.1 standard seats=3 turn=0 dice=[0*5],[0*5] present=true,true", "present"),
        ("aces.1 standard seats=2 turn=0 dice=[0*5],[0*6] present=true,true", "dice"),
        ("aces.1 standard seats=2 turn=0 dice=[],[0*5] present=true,true", "dice"),
        ("aces.1 standard seats=2 turn=0 dice=[0*5],[0*5] present=true,false", "dice"),
        (f"{KALAH} ; {'n' * (LONGEST_NOTE + 1)}", "note"),
        (KALAH.ljust(MOST_CHARACTERS + 1), "position"),
    ],
)
def test_what_is_wrong_is_named(text, field):
    with pytest.raises(BadPosition) as error:
        position.parse(text)
    assert error.value.field == field
    assert str(error.value)


@given(st.text(max_size=200))
def test_any_other_text_is_refused(text):
    with pytest.raises(BadPosition):
        position.parse(text)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**9) + 1, 10**9 - 1)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=5) | st.dictionaries(st.from_regex("[a-z]{1,5}", fullmatch=True), inner)
    ),
)


@given(JSON)
def test_a_value_reads_as_it_is_written(value):
    text = field_values.written(value)
    assert " " not in text
    assert text.isascii()
    assert text.isprintable()
    if not re.search("[0-9]{10}", text):
        assert field_values.read(text) == value


# docs/reference/position.md


def test_the_examples_of_the_document_are_positions_as_they_are_written():
    examples = re.findall(r"^    ([a-z]+\.[0-9]+ .*)$", DOCUMENT, re.MULTILINE)
    assert {example.partition(".")[0] for example in examples} == set(GAMES)
    for example in examples:
        assert str(position.parse(example)) == example
