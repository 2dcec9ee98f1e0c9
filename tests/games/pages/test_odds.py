"""The chance that a game tells on request: of every registered game that tells one."""

from random import Random

import pytest
from asgiref.sync import sync_to_async

from games.net.hub import Hub
from games.play import begin
from games.play.matches import Matches
from games.registry import GAMES
from lobby.people.models import User
from tests.helpers.playout import random_playout

telling = pytest.mark.parametrize("slug", [slug for slug, game in GAMES.items() if game.odds])
silent = pytest.mark.parametrize("slug", [slug for slug, game in GAMES.items() if not game.odds])


@telling
def test_a_chance_lies_between_0_and_1_or_is_not_asked_for(slug):
    game = GAMES[slug]
    states, _ = random_playout(game, game.rules.Options(), game.rules.SEATS[0], Random(slug))
    chances = [game.odds(state) for state in states]
    assert all(chance is None or 0 <= chance <= 1 for chance in chances)
    assert any(chances)


@telling
def test_a_finished_match_raises_no_question(slug):
    game = GAMES[slug]
    states, _ = random_playout(game, game.rules.Options(), game.rules.SEATS[0], Random(slug))
    assert game.odds(states[-1]) is None


async def live(slug):
    """A new match as the service keeps it."""
    users = [await User.objects.acreate(username=name) for name in ("Ulno", "Artjom")]
    match = await sync_to_async(begin.create)(slug, GAMES[slug].rules.Options(), users)
    return await Matches(Hub()).get(match.pk)


@telling
@pytest.mark.django_db(transaction=True)
async def test_the_service_tells_the_chance_as_a_number(slug):
    assert type((await live(slug)).odds()) is float


@silent
@pytest.mark.django_db(transaction=True)
async def test_the_service_tells_none_of_other_games(slug):
    assert (await live(slug)).odds() is None
