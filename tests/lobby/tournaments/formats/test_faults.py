"""Faults that players of tournaments have reported for years, each with the rule that prevents it here."""

from random import Random

import pytest

from lobby.tournaments.formats import arena, knockout
from lobby.tournaments.formats.base import Kind, Options, Pairing, Player, finished
from tests.helpers.events import event, random_result

ROUNDS = ("swiss", "round_robin", "knockout")


@pytest.mark.parametrize("form", ROUNDS)
def test_a_tournament_goes_on_until_the_last_match_has_ended(form):
    held = event(form, 4, rounds=3)
    while not held.over:
        held.pair()
        last = held.open[-1]
        for pairing in held.open[:-1]:
            held.end(pairing, 1.0, 0.0)
        ask = (held.form, held.players, held.pairings, held.options)
        assert not held.pair()
        assert not finished(*ask)
        assert not finished(*ask, closed=True)
        held.end(last, 1.0, 0.0)


def test_an_arena_goes_on_until_the_last_match_has_ended():
    held = event("arena", 2)
    held.pair(101, 102)
    ask = (held.form, held.players, held.pairings, held.options)
    assert not finished(*ask, closed=True)
    held.end(held.open[0], 1.0, 0.0)
    ask = (held.form, held.players, held.pairings, held.options)
    assert not finished(*ask)
    assert finished(*ask, closed=True)


@pytest.mark.parametrize("form", ROUNDS)
def test_pairing_empty_when_all_withdrew(form):
    held = event(form, 6, rounds=5)
    held.pair()
    held.end_all()
    for player in held.players:
        held.withdraw(player.id)
    assert not held.pair()
    assert held.over


@pytest.mark.parametrize("form", ROUNDS)
def test_a_withdrawn_player_gets_no_match(form):
    held = event(form, 6, rounds=4)
    held.pair()
    held.end_all()
    held.withdraw(101)
    held.play()
    assert not any(pairing.met and pairing.round > 1 for pairing in held.pairings if 101 in pairing.seats)


def test_bye_for_full_point_at_most_once():
    held = event("swiss", 5, rounds=4)
    held.play()
    byes = [pairing.seats for pairing in held.pairings if pairing.kind is Kind.BYE]
    assert len(set(byes)) == len(byes) == 4


def test_the_bye_goes_to_the_lowest_player_without_one():
    held = event("swiss", 5, rounds=3)
    held.play()
    assert [each.seats for each in held.pairings if each.kind is Kind.BYE][:2] == [(105,), (104,)]


@pytest.mark.parametrize("form", ["swiss", "tables"])
def test_late_players_get_half_a_point_for_a_few_missed_rounds(form):
    held = event(form, 6, rounds=5, late_byes=2)
    held.change(106, joined=4)
    held.play()
    late = [pairing for pairing in held.pairings if pairing.reason == "late_bye"]
    assert [(pairing.round, pairing.seats, pairing.points) for pairing in late] == [
        (2, (106,), (0.5,)),
        (3, (106,), (0.5,)),
    ]


def test_leaving_and_coming_back_brings_no_points():
    held = event("swiss", 6, rounds=5)
    held.pair()
    held.end_all(lambda pairing: (0.0, 1.0) if 106 in pairing.seats[:1] else (1.0, 0.0))
    before = held.points()[106]
    held.withdraw(106)
    held.pair()
    held.end_all()
    held.change(106, withdrawn=False)
    held.pair()
    assert held.points()[106] == before
    assert any(106 in pairing.seats for pairing in held.open)


def test_byes_that_are_asked_for_are_few_and_not_in_the_last_round():
    held = event("swiss", 6, rounds=4, half_byes=1)
    held.change(101, byes=frozenset({2, 3, 4}))
    held.change(102, byes=frozenset({4}))
    held.play()
    asked = [(each.round, each.seats) for each in held.pairings if each.kind is Kind.HALF_BYE]
    assert asked == [(2, (101,))]


def test_players_are_paired_by_points_and_told_why():
    held = event("swiss", 8, rounds=3)
    held.play(random_result(Random(5), draws=False))
    second = [pairing for pairing in held.pairings if pairing.round == 2]
    assert {pairing.reason for pairing in second} == {"score_group"}
    first = {player: points for each in held.pairings[:4] for player, points in zip(each.seats, each.points)}  # noqa: B905
    assert all(len({first[player] for player in pairing.seats}) == 1 for pairing in second)


def test_a_floater_is_told_so():
    held = event("swiss", 6, rounds=2)
    held.play(random_result(Random(5), draws=False))
    assert sorted(each.reason for each in held.pairings if each.round == 2) == [
        "floater",
        "score_group",
        "score_group",
    ]


def test_two_who_are_alone_meet_again_and_again():
    held = event("arena", 4)
    for _ in range(3):
        (pairing,) = held.pair(101, 102)
        held.end(pairing, 1.0, 0.0)
    assert pairing.reason == "again"


def test_arena_avoids_last_opponent_while_another_is_free():
    held = event("arena", 3)
    held.end(*held.pair(101, 102), 1.0, 0.0)
    (pairing,) = held.pair(101, 102, 103)
    assert 103 in pairing.seats


def test_players_who_are_kept_apart_are_not_paired_even_alone():
    held = event("arena", 3)
    held.change(101, apart=frozenset({102}))
    assert not held.pair(101, 102)
    (pairing,) = held.pair(102, 101, 103)
    assert {*pairing.seats} != {101, 102}


class Counted(frozenset):
    """A set that counts how often it is asked."""

    asked = 0

    def __contains__(self, player):
        Counted.asked += 1
        return super().__contains__(player)


@pytest.mark.parametrize(("count", "apart", "pairs"), [(101, 60, 41), (51, 35, 16)])
def test_an_odd_number_who_block_each_other_costs_no_more_than_an_even_one(count, apart, pairs):
    def asked(number):
        feud = frozenset(range(1, apart + 1))
        players = [
            Player(each, each, apart=Counted(feud - {each}) if each in feud else frozenset())
            for each in range(1, number + 1)
        ]
        Counted.asked = 0
        paired = arena.pair(players, (), Options("arena"), range(1, number + 1))
        assert len(paired) >= pairs - 1
        return Counted.asked

    assert asked(count) < 3 * asked(count - 1)


def test_rounds_pair_players_who_are_kept_apart():
    held = event("round_robin", 2)
    held.change(101, apart=frozenset({102}))
    assert len(held.pair()) == 1


def test_two_who_have_just_met_wait_while_others_play_but_not_for_ever():
    held = event("arena", 4)
    held.pair(101, 102, 103, 104)
    mine = held.open[0]
    held.end(mine, 1.0, 0.0)
    assert not held.pair(*mine.seats)
    (pairing,) = held.pair(*mine.seats, patient=mine.seats)
    assert pairing.reason == "again"


@pytest.mark.parametrize("form", ["arena", "swiss", "round_robin", "knockout"])
def test_rank_absent_without_played_match(form):
    held = event(form, 4, rounds=3)
    held.pair(101, 102, 103, 104)
    for pairing in held.open:
        absent = 101 in pairing.seats
        points = (float(player != 101) for player in pairing.seats) if absent else (1.0, 0.0)
        held.end(pairing, *points, kind=Kind.FORFEIT if absent else None)
    held.end_all()
    assert held.ranks()[101] is None
    assert held.standings()[-1].rank is None


def test_a_removal_in_the_middle_of_a_round_keeps_the_past_and_moves_the_bye():
    held = event("swiss", 6, rounds=4)
    held.pair()
    past = list(held.pairings)
    held.end_all()
    held.pair()
    held.withdraw(103)
    held.end_all()
    held.pair()
    assert [each.key for each in held.pairings[: len(past)]] == [each.key for each in past]
    third = [pairing for pairing in held.pairings if pairing.round == 3]
    assert sorted(len(pairing.seats) for pairing in third) == [1, 2, 2]


def test_round_robin_results_stay_when_half_was_played():
    held = event("round_robin", 5)
    while held.round < 4:
        held.pair()
        held.end_all()
    held.withdraw(101)
    held.play()
    forfeits = [each for each in held.pairings if each.kind is Kind.FORFEIT]
    assert forfeits
    assert all(101 in each.seats and each.points[each.seats.index(101)] == 0 for each in forfeits)
    assert held.ranks()[101] is not None


def test_round_robin_results_are_struck_out_when_less_was_played():
    held = event("round_robin", 6)
    held.pair()
    held.end_all(lambda pairing: (1.0, 0.0) if pairing.seats[0] == 101 else (0.0, 1.0))
    beaten = next(each for each in held.pairings if 101 in each.seats)
    held.withdraw(101)
    held.play()
    assert not any(101 in pairing.seats for pairing in held.pairings if pairing.round > 1)
    assert held.ranks()[101] is None
    other = next(player for player in beaten.seats if player != 101)
    opponents = [each for each in held.pairings if other in each.seats and 101 not in each.seats]
    assert next(line for line in held.standings() if line.player == other).played == len(opponents) == 4


def test_knockout_present_player_advances():
    held = event("knockout", 4)
    held.pair()
    held.end(held.open[0], 0.0, 1.0, kind=Kind.FORFEIT)
    came = held.pairings[0].seats[1]
    decision = knockout.decisions(held.players, held.pairings, held.options)[1, 1]
    assert (decision.winner, decision.by) == (came, "absence")


def test_knockout_both_absent_none_advances():
    held = event("knockout", 4)
    held.pair()
    one, other = held.open
    held.end(one, 0.0, 0.0, kind=Kind.FORFEIT)
    held.end(other, 1.0, 0.0)
    new = held.pair()
    assert [(each.kind, each.reason) for each in new] == [
        (Kind.BYE, "walkover"),
        (Kind.BYE, "walkover"),
    ]
    assert new[0].seats == other.seats[:1]
    assert held.over


def test_knockout_draw_replayed_faster_with_seats_swapped():
    held = event("knockout", 4)
    held.pair()
    one, other = held.open
    held.end(one, 0.5, 0.5)
    (again,) = held.pair()
    assert (again.round, again.table, again.replay, again.seats) == (1, one.table, 1, one.seats[::-1])
    held.end(other, 1.0, 0.0)
    assert not held.pair(), "the round goes on"
    held.end(held.open[0], 0.0, 1.0)
    assert knockout.decisions(held.players, held.pairings, held.options)[1, 1].by == "replay"


def test_knockout_two_draws_decided_by_lot():
    winners = set()
    for lot in range(20):
        held = event("knockout", 4)
        held.options = Options("knockout", lot=str(lot))
        held.pairings = [
            Pairing(1, 1, (101, 104), points=(0.5, 0.5)),
            Pairing(1, 1, (104, 101), replay=1, points=(0.5, 0.5)),
        ]
        decision = knockout.decisions(held.players, held.pairings, held.options)[1, 1]
        assert decision.by == "lot"
        winners.add(decision.winner)
    assert winners == {101, 104}


def test_a_tie_is_broken_by_the_stated_tie_breaks_or_shared():
    held = event("swiss", 4, rounds=1)
    held.play()
    first, second, *_ = held.standings()
    assert (first.rank, second.rank) == (1, 1)
    assert [each.name for each in first.tie_breaks] == ["buchholz", "sonneborn_berger", "direct"]
    assert first.tie_breaks == second.tie_breaks
