"""The courses: the moves that they ask for are the best, and what they say of chances is true."""

import random
from fractions import Fraction
from itertools import product

import pytest

from games.computers.thinking import player_of
from games.pages.introduction import COURSE, played
from games.registry import GAMES
from games.rules import cantstop

TAUGHT = [slug for slug, game in GAMES.items() if game.course]


def lessons(slugs):
    """Parameters: each lesson of the courses of some games."""
    return pytest.mark.parametrize(
        ("slug", "each"),
        [
            pytest.param(slug, each, id=f"{slug}-{number}")
            for slug in slugs
            for number, each in enumerate(played(slug, COURSE), 1)
        ],
    )


@pytest.mark.parametrize("slug", TAUGHT)
def test_course_has_ten_lessons(slug):
    course = played(slug, COURSE)
    assert len(course) == 10
    assert course[0].lesson.position is not None


@lessons(TAUGHT)
def test_lesson_asks_for_a_legal_move_of_the_first_seat_and_answers_others(slug, each):
    rules = GAMES[slug].rules
    assert each.before.state.turn == 0
    assert set(each.lines) <= set(each.legal)
    assert bool(each.lesson.otherwise) == (set(each.lines) != set(each.legal))
    assert all(rules.chance(line[-1].state) is None for line in each.lines.values())
    assert each.before.state.options == next(iter(rules.PRESETS.values()))


@lessons(slug for slug in TAUGHT if not GAMES[slug].pure_luck)
def test_lesson_asks_for_the_move_that_the_best_level_plays(slug, each):
    best = player_of(slug).look(each.before.state, 2, random.Random(0)).moves[0]
    assert str(best.move) in each.lines


# What the courses say in numbers


def lesson(slug, number):
    return played(slug, COURSE)[number - 1]


def hundredths(chance):
    return round(100 * chance)


def with_sum(total):
    """The share of rolls of four dice of which a pair makes a sum."""
    rolls = list(product(range(1, 7), repeat=4))
    pairs = ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))
    return Fraction(sum(any(roll[i] + roll[j] == total for i, j in pairs) for roll in rolls), len(rolls))


def test_sums_of_two_of_four_dice():
    assert [hundredths(with_sum(total)) for total in (7, 6, 2)] == [64, 56, 13]


@pytest.mark.parametrize(("number", "bust"), [(2, 0), (4, 8), (5, 56), (6, 8), (8, 31)])
def test_chance_of_a_bust(number, bust):
    assert hundredths(cantstop.bust_odds(lesson("cantstop", number).before.state)) == bust


def test_whoever_rolls_the_last_die_wins_three_of_five_games_of_two():
    wins = Fraction(3, 5)
    # An ace wins, twos and fives hand the die to the opponent, and otherwise the same player rolls again.
    assert wins == Fraction(1, 6) + Fraction(2, 6) * (1 - wins) + Fraction(3, 6) * wins


def test_three_dice_without_an_ace():
    assert hundredths(Fraction(5, 6) ** 3) == 58
