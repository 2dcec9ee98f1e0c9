"""Which puzzle a day has, and that every one of them is what it is said to be."""

from datetime import date, timedelta
from random import Random

import pytest

from games.puzzles import daily, words
from games.puzzles.daily import FIRST, NoPuzzle
from games.registry import GAMES
from tests.helpers.samples import sample
from tools import puzzles as tool

TODAY = date(2026, 11, 22)
A_DAY = timedelta(days=1)
NUMBERS = range(len(daily.puzzles()))
ALL = pytest.mark.parametrize("number", NUMBERS)
SEARCHED = sample(20, 3)
"""How many are searched anew in each run: each takes up to a second. A `deep` run takes all."""


def test_puzzles_last_two_months():
    assert 60 <= len(NUMBERS) <= 120
    assert {each.game for each in daily.puzzles()} == set(tool.KINDS)


def test_each_day_has_the_next_one_and_all_come_before_one_comes_again():
    days = [FIRST + number * A_DAY for number in NUMBERS]
    shown = [daily.of_day(day, TODAY).puzzle for day in days]
    assert shown == list(daily.puzzles())
    assert daily.of_day(days[-1] + A_DAY, TODAY).puzzle == shown[0]


def test_no_two_are_the_same_position():
    assert len({daily.position(number).state for number in NUMBERS}) == len(NUMBERS)


@pytest.mark.parametrize("day", [FIRST - A_DAY, TODAY + A_DAY, date.min, date.max])
def test_a_day_before_the_first_and_one_to_come_have_none(day):
    with pytest.raises(NoPuzzle):
        daily.of_day(day, TODAY)


@ALL
def test_puzzle_reachable_with_one_best_answer(number):
    shown = daily.position(number)
    rules, puzzle = shown.game.rules, shown.puzzle
    assert shown.game.dice is False
    assert rules.outcome(shown.state) is None
    assert {str(move) for move in rules.legal_moves(shown.state)} == set(puzzle.worth)
    best = max(puzzle.worth.values())
    assert [move for move, worth in puzzle.worth.items() if worth == best] == [puzzle.answer]


@ALL
def test_puzzle_line_ends_after_solvers_next_turn(number):
    shown = daily.position(number)
    seat, turns = shown.state.turn, [shown.state.turn]
    played = daily.answer(shown)
    assert [each.move for each in played] == [*shown.puzzle.line, *shown.puzzle.after]
    for each in played:
        if each.step.state.turn != turns[-1]:
            turns.append(each.step.state.turn)
    assert all(each.outcome is None for each in played[:-1])
    assert played[-1].outcome is not None or turns == [seat, 1 - seat, seat, 1 - seat]
    line = played[: len(shown.puzzle.line)]
    assert line[-1].outcome is not None or line[-1].step.state.turn != seat


@ALL
def test_verdict_tells_right_move_from_wrong(number):
    shown = daily.position(number)
    right = shown.puzzle.answer
    said = {move: words.verdict(shown, move) for move in shown.puzzle.worth}
    assert "Another move" not in said.pop(right)
    assert all("Another move" in sentence for sentence in said.values())


@pytest.mark.parametrize(
    "count", [SEARCHED, pytest.param(len(NUMBERS), marks=pytest.mark.deep)], ids=["some", "all"]
)
def test_the_search_finds_the_same_answers_and_no_others(count):
    for number in Random().sample(NUMBERS, count):
        shown = daily.position(number)
        found = tool.judged(shown.puzzle.game, shown.state)
        assert found is not None, number
        puzzle = shown.puzzle
        assert (tuple(found.line), tuple(found.after)) == (puzzle.line, puzzle.after), number
        assert found.worth == puzzle.worth, number


def test_a_position_in_which_two_moves_are_as_good_is_no_puzzle():
    for slug in tool.KINDS:
        rules = GAMES[slug].rules
        assert tool.judged(slug, rules.setup(next(iter(rules.PRESETS.values())), 2)) is None
