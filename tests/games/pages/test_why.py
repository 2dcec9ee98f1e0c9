"""Whoever plays against the first level asks it what made it move, in their own language."""

import pytest

from games.bots.base import NO_OTHER
from games.domain.messages import MoveCommand
from games.play import begin
from games.play.matches import matches
from games.registry import GAMES
from lobby.tables import computers

pytestmark = pytest.mark.django_db(transaction=True)


def match_against(user, level, game="aces"):
    with_level = computers.seat(GAMES[game], level, [user.pk])
    return begin.create(game, GAMES[game].rules.Options(), [with_level, user], levels={0: level})


async def computer_moves(match, move):
    live = await matches.get(match.pk)
    command = MoveCommand(type="move", id=f"computer-{live.ply}", after=live.ply, move=move)
    await matches.play(match.pk, live.player_at(0), command)


@pytest.fixture
def asking(ulno, client):
    client.force_login(ulno)
    return lambda match, **query: client.get(f"/m/{match.pk}/why", query)


def test_reason_before_first_move_says_so(ulno, asking):
    match = match_against(ulno, 1)
    assert asking(match).json() == {"ply": None, "words": "The computer has not moved yet."}


@pytest.mark.asyncio
async def test_reason_in_language_of_reader(ulno, async_client):
    from asgiref.sync import sync_to_async

    match = await sync_to_async(match_against)(ulno, 1)
    await computer_moves(match, "roll")
    await async_client.aforce_login(ulno)
    address = f"/m/{match.pk}/why"
    assert (await async_client.get(address)).json() == {"ply": 1, "words": NO_OTHER}
    said = (await async_client.get(f"{address}?ply=1", headers={"Accept-Language": "ru"})).json()
    assert said == {"ply": 1, "words": "Другого хода не было."}
    assert (await async_client.get(f"{address}?ply=0")).json()["ply"] is None
    assert (await async_client.get(f"{address}?ply=nonsense")).json()["ply"] == 1


def test_reason_refused_to_others(ulno, artjom, client):
    match = match_against(ulno, 1)
    client.force_login(artjom)
    answer = client.get(f"/m/{match.pk}/why")
    assert (answer.status_code, answer.json()["code"]) == (403, "players-only")
    assert client.get("/m/nomatch/why").status_code == 404


def test_the_page_offers_it_against_the_first_level_alone(ulno, client):
    client.force_login(ulno)
    assert 'id="why"' in client.get(f"/m/{match_against(ulno, 1).pk}").text
    assert 'id="why"' not in client.get(f"/m/{match_against(ulno, 2, 'kalah').pk}").text
