"""Matches that begin at a position: the same in everything, but casual."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from games.bots.any_game import random_action
from games.domain import codec, position
from games.domain.position import Position
from games.domain.terms import Terms
from games.finished import archive, reviews
from games.finished.export import match_file
from games.finished.importing import read
from games.models import Match
from games.net.hub import Hub
from games.play import begin, offers
from games.play.matches import Matches
from games.registry import GAMES, Game
from games.rules.base import BadPosition, Leave
from games.store import history, replays
from lobby.people.models import User
from tests.helpers import finished

pytestmark = pytest.mark.django_db(transaction=True)

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
KALAH = "kalah.1 classic turn=1 board=0,0,3,0,0,1,20,0,2,0,0,1,0,15"


def users(count: int) -> list[User]:
    return [User.objects.create_user(f"Player{seat}") for seat in range(count)]


def of(game: Game, seats: int, plies: int = 9) -> Position:
    """A position at which a match can begin, some plies after the start."""
    rules, rng = game.rules, Random(game.slug)
    state = rules.setup(next(iter(rules.PRESETS.values())), seats)
    while plies > 0 or rules.chance(state) is not None:
        following = rules.play(state, random_action(rules, state, rng)).state
        if rules.outcome(following) is not None:
            break
        state, plies = following, plies - 1
    return Position(game, state, seats)


def begun(at: Position, **more: Any) -> Match:
    return begin.create(at.game.slug, at.state.options, users(at.seats), position=at, **more)


@every_game
def test_a_match_begins_there_and_is_verified_and_read_again_like_others(game):
    at = of(game, game.rules.SEATS[-1])
    match = begun(at)
    state, rng = at.state, Random(1)
    while game.rules.outcome(state) is None:
        action = random_action(game.rules, state, rng)
        state = game.rules.play(state, action).state
        finished.play(match, str(action) if type(action) is game.rules.Move else action)
    assert history.state_after(match.pk, 0) == at.state
    assert replays.replay(match) == game.rules.outcome(state)
    record = archive.record(match.pk)
    assert read(codec.encode(match_file(record))).start == record.start == at.state
    assert reviews.review(record).positions > 0


def test_the_player_to_move_is_that_of_the_position_also_a_computer():
    match = begun(position.parse(KALAH), levels={1: 1})
    assert match.bot_due is not None
    assert begin.create("kalah", GAMES["kalah"].rules.Options(), [*User.objects.all()]).bot_due is None


async def test_the_match_says_so(transactional_db):
    from channels.db import database_sync_to_async

    match = await database_sync_to_async(begun)(position.parse(KALAH))
    service = Matches(Hub())
    live = await service.get(match.pk)
    assert live.from_position
    assert live.legal() == ["2", "5"]
    await service.close()


@pytest.mark.parametrize("shared", [False, True])
def test_a_rematch_begins_there_too_with_the_seats_rotated(shared):
    at = position.parse(KALAH)
    if shared:
        host = User.objects.create_user("Host")
        match = begin.create_shared("kalah", at.state.options, ["Ada", "Ben"], host, position=at)
    else:
        match = begun(at)
    finished.play(match, Leave(0))
    for seat in (0, 1):
        _, rematch = offers.want_rematch(match.pk, seat)
    assert history.state_after(rematch, 0) == at.state
    names = [seating.get_name() for seating in Match.objects.get(pk=rematch).seatings.all()]
    assert names == [seating.get_name() for seating in match.seatings.all()][::-1]


def test_it_is_casual():
    with pytest.raises(begin.RatedPosition):
        begun(position.parse(KALAH), terms=Terms(rated=True))
    assert not Match.objects.exists()


@pytest.mark.parametrize(
    ("text", "field"),
    [
        (
            "kalah.1 classic turn=0 board=0*6,30,0*6,18 ended={winners:[0],reason:swept,scores:[30,18]}",
            "ended",
        ),
        ("aces.1 standard seats=2 turn=0 dice=[0*5],[0*5] present=true,true due=true", "due"),
    ],
)
def test_no_match_begins_where_none_is_to_decide(text, field):
    with pytest.raises(BadPosition) as error:
        begun(position.parse(text))
    assert error.value.field == field
    assert not Match.objects.exists()


def test_it_needs_as_many_players_as_the_position_has():
    with pytest.raises(BadPosition) as error:
        begin.create("aces", GAMES["aces"].rules.Options(), users(2), position=of(GAMES["aces"], 3))
    assert error.value.field == "seats"
