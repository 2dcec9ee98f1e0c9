"""Evaluations are asked for once, taken up by one worker at a time, and kept with the match."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta

import pytest

from games.bots.any_game import AnyGame
from games.bots.base import Evaluation, MoveEvaluation
from games.domain import codec
from games.models import Match
from games.play import begin
from games.registry import GAMES
from games.store import analysis_queue
from lobby.people.models import User
from tests.helpers.finished import begun, play, won
from tools.harness import subprocess_call

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
LEASE = timedelta(seconds=20)
LOOK = Evaluation(
    0, (0.75, 0.25), (MoveEvaluation("3", 0.75, 4), MoveEvaluation("1", 0.5, 0, 0.125)), proved=True
)

in_store = pytest.mark.django_db


@pytest.fixture
def match(ulno, artjom):
    return play(begun([ulno, artjom]), "1", "1")


def numbers(taken):
    return [(wanted.match_id, wanted.ply) for wanted in taken]


@in_store
def test_take_empty_without_requests(match):
    assert analysis_queue.take(NOW, 10, LEASE) == []


@in_store
def test_take_returns_all_that_worker_needs(match):
    analysis_queue.want(match.pk, [0, 2], NOW)
    start, last = analysis_queue.take(NOW, 10, LEASE)
    assert start == (match.pk, 0, match.game, match.start, 2, NOW + LEASE)
    assert last.state == match.plies.get(number=2).state


@in_store
def test_asking_twice_is_asking_once(match):
    analysis_queue.want(match.pk, [0], NOW)
    analysis_queue.want(match.pk, [0, 1], NOW)
    assert numbers(analysis_queue.take(NOW, 10, LEASE)) == [(match.pk, 0), (match.pk, 1)]


@in_store
def test_take_excludes_leased_positions(match):
    analysis_queue.want(match.pk, [0], NOW)
    assert analysis_queue.take(NOW, 10, LEASE)
    assert analysis_queue.take(NOW + LEASE - timedelta(seconds=1), 10, LEASE) == []
    assert numbers(analysis_queue.take(NOW + LEASE, 10, LEASE)) == [(match.pk, 0)]


@in_store
def test_a_worker_gets_no_more_than_it_asks_for(match):
    analysis_queue.want(match.pk, [0, 1, 2], NOW)
    assert [len(analysis_queue.take(NOW, 2, LEASE)) for _ in range(3)] == [2, 1, 0]


@in_store
def test_hints_come_before_analyses_and_then_the_oldest(match, ulno, artjom):
    over, younger = won([ulno, artjom]), won([ulno, artjom])
    for match_id in (over.pk, younger.pk, match.pk):
        analysis_queue.want(match_id, [0, 1], NOW)
    order = [match_id for match_id, _ in numbers(analysis_queue.take(NOW, 10, LEASE))]
    assert order == [match.pk] * 2 + [over.pk] * 2 + [younger.pk] * 2


@in_store
def test_a_game_that_is_gone_is_left_alone(match):
    analysis_queue.want(match.pk, [0], NOW)
    Match.objects.update(game="gone")
    assert analysis_queue.take(NOW, 10, LEASE) == []


@in_store
def test_store_evaluation_ends_request(match):
    analysis_queue.want(match.pk, [0, 1], NOW)
    first, _ = analysis_queue.take(NOW, 10, LEASE)
    assert analysis_queue.look_after(match.pk, 0) is None
    analysis_queue.store(first, LOOK)
    assert analysis_queue.look_after(match.pk, 0) == LOOK
    assert numbers(analysis_queue.take(NOW + LEASE, 10, LEASE)) == [(match.pk, 1)]


@in_store
def test_the_first_look_stays(match):
    analysis_queue.want(match.pk, [0], NOW)
    (wanted,) = analysis_queue.take(NOW, 10, LEASE)
    analysis_queue.store(wanted, LOOK)
    analysis_queue.store(wanted, Evaluation(0, (1.0, 0.0), (MoveEvaluation("1", 1.0),)))
    assert analysis_queue.looks(match.pk, range(9)) == {0: LOOK}


@in_store
def test_asking_again_for_what_is_known_wakes_nobody(match):
    analysis_queue.want(match.pk, [0], NOW)
    analysis_queue.store(analysis_queue.take(NOW, 1, LEASE)[0], LOOK)
    analysis_queue.want(match.pk, [0], NOW)
    assert analysis_queue.take(NOW + LEASE, 10, LEASE) == []


@in_store
def test_asked_for_lists_requested_positions(match):
    analysis_queue.want(match.pk, [0, 2], NOW)
    assert analysis_queue.asked_for(match.pk) == {0, 2}


@in_store
def test_only_matches_that_are_over_and_unfinished_count_as_analyses(match, ulno, artjom):
    first, second = won([ulno, artjom]), won([ulno, artjom])
    for match_id in (match.pk, first.pk, second.pk):
        analysis_queue.want(match_id, [0, 1], NOW)
    assert analysis_queue.analyses_waiting() == 2
    for wanted in analysis_queue.take(NOW, 4, LEASE):
        analysis_queue.store(wanted, LOOK)
    assert analysis_queue.analyses_waiting() == 1


@in_store
@pytest.mark.parametrize("slug", GAMES)
def test_the_start_of_every_game_can_be_thought_about(slug, ulno, artjom):
    match, rules = begun([ulno, artjom], slug), GAMES[slug].rules
    analysis_queue.want(match.pk, [0], NOW)
    (wanted,) = analysis_queue.take(NOW, 1, LEASE)
    state = codec.decode_state(rules, wanted.state)
    look = AnyGame(rules).look(state, wanted.seats, random.Random(1))
    analysis_queue.store(wanted, look)
    assert analysis_queue.look_after(match.pk, 0) == look


# Many workers at once


def ask_for_many(positions: int) -> str:
    """Called in a process of its own, on its store: the positions of a new match are wanted."""
    users = [User.objects.create_user(name) for name in ("Ulno", "Artjom")]
    match = begin.create("kalah", GAMES["kalah"].rules.Options(), users)
    analysis_queue.want(match.pk, range(positions), NOW)
    return match.pk


def take_all() -> list[int]:
    """Called in a process of its own, on its store: take a few at a time until nothing is due."""
    taken = []
    while some := analysis_queue.take(NOW, 3, LEASE):
        taken += [wanted.ply for wanted in some]
    return taken


@pytest.mark.services
def test_workers_of_several_processes_never_take_the_same(store):
    subprocess_call.call(store.database_url, ask_for_many, 60)
    workers = [subprocess_call.start(store.database_url, take_all) for _ in range(3)]
    taken = [ply for worker in workers for ply in worker.result()]
    assert sorted(taken) == list(range(60))
