"""What holds in every tournament, whatever the results, absences and withdrawals."""

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lobby.tournaments.formats import FORMATS
from lobby.tournaments.formats.base import Kind
from tests.helpers.events import event, random_result
from tests.helpers.samples import sample

IN_ROUNDS = [name for name, form in FORMATS.items() if not form.ARENA]
some = settings(max_examples=sample(60, 15), deadline=None)


def options(form, count, chance):
    seats = {"least_seats": 2, "seats": chance.choice((3, 4))} if FORMATS[form].TABLES else {}
    return {"rounds": chance.randint(1, min(6, count - 1)), "team_size": 2, **seats}


def played(form, count, seed, disturb=True):
    """A tournament to its end, in which players withdraw, come late and ask for byes, if `disturb`."""
    chance = Random(seed)
    held = event(form, count, **options(form, count, chance))
    if disturb and held.form.LATE:
        held.change(101, byes=frozenset({1, 2}))
        held.change(100 + count, joined=2)
    while held.pair() or held.open:
        if disturb and held.open and chance.random() < 0.3:
            held.withdraw(chance.choice([*{*chance.choice(held.open).seats} - {held.options.host}]))
        held.end_all(random_result(chance))
    return held


@pytest.mark.parametrize("form", IN_ROUNDS)
@given(count=st.integers(3, 13), seed=st.integers(0, 10**6))
@some
def test_tournament_invariants(form, count, seed):
    held = played(form, count, seed)
    assert held.over
    assert len({pairing.key for pairing in held.pairings}) == len(held.pairings)
    seated = Counter(
        (pairing.round, player)
        for pairing in held.pairings
        if not pairing.replay
        for player in pairing.seats
        if player != held.options.host
    )
    assert set(seated.values()) <= {1}, "somebody sits twice in a round"
    full = Counter(pairing.seats[0] for pairing in held.pairings if pairing.kind is Kind.BYE)
    if form != "knockout":
        assert set(full.values()) <= {1}, "somebody has two byes for a full point"
    lines = held.standings()
    assert {line.player for line in lines} == {player.id for player in held.players}
    assert [line.rank for line in lines if line.rank] == sorted(line.rank for line in lines if line.rank)
    assert all(line.rank is None for line in lines if not line.played)


@pytest.mark.parametrize("form", ["swiss", "round_robin"])
@given(count=st.integers(3, 13), seed=st.integers(0, 10**6))
@some
def test_pairings_never_repeat(form, count, seed):
    held = played(form, count, seed)
    met = Counter(frozenset(pairing.seats) for pairing in held.pairings if pairing.met)
    assert set(met.values()) <= {1}


@pytest.mark.parametrize("form", ["swiss", "tables"])
@given(count=st.integers(3, 13), seed=st.integers(0, 10**6))
@some
def test_rounds_seat_every_player(form, count, seed):
    held = played(form, count, seed, disturb=False)
    for number in range(1, held.round + 1):
        seated = [player for pairing in held.pairings if pairing.round == number for player in pairing.seats]
        assert sorted(seated) == [player.id for player in held.players]


@given(count=st.integers(3, 13), seed=st.integers(0, 10**6))
@some
def test_round_robin_pairs_everybody(count, seed):
    held = played("round_robin", count, seed, disturb=False)
    met = sorted(tuple(sorted(pairing.seats)) for pairing in held.pairings)
    assert met == list(combinations([player.id for player in held.players], 2))
    assert held.round == held.form.rounds(count, held.options)


@given(count=st.integers(3, 13), seed=st.integers(0, 10**6))
@some
def test_a_knockout_has_one_winner_and_takes_few_rounds(count, seed):
    held = played("knockout", count, seed, disturb=False)
    assert list(held.ranks().values()).count(1) == 1
    assert held.round == held.form.rounds(count, held.options)


@given(count=st.integers(2, 13), seed=st.integers(0, 10**6))
@some
def test_an_arena_pairs_who_is_free(count, seed):
    chance = Random(seed)
    held = event("arena", count)
    last = {}
    for _wave in range(8):
        busy = {player for pairing in held.open for player in pairing.seats}
        free = [player.id for player in held.players if player.id not in busy and chance.random() < 0.8]
        chance.shuffle(free)
        new = held.pair(*free)
        paired = [player for pairing in new for player in pairing.seats]
        assert len(set(paired)) == len(paired)
        assert set(paired) <= set(free)
        for one, other in (pairing.seats for pairing in new):
            again = last.get(one) == other or last.get(other) == one
            assert not again or (len(free) == 2 and not busy)
            last[one], last[other] = other, one
        for pairing in held.open:
            if chance.random() < 0.7:
                held.end(pairing, *random_result(chance)(pairing))
    assert not held.form.pair(held.players, held.pairings, held.options), "nobody waits"


@pytest.mark.parametrize("form", FORMATS)
@given(seed=st.integers(0, 10**6))
@settings(max_examples=5, deadline=None)
def test_the_same_step_twice_pairs_the_same(form, seed):
    held = event(form, 7, **options(form, 7, Random(seed)))
    ask = (held.players, held.pairings, held.options, [player.id for player in held.players])
    assert held.form.pair(*ask) == held.form.pair(*ask) != ()


@pytest.mark.parametrize("form", ["swiss", "round_robin"])
def test_first_moves_balanced(form):
    held = event(form, 8, rounds=6)
    held.play(random_result(Random(1)))
    first = Counter(pairing.seats[0] for pairing in held.pairings)
    assert all(held.round / 2 - 1.5 <= first[player.id] <= held.round / 2 + 1.5 for player in held.players)


def test_every_seat_of_a_table_comes_round():
    held = event("tables", 9, rounds=6, seats=3, least_seats=3)
    held.play()
    sum_of_seats = Counter()
    for pairing in held.pairings:
        sum_of_seats.update({player: seat for seat, player in enumerate(pairing.seats)})
    assert all(4 <= sum_of_seats[player.id] <= 8 for player in held.players)
