"""That every puzzle is what its line says, and that the second program finds the same values."""

from random import Random

import pytest

from games.puzzles import collection, words
from games.puzzles.collection import THEMES, file_of, read, written
from games.registry import GAMES
from games.rules.cantstop import COLUMNS, LENGTHS
from games.rules.kalah import stores
from tests.helpers.samples import sample
from tools.puzzles import __main__ as tool
from tools.puzzles import check, kalah, morris

GAMES_WITH_PUZZLES = {"kalah", "morris", "cantstop"}
of_each_game = pytest.mark.parametrize("slug", sorted(GAMES_WITH_PUZZLES))
FORMER = "days"
MOST_KEPT = 300_000
"""Bytes of all files."""


def puzzles_of(slug):
    return [*collection.by_game()[slug].values()]


def some(slug, count):
    """Random puzzles that are checked quickly, at most so many."""
    small = [each for each in puzzles_of(slug) if is_small(each)]
    return Random().sample(small, min(count, len(small)))


def is_small(puzzle):
    state = collection.shown(puzzle).state
    if puzzle.slug == "kalah":
        return sum(state.board) - sum(stores(state)) <= 10
    if puzzle.slug == "morris":
        return puzzle.turns <= 4
    opened = [column for column in COLUMNS if state.owners[column] is None]
    return sum(LENGTHS[column] - state.cones[seat][column] for seat in (0, 1) for column in opened) <= 10


def test_there_are_three_hundred_of_each_game_that_has_decisions():
    assert {*collection.by_game()} == GAMES_WITH_PUZZLES == {*tool.KINDS}
    assert min(map(len, collection.by_game().values())) >= 300
    assert all(game.pure_luck for slug, game in GAMES.items() if slug not in GAMES_WITH_PUZZLES)


def test_the_files_are_small():
    names = [*GAMES_WITH_PUZZLES, FORMER]
    assert sum(file_of(name).stat().st_size for name in names) < MOST_KEPT


@pytest.mark.parametrize("name", [*sorted(GAMES_WITH_PUZZLES), FORMER])
def test_a_file_reads_as_it_is_written(name):
    text = file_of(name).read_text("ascii")
    assert written(read(text)) == text


@of_each_game
def test_no_two_have_the_same_position(slug):
    assert len({each.position for each in puzzles_of(slug)}) == len(collection.stored(slug))


@pytest.mark.parametrize("name", [*sorted(GAMES_WITH_PUZZLES), FORMER])
def test_one_legal_move_is_the_best_and_the_line_can_be_played(name):
    for puzzle in collection.stored(name):
        shown = collection.shown(puzzle)
        assert {str(move) for move in shown.game.rules.legal_moves(shown.state)} == set(puzzle.worth)
        assert [move for move, worth in puzzle.worth.items() if worth == puzzle.best] == [puzzle.answer]
        assert {*puzzle.themes} <= {*THEMES}
        played = collection.answer(shown)
        assert all(each.outcome is None for each in played[:-1])


def test_a_win_in_some_moves_is_played_to_its_end():
    for puzzle in puzzles_of("morris"):
        if puzzle.best > 0:
            last = collection.answer(collection.shown(puzzle))[-1]
            assert last.outcome is not None
            assert len(last.outcome.winners) == 1


@pytest.mark.parametrize("name", [*sorted(GAMES_WITH_PUZZLES), FORMER])
def test_verdict_tells_right_move_from_wrong(name):
    for puzzle in collection.stored(name):
        shown = collection.shown(puzzle)
        said = {move: words.verdict(shown, move) for move in puzzle.worth}
        assert "Another move" not in said.pop(puzzle.answer)
        assert all("Another move" in sentence for sentence in said.values())


@of_each_game
def test_the_second_program_finds_the_same_values(slug):
    for puzzle in some(slug, sample(20, 3)):
        check.check(puzzle)


@pytest.mark.deep
@of_each_game
def test_the_second_program_finds_the_same_values_of_all(slug):
    assert not list(tool.check_all(puzzles_of(slug)))


@of_each_game
def test_the_second_program_refuses_a_wrong_value(slug):
    (puzzle,) = some(slug, 1)
    wrong = {**puzzle.worth, puzzle.answer: puzzle.best + 1}
    with pytest.raises(check.Wrong):
        check.check(type(puzzle)(puzzle.position, puzzle.themes, puzzle.turns, wrong, puzzle.line))


@pytest.mark.parametrize("maker", [kalah, morris], ids=["kalah", "morris"])
def test_the_search_makes_the_same_puzzle_of_a_position(maker):
    for puzzle in some(maker.SLUG, sample(20, 3)):
        assert maker.of(collection.shown(puzzle).state) == puzzle


def test_the_files_are_made_from_numbers_alone():
    for maker, seeds in ((kalah, 12), (morris, 2)):
        made = {puzzle.position for seed in range(seeds) for puzzle in maker.candidates(seed)}
        assert made
        assert made <= {each.position for each in puzzles_of(maker.SLUG)}


@pytest.mark.parametrize("maker", [kalah, morris], ids=["kalah", "morris"])
def test_the_start_of_a_match_is_no_puzzle(maker):
    rules = GAMES[maker.SLUG].rules
    assert maker.of(rules.setup(next(iter(rules.PRESETS.values())), 2)) is None
