"""Sanmill's positions and moves. The texts are what its engine writes after these moves."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules import morris, morris_sanmill
from games.rules.base import BadPosition, Leave, Unparseable
from games.rules.morris import PRESETS
from games.rules.morris_boards import BOARDS

NINE = PRESETS["nine"]
START = "********/********/******** w p p 0 9 0 9 0 0 0 0 0 0 0 0 1"
DOCUMENT = Path(__file__).parents[3] / "docs" / "reference" / "position.md"

WRITTEN_BY_SANMILL = [
    ("a4", "********/********/******O* b p p 1 8 0 9 0 0 -1 -1 -1 -1 0 0 1 ids:nodes"),
    ("a4 g7", "********/********/*@****O* w p p 1 8 1 8 0 0 -1 -1 -1 -1 0 0 2 ids:nodes"),
    ("a4 g7 d7 a1 g1 d1", "********/********/O@*O@@O* w p p 3 6 3 6 0 0 -1 -1 -1 -1 0 0 4 ids:nodes"),
    ("d2 d6 f4 b4 f2 g4 f6", "********/@OOOO*@*/**@***** w p r 4 5 3 6 1 0 -1 -1 -1 -1 0 0 4 ids:nodes"),
    ("d7 a1 g7 d1 a7", "********/********/OO**@@*O w p r 3 6 2 7 1 0 -1 -1 -1 -1 0 0 3 ids:nodes"),
]
MOVING = [
    "****@*OO/@**OOO**/*@@@*@O* b m s 6 0 6 0 0 0 0 0 0 0 0 0 1",
    "******O*/OOO@*@*@/******** w m s 4 0 3 0 0 0 0 0 0 0 0 0 1",
    "***@O@**/O**@***O/@******* w m s 3 0 4 0 0 0 0 0 0 0 0 37 1",
]
MOVING_OF_ITS_ENGINE = [
    "OOO***@*/@**@****/******@* b m s 3 0 4 0 0 0 -1 -1 -1 -1 0 0 31 ids:nodes",
    "OOO****@/@**@**@*/******** b m s 3 0 4 0 0 0 -1 -1 -1 -1 0 10 25 ids:nodes",
    "O*@*****/O*@*****/*@*****O w m s 3 0 3 0 0 0 -1 -1 -1 -1 0 0 1 ids:nodes",
    "O*****@*/O*****@*/**@***O@ w m s 3 0 4 0 0 0 -1 -1 -1 -1 0 19 32 ids:nodes",
    "******O@/O*******/*@@****O w m s 3 0 3 0 0 0 -1 -1 -1 -1 0 0 1 ids:nodes",
]
"""From the tests of its engine."""


@pytest.mark.parametrize(("moves", "text"), WRITTEN_BY_SANMILL)
def test_the_moves_lead_to_the_position_that_sanmill_writes(moves, text):
    played = morris_sanmill.play_moves(morris.setup(NINE), moves)
    read = morris_sanmill.read(text, NINE)
    assert (read.board, read.turn, read.hand, read.takes) == (
        (played.board, played.turn, played.hand, played.takes)
    )
    assert morris_sanmill.write(played) == re.sub(r"-1 -1 -1 -1 0 0 \d ids:nodes", "0 0 0 0 0 0 1", text)


@pytest.mark.parametrize("text", [START, *MOVING])
def test_a_text_of_sanmill_is_written_as_it_was(text):
    assert morris_sanmill.write(morris_sanmill.read(text, NINE)) == text


@pytest.mark.parametrize("text", MOVING_OF_ITS_ENGINE)
def test_a_text_of_its_engine_is_written_but_for_what_is_not_read(text):
    written = morris_sanmill.write(morris_sanmill.read(text, NINE))
    assert written == re.sub(r"-1 -1 -1 -1 0 (\d+) \d+ ids:nodes", r"0 0 0 0 0 \1 1", text)


@pytest.mark.parametrize("preset", ["nine", "lasker", "twelve"])
@given(choices=st.lists(st.integers(0, 999), max_size=120))
def test_a_position_of_ours_survives_but_for_what_sanmill_does_not_write(preset, choices):
    state = morris.setup(PRESETS[preset])
    for choice in choices:
        moves = morris.legal_moves(state)
        if not moves:
            return
        state = morris.play(state, moves[choice % len(moves)]).state
    if state.ended is None:
        read = morris_sanmill.read(morris_sanmill.write(state), state.options)
        quiet = 0 if any(state.hand) else state.quiet
        assert read == morris.State(
            state.options, state.turn, state.board, state.hand, state.takes, quiet=quiet
        )


def test_the_points_are_listed_from_the_inner_square_outwards():
    state = morris_sanmill.read("O*******/*@******/**O***** b p p 2 7 1 8 0 0 0 0 0 0 0 0 1", NINE)
    points = dict(zip(BOARDS[NINE.board].points, state.board, strict=True))
    assert {point: man for point, man in points.items() if man != "."} == {"d5": "W", "f6": "B", "g4": "W"}


def test_lines_for_the_engine_keep_the_earlier_positions():
    start = "position fen ******O*/OOO@*@*@/******** w m s 4 0 3 0 0 0 0 0 0 0 0 0 1"
    state = morris_sanmill.read(f"{start} moves d6-d5 b6-d6 d5-e5 d6-b6", NINE)
    assert (state.quiet, len(state.trail)) == (4, 8)
    played = morris_sanmill.read("position startpos moves d6 f4 d7 b4 d5 xb4", NINE)
    assert played == morris_sanmill.play_moves(morris.setup(NINE), "d6 f4 d7 b4 d5 xb4")


def test_a_list_of_moves_may_have_numbers_comments_and_a_result():
    told = '[Event "Evening"] 1. d6 f4 2. D7 {a spoke} b4 3. d5xb4 1-0'
    assert [*map(str, morris_sanmill.moves_of(told))] == ["d6", "f4", "d7", "b4", "d5", "xb4"]
    assert morris_sanmill.moves_of("d6-d5xc3 *") == morris_sanmill.moves_of("d6-d5 xc3")


COPIED_FROM_ITS_APP = """[Event "Sanmill-Game"]\r
[Site "Sanmill"]\r
[Date "2026.7.16"]\r
[White "Human"]\r
[Black "AI"]\r
[Result "*"]\r
[Variant "Nine Men's Morris"]\r
{HEADINGS}\r
1. d6 f4!?
2. d7 $6 b4
3. d5xb4 *"""


def test_a_match_as_its_app_copies_it_is_read():
    played = morris_sanmill.play_moves(morris.setup(NINE), "d6 f4 d7 b4 d5 xb4")
    assert morris_sanmill.read(COPIED_FROM_ITS_APP.replace("{HEADINGS}", '[PlyCount "6"]'), NINE) == played
    for text in ("1. d6 f4 2. d7 b4 3. d5xb4", "D6 f4 d7 b4 d5 xb4"):
        assert morris_sanmill.read(text, NINE) == played


def test_a_match_that_its_app_began_at_a_position_begins_there():
    began = "********/****O@**/****O@** w p p 2 7 2 7 0 0 -1 -1 -1 -1 0 0 3 ids:nodes"
    text = f'[FEN "{began}"]\r\n[SetUp "1"]\r\n\r\n1. d3xb2'
    read = morris_sanmill.read(text, NINE)
    assert read == morris_sanmill.play_moves(morris_sanmill.read(began, NINE), "d3 xb2")
    with pytest.raises(BadPosition):
        morris_sanmill.read(text.replace("2 7 2 7", "2 7 3 6"), NINE)


@pytest.mark.parametrize("preset", ["nine", "lasker", "twelve"])
@given(choices=st.lists(st.integers(0, 999), max_size=120))
def test_a_match_of_ours_is_read_as_it_is_written(preset, choices):
    start = state = morris.setup(PRESETS[preset])
    moves = []
    for choice in choices:
        if legal := morris.legal_moves(state):
            moves.append(str(legal[choice % len(legal)]))
            state = morris.play(state, morris.parse(moves[-1])).state
    line = morris_sanmill.write_line(start, moves)
    assert morris_sanmill.read(line, start.options) == state
    assert line.startswith("position startpos moves") is (preset == "nine")


@pytest.mark.parametrize("text", ["d9", "d6f4", "d6-", "xx", "draw"])
def test_other_words_are_no_moves(text):
    with pytest.raises(Unparseable):
        morris_sanmill.moves_of(text)


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("", "fields"),
        (START.removesuffix(" 1"), "fields"),
        (f"{START} s:1", "fields"),
        (START.replace("*", "X", 1), "board"),
        (START.replace("*", "", 1), "board"),
        (START.replace(" w ", " n "), "side"),
        (START.replace(" p p ", " o p "), "phase"),
        (START.replace(" p p ", " p ? "), "action"),
        (START.replace(" 0 9 0 9", " 1 8 0 9"), "men"),
        (START.replace(" 0 9 0 9", " x 9 0 9"), "numbers"),
        (START.replace(" 9 0 0 0", " 9 1 0 0"), "takes"),
        (START.replace(" 9 0 0 0", " 9 -1 0 0"), "numbers"),
        (f"position fen {START} moves d6 d6", "moves"),
        ("startpos moves d6-d5", "moves"),
    ],
)
def test_what_is_wrong_is_named(text, field):
    with pytest.raises(BadPosition) as error:
        morris_sanmill.read(text, NINE)
    assert error.value.field == field


def test_a_board_of_other_points_and_a_finished_match_have_no_text():
    for state in (
        morris.setup(PRESETS["six"]),
        morris.play(morris.setup(NINE), Leave(0)).state,
    ):
        with pytest.raises(BadPosition):
            morris_sanmill.write(state)
    with pytest.raises(BadPosition):
        morris_sanmill.read(START, PRESETS["six"])


def test_the_examples_of_the_document_are_read():
    examples = re.findall(r"^    ((?:\*{8}|position ).*)$", DOCUMENT.read_text(), re.MULTILINE)
    assert len(examples) == 3
    for example in examples:
        assert morris.legal_moves(morris_sanmill.read(example, NINE))
