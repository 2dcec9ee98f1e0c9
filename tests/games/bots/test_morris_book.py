"""The opening book of Nine Men's Morris: its file, how the best level uses it, and how it is made."""

from dataclasses import replace
from random import Random

import pytest

from games.bots import morris as player
from games.bots import morris_book
from games.bots.morris_book import BadBook
from games.bots.morris_levels import LEVELS
from games.rules import morris
from games.rules.morris import ALWAYS, BLACK, MEN, PRESETS
from tests.games.rules.morris_positions import NINE
from tests.helpers.samples import sample
from tools import morris_book as maker
from tools.morris_book import Effort, Searches, Values
from tools.morris_book_check import Agreement, check, check_with, placings
from tools.morris_book_search import START, state_of
from tools.morris_book_search import following as after_moves

BEST = len(LEVELS)
LARGEST = 2_000_000
"""Bytes that the file may have."""


@pytest.fixture
def searches(tmp_path):
    return Searches(tmp_path / "work")


def known(number, seed=1):
    """Some positions of the book, with white to move."""
    return [state_of(each) for each in Random(seed).sample(sorted(morris_book.load()), number)]


def following(*moves):
    state = morris.setup(NINE)
    for move in moves:
        state = morris.play(state, morris.parse(move)).state
    return state


# The file


def test_every_move_of_the_book_is_legal_and_the_best_come_first():
    assert len(morris_book.load()) >= 100
    for position, values in morris_book.load().items():
        state = state_of(position)
        assert set(values) <= set(map(str, morris.legal_moves(state)))
        assert list(values.values()) == sorted(values.values(), reverse=True)
        assert all(value % morris_book.STEP == 0 for value in values.values())
        assert values
        assert any(state.hand)


def test_symmetric_positions_share_a_line():
    assert all(morris_book.least(each)[0] == each for each in morris_book.load())


def test_the_file_is_small():
    assert morris_book.PATH.stat().st_size <= LARGEST


def test_a_book_is_read_as_it_was_written(tmp_path):
    morris_book.write(tmp_path / "book", morris_book.load(), "A copy.")
    assert morris_book.read(tmp_path / "book") == morris_book.load()


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text[: text.rindex("=") + 1],
        lambda text: text.replace("d6=", "b1="),
        lambda text: text.replace("\n", "\n<<<<<<< ours\n", 2),
    ],
    ids=["cut off", "no such point", "conflict"],
)
def test_a_damaged_book_is_refused_and_none_is_used(tmp_path, change):
    file = tmp_path / "book"
    file.write_text(change(morris_book.PATH.read_text()))
    with pytest.raises(BadBook):
        morris_book.read(file)
    with pytest.warns(UserWarning, match="damaged"):
        assert morris_book.load(file) == {}


def test_a_book_that_is_not_there_has_no_moves(tmp_path):
    with pytest.warns(UserWarning, match="nowhere"):
        assert morris_book.load(tmp_path / "nowhere") == {}


# What it says


def test_at_the_start_any_of_the_symmetric_moves_will_do():
    best = morris_book.best(morris.setup(NINE))
    assert best
    assert {morris_book.moved(move, turn) for move in best for turn in morris_book.turns()} == set(best)


def test_symmetric_positions_have_symmetric_moves():
    for state in known(sample(60, 8)):
        moves = morris_book.moves(state, morris_book.load())
        for turn in morris_book.turns():
            board = morris_book.turned(state.board, turn)
            there = morris_book.moves(replace(state, board=board), morris_book.load())
            assert {morris_book.moved(move, turn): value for move, value in there.items()} == moves


def test_both_colours_have_the_same_moves():
    for state in known(sample(60, 8)):
        board = state.board.translate(str.maketrans(MEN, MEN[::-1]))
        black = replace(state, turn=BLACK, board=board, hand=state.hand[::-1])
        assert morris_book.best(black) == morris_book.best(state)


def test_an_unknown_position_has_no_moves():
    state = replace(morris.setup(NINE), hand=(3, 3))
    assert morris_book.moves(state, morris_book.load()) == {}
    assert morris_book.best(state) == []


# Who uses it


def test_the_best_level_plays_by_the_book():
    for state in known(sample(60, 12)):
        chosen = {player.choose(state, BEST, 0.001, Random(seed)) for seed in range(6)}
        assert chosen <= set(morris_book.best(state))


def test_no_other_level_has_it():
    assert [skill.book for skill in player.SKILLS] == [False] * (BEST - 1) + [True]


@pytest.mark.parametrize(
    "options", [PRESETS["lasker"], replace(NINE, from_mills=ALWAYS)], ids=["lasker", "nine"]
)
def test_other_rules_have_no_book(options):
    with_book, without = player.SKILLS[-1], player.SKILLS[-1]._replace(book=False)
    for seed in range(4):
        state = morris.setup(options)
        moves = [player.by_skill(state, skill, 0.001, Random(seed)) for skill in (with_book, without)]
        assert moves[0] == moves[1]


# How it is made


def test_values_come_from_the_positions_further_on(searches):
    """The reply that seemed harmless costs a man, so another first move is better."""
    moves = after_moves(START)
    first, second = list(moves)[:2]
    searches.own[START] = {first: 20, second: 12}
    reply, *others = after_moves(moves[first].position)
    searches.replies[moves[first].position] = {reply: 0, others[0]: -maker.PLAUSIBLE - 1}
    assert Values(searches).own(START) == {first: 20, second: 12}
    after = after_moves(moves[first].position)[reply].position
    searches.own[after] = {next(iter(after_moves(after))): -100}
    assert Values(searches).own(START) == {first: -100, second: 12}


def test_a_move_keeps_its_value_until_all_plausible_replies_are_searched(searches):
    moves = after_moves(START)
    first = next(iter(moves))
    searches.own[START] = {first: 20}
    one, other, *_ = after_moves(moves[first].position).items()
    searches.replies[moves[first].position] = {one[0]: 5, other[0]: 5}
    for (_, reached), value, found in ((one, -40, 20), (other, -80, -80)):
        searches.own[reached.position] = {next(iter(after_moves(reached.position))): value}
        assert Values(searches).own(START) == {first: found}


def test_first_of_all_the_start_is_searched_for_both_sides(searches):
    assert {(each.position, each.own) for each in maker.due(searches)} == {(START, True), (START, False)}


def test_moves_lead_to_positions_by_symmetry():
    assert len(after_moves(START)) == 4
    assert all(not reached.same for reached in after_moves(START).values())


def test_a_mill_leaves_the_same_side_to_move():
    state = following("a7", "d6", "d7", "f4")
    reached = after_moves(morris_book.least(morris_book.seen(state))[0])
    assert [each.position.endswith(" 1") for each in reached.values() if each.same] == [True]


def test_placings_lead_to_a_position():
    for state in known(sample(60, 20)):
        position = morris_book.seen(state)
        way = placings(position)
        if way:
            there = following(*way)
            assert morris_book.least(morris_book.seen(there))[0] == position


class Asked:
    """An engine that plays by the book, or answers that it found no move."""

    def __init__(self, knows):
        self.knows = knows

    def choose(self, moves, seconds):
        return str(morris_book.best(following(*moves))[0]) if self.knows else "none"


@pytest.mark.parametrize(("knows", "good"), [(True, 6), (False, 0)], ids=["by the book", "none"])
def test_an_engine_agrees_where_it_plays_a_move_of_the_book(knows, good):
    assert check_with(Asked(knows), morris_book.load(), 6, 1.0) == Agreement(good, 6)


@pytest.mark.full
def test_the_book_is_the_same_however_it_is_made(tmp_path):
    effort = Effort(3_000, 1_000)
    at_once = maker.make(14, tmp_path / "one", 2, effort)
    maker.make(3, tmp_path / "other", 1, effort)
    assert maker.make(14, tmp_path / "other", 1, effort) == at_once


@pytest.mark.full
def test_another_judge_agrees_with_most_of_the_book():
    agreement = check(morris_book.load(), 8, 100_000, knows=True)
    assert agreement.of == 8
    assert agreement.good >= 6
