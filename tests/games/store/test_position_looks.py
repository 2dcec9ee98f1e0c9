"""Evaluations of positions without a match: one search for all who ask, taken up by one worker at a time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from games.bots.base import Evaluation, MoveEvaluation
from games.domain import codec, position
from games.models import PositionLook
from games.registry import GAMES
from games.store import position_looks

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
LEASE = timedelta(seconds=20)
LOOK = Evaluation(0, (0.75, 0.25), (MoveEvaluation("3", 0.75, 4),))
START = position.at_start(GAMES["kalah"])
OTHER = position.at_start(GAMES["cantstop"])


def test_asking_twice_is_asking_once():
    for _ in range(2):
        position_looks.want(START, NOW)
    [asked] = position_looks.take(NOW, 10, LEASE)
    assert (asked.game, asked.seats) == ("kalah", 2)
    assert codec.decode_state(START.game.rules, asked.state) == START.state
    assert position_looks.take(NOW, 10, LEASE) == []


def test_a_lease_ends_and_another_worker_takes_it_up():
    position_looks.want(START, NOW)
    first = position_looks.take(NOW, 1, LEASE)
    assert position_looks.take(NOW + LEASE, 1, LEASE) == first


def test_a_request_that_nobody_waits_for_any_more_keeps_no_worker_busy():
    position_looks.want(START, NOW)
    later = NOW + position_looks.WAITED_FOR
    position_looks.want(OTHER, later)
    assert [each.game for each in position_looks.take(later, 10, LEASE)] == ["cantstop"]
    position_looks.want(START, later)
    assert [each.game for each in position_looks.take(later, 10, LEASE)] == ["kalah"]


def test_the_first_evaluation_is_kept_and_nothing_is_due():
    position_looks.want(START, NOW)
    [asked] = position_looks.take(NOW, 1, LEASE)
    assert position_looks.look_of(asked.digest) is None
    position_looks.store(asked, LOOK)
    position_looks.store(asked, Evaluation(0, (0.5, 0.5), ()))
    position_looks.want(START, NOW)
    assert position_looks.look_of(position_looks.digest_of(START)) == LOOK
    assert position_looks.take(NOW + LEASE, 1, LEASE) == []


def test_a_worker_takes_only_games_that_it_can_play():
    position_looks.want(START, NOW)
    assert position_looks.take(NOW, 1, LEASE, ["cantstop"]) == []


def test_a_note_does_not_make_another_position():
    noted = position.parse(f"{START} ; the start")
    assert position_looks.digest_of(noted) == position_looks.digest_of(START)


def test_old_evaluations_go_as_new_ones_come():
    position_looks.want(START, NOW)
    position_looks.want(OTHER, NOW + position_looks.KEPT + timedelta(seconds=1))
    assert [row.digest for row in PositionLook.objects.all()] == [position_looks.digest_of(OTHER)]
