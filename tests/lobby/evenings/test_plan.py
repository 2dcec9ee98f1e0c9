"""From people, minutes and game to a plan that fits."""

from __future__ import annotations

import pytest

from games.registry import GAMES
from lobby.evenings import evenings
from lobby.evenings.plan import Chosen, EveningPlan, minutes_of_a_round, propose
from lobby.tournaments.formats import FORMATS
from lobby.tournaments.formats.base import Options

KALAH = GAMES["kalah"]
NOTHING = Chosen()


def plan(game: str, people: int, minutes: int, chosen: Chosen = NOTHING) -> EveningPlan:
    return propose(people, minutes, GAMES[game].rules.SEATS[-1], GAMES[game].clocks, chosen)


@pytest.mark.parametrize(
    ("game", "people", "minutes", "expected"),
    [
        ("kalah", 12, 90, ("swiss", 6, "5+3", 2)),
        ("kalah", 30, 90, ("swiss", 6, "5+3", 2)),
        ("morris", 6, 90, ("round_robin", 5, "5+3", 2)),
        ("morris", 2, 30, ("round_robin", 3, "3+2", 2)),
        # Fewer rounds rather than a clock that is too fast for beginners.
        ("kalah", 6, 60, ("swiss", 4, "5+3", 2)),
        ("kalah", 30, 45, ("swiss", 3, "5+3", 2)),
        ("kalah", 30, 30, ("swiss", 3, "3+2", 2)),
        ("aces", 12, 90, ("tables", 3, "5+3", 4)),
        ("cantstop", 5, 90, ("tables", 3, "5+3", 4)),
    ],
    ids=lambda value: str(value) if isinstance(value, str | int) else "",
)
def test_a_plan_suits_people_minutes_and_game(game, people, minutes, expected):
    found = plan(game, people, minutes)
    assert (found.format, found.rounds, found.clock, found.seats) == expected


@pytest.mark.parametrize("game", GAMES)
def test_every_plan_can_begin_and_fits_if_any_does(game):
    fastest = min(minutes_of_a_round(each, 2) for each in ("1+0", "2+1", "3+2") if each in GAMES[game].clocks)
    for people in range(3, 41):
        for minutes in (30, 60, 90, 180, 480):
            found = plan(game, people, minutes)
            form = FORMATS[found.format]
            least = min(found.seats, max(2, GAMES[game].rules.SEATS[0]))
            options = Options(found.format, found.rounds, least_seats=least, seats=found.seats)
            form.check(people, options)
            assert form.rounds(people, options) == found.rounds
            assert found.minutes <= max(minutes, round(fastest)), (people, minutes, found)


def test_plan_keeps_choices_of_host():
    chosen = Chosen("knockout", 0, "3+2")
    assert plan("kalah", 12, 90, chosen) == EveningPlan("knockout", 4, "3+2", 2, 39)
    assert plan("kalah", 12, 30, Chosen(rounds=5)).rounds == 5
    assert plan("kalah", 4, 90, Chosen("swiss", 9)).rounds == 3


def test_an_arena_lasts_as_long_as_the_evening_with_a_clock_for_many_matches():
    arena = Chosen("arena")
    assert plan("kalah", 12, 90, arena) == EveningPlan("arena", 0, "5+3", 2, 90)
    assert plan("aces", 5, 180, arena) == EveningPlan("arena", 0, "5+3", 2, 180)
    assert plan("kalah", 12, 45, Chosen("arena", 4, "5+3")) == EveningPlan("arena", 0, "5+3", 2, 45)


def test_tables_are_offered_only_where_three_can_sit():
    assert evenings.formats_of(KALAH) == ["arena", "swiss", "round_robin", "knockout"]
    assert "tables" in evenings.formats_of(GAMES["aces"])
