"""Tie-breaks and streaks, by small tables that can be added up by hand."""

import pytest

from lobby.tournaments.formats import FORMATS, arena, knockout, round_robin, tables
from lobby.tournaments.formats.base import BadRounds, Kind, Options, Pairing, TooFewPlayers
from lobby.tournaments.formats.simul import TooManyPlayers
from lobby.tournaments.formats.standings import buchholz, records, sonneborn_berger, standings
from tests.helpers.events import event, roster

A, B, C, D = 101, 102, 103, 104
SWISS = Options("swiss", rounds=2)
CROSS = [
    Pairing(1, 1, (A, B), points=(1.0, 0.0)),
    Pairing(1, 2, (C, D), points=(0.5, 0.5)),
    Pairing(2, 1, (C, A), points=(0.5, 0.5)),
    Pairing(2, 2, (B,), Kind.BYE, points=(1.0,)),
    Pairing(2, 3, (D,), Kind.HALF_BYE, points=(0.5,)),
]
# Points: A 1½, B 1, C 1, D 1.


def test_buchholz_adds_up_the_points_of_the_opponents():
    assert buchholz(records(CROSS, SWISS)) == {A: 1 + 1, B: 1.5 + 1, C: 1 + 1.5, D: 1 + 1}


def test_sonneborn_berger_counts_the_beaten_in_full_and_the_drawn_in_half():
    assert sonneborn_berger(records(CROSS, SWISS)) == {A: 1 + 0.5, B: 1, C: 0.5 + 0.75, D: 0.5 + 0.5}


def test_direct_encounter_decides_between_two_who_have_met():
    played = [
        Pairing(1, 1, (A, B), points=(0.0, 1.0)),
        Pairing(1, 2, (D, C), points=(1.0, 0.0)),
        Pairing(2, 1, (A, C), points=(1.0, 0.0)),
        Pairing(2, 2, (B, D), points=(0.0, 1.0)),
    ]
    lines = standings(roster(4), records(played, SWISS), ("direct",))
    assert [(line.player, line.rank) for line in lines] == [(D, 1), (B, 2), (A, 3), (C, 4)]


def test_direct_encounter_decides_nothing_unless_all_who_are_tied_have_met():
    played = [
        Pairing(1, 1, (A, B), points=(0.0, 1.0)),
        Pairing(2, 1, (A, C), points=(1.0, 0.0)),
        Pairing(2, 2, (B, D), points=(0.0, 1.0)),
    ]
    lines = standings(roster(4), records(played, SWISS), ("direct",))
    assert [(line.player, line.rank) for line in lines] == [(A, 1), (B, 1), (D, 1), (C, 4)]


def test_a_match_against_the_computer_counts_like_a_bye_in_tie_breaks():
    computer = Options("swiss", computer=999)
    played = [Pairing(1, 1, (A, 999), points=(1.0, 0.0))]
    assert buchholz(records(played, computer))[A] == 1.0


def test_points_of_tables_do_not_depend_on_the_order_of_adding():
    thirds = [
        Pairing(number, 1, (A, B, C, D), points=points)
        for number, points in enumerate([(1 / 3, 1, 2 / 3, 0), (2 / 3, 0, 1 / 3, 1)], 1)
    ]
    found = records(thirds, Options("tables"))
    assert {found[player].points for player in (A, B, C, D)} == {1.0}


def matches(*results):
    return [
        Pairing(number, 1, (A, B), points=(points, 1 - points), ended=number)
        for number, points in enumerate(results, 1)
    ]


@pytest.mark.parametrize(
    ("results", "points", "on_streak"),
    [
        ((1.0,), 2, False),
        ((1.0, 1.0), 4, True),
        ((1.0, 1.0, 1.0), 8, True),
        ((1.0, 1.0, 0.5), 6, False),
        ((1.0, 1.0, 0.0), 4, False),
        ((1.0, 1.0, 0.5, 1.0), 8, False),
        ((0.5, 0.5), 2, False),
    ],
)
def test_arena_streak_doubles_points_after_two_wins(results, points, on_streak):
    line = next(
        line for line in arena.standings(roster(2), matches(*results), Options("arena")) if line.player == A
    )
    assert (line.points, line.on_streak) == (points, on_streak)


def test_a_streak_follows_the_order_in_which_matches_ended():
    late, early = matches(0.0, 1.0)
    swapped = [
        Pairing(1, 1, late.seats, points=late.points, ended=3),
        Pairing(2, 1, early.seats, points=early.points, ended=1),
        Pairing(3, 1, early.seats, points=early.points, ended=2),
    ]
    lines = arena.standings(roster(2), swapped, Options("arena"))
    assert next(line for line in lines if line.player == A).points == 4


def test_a_win_against_an_absent_player_is_a_win_without_streak():
    absent = Pairing(3, 1, (A, B), Kind.FORFEIT, points=(1.0, 0.0), ended=3)
    lines = arena.standings(roster(2), [*matches(1.0, 1.0), absent], Options("arena"))
    assert (lines[0].points, lines[0].on_streak, lines[0].played) == (6, True, 2)


def test_berger_tables_are_those_of_the_handbook():
    assert [round_robin.berger(6, number) for number in (1, 2, 3, 4, 5)] == [
        [(1, 6), (2, 5), (3, 4)],
        [(6, 4), (5, 3), (1, 2)],
        [(2, 6), (3, 1), (4, 5)],
        [(6, 5), (1, 4), (2, 3)],
        [(3, 6), (4, 2), (5, 1)],
    ]


def test_the_bracket_keeps_the_first_seeds_apart_and_lets_them_skip_the_first_round():
    slots = knockout.bracket(roster(6), 8)
    assert slots == [101, None, 104, 105, 102, None, 103, 106]


def test_the_match_for_the_third_place_separates_the_losers_of_the_semi_finals():
    held = event("knockout", 5)
    held.play()
    assert held.ranks() == {101: 1, 102: 2, 103: 3, 104: 4, 105: 5}
    without = event("knockout", 5, third_place=False)
    without.play()
    assert without.ranks() == {101: 1, 102: 2, 103: 3, 104: 3, 105: 5}


@pytest.mark.parametrize(
    ("count", "least", "most", "sizes"),
    [
        (8, 2, 4, [4, 4]),
        (9, 2, 4, [3, 3, 3]),
        (5, 2, 4, [3, 2]),
        (5, 4, 4, [4]),
        (7, 3, 3, [3, 3]),
        (5, 3, 4, [4]),
        (2, 3, 4, []),
    ],
)
def test_tables_are_as_few_and_as_equal_as_can_be(count, least, most, sizes):
    assert tables.table_sizes(count, least, most) == sizes


def test_tables_second_bye_worth_half_a_point():
    held = event("tables", 4, rounds=5, seats=3, least_seats=3)
    held.play()
    assert [each.reason for each in held.pairings if len(each.seats) == 1] == ["bye"] * 4 + ["second_bye"]


@pytest.mark.parametrize(
    ("form", "count", "options", "error"),
    [
        ("arena", 1, {}, TooFewPlayers),
        ("swiss", 2, {"rounds": 1}, TooFewPlayers),
        ("swiss", 6, {"rounds": 6}, BadRounds),
        ("swiss", 6, {"rounds": 0}, BadRounds),
        ("round_robin", 2, {}, TooFewPlayers),
        ("knockout", 2, {}, TooFewPlayers),
        ("tables", 2, {"rounds": 1, "least_seats": 3, "seats": 3}, TooFewPlayers),
        ("simul", 1, {}, TooFewPlayers),
        ("simul", 31, {}, TooManyPlayers),
        ("tables", 6, {"rounds": 31, "seats": 3}, BadRounds),
    ],
)
def test_check_impossible_start_refused(form, count, options, error):
    with pytest.raises(error):
        FORMATS[form].check(count, Options(form, **options))


def test_the_computer_takes_the_odd_chair_and_meets_nobody_twice():
    held = event("swiss", 5, rounds=4, computer=999)
    held.play()
    against = [each for each in held.pairings if 999 in each.seats]
    assert len(against) == len({frozenset(each.seats) for each in against}) == 4
    assert {each.reason for each in against} == {"computer"}
    assert not any(each.kind is Kind.BYE for each in held.pairings)


def test_the_computer_plays_who_is_left_over_in_an_arena_and_has_waited():
    held = event("arena", 3, computer=999)
    assert len(held.pair(101, 102, 103)) == 1
    (pairing,) = held.pair(103, patient=[103])
    assert set(pairing.seats) == {103, 999}
