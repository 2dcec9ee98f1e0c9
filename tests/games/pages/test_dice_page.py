"""The page "Check the dice" and the sealed file: nothing before the end, everything after it."""

import random

import orjson
import pytest
from asgiref.sync import sync_to_async

from games.domain.messages import MoveCommand, ResignCommand
from games.models import Match, Ply
from games.net.hub import Hub
from games.play import begin
from games.play.matches import Matches, topic
from games.registry import GAMES
from lobby.people.models import User
from tests.games.domain.test_check_dice import check_dice

pytestmark = pytest.mark.django_db(transaction=True)

DICE_GAMES = [slug for slug, game in GAMES.items() if game.dice]


class Listener:
    """A socket that keeps what it is sent."""

    seat = None

    def __init__(self):
        self.heard = []

    def write(self, frame):
        self.heard.append(frame.payload.decode())


@pytest.fixture
def users():
    return [User.objects.create_user(name) for name in ("Ulno", "Artjom")]


@pytest.fixture
async def hub():
    return Hub()


@pytest.fixture
async def service(hub):
    service = Matches(hub)
    yield service
    await service.close()


@pytest.fixture(params=DICE_GAMES)
def match(request, users):
    return begin.create(request.param, GAMES[request.param].rules.Options(), users)


async def play(service, match, plies):
    """Random moves until there are so many plies, or the match is over."""
    choose = random.Random(5).choice
    while True:
        live = await service.get(match.pk)
        if live.outcome is not None or live.ply >= plies:
            return
        on_turn = next(user for user, seat in live.players.items() if seat == live.state.turn)
        move = choose(live.legal())
        command = MoveCommand(type="move", id=f"command-{live.ply}", after=live.ply, move=move)
        await service.play(match.pk, on_turn, command)


@pytest.fixture
async def finished(service, match, users):
    """A match with words of one seat, played to its end."""
    await service.add_words(match.pk, users[0].pk, "пять костей, a horse")
    await play(service, match, 100_000)
    return match


@pytest.fixture
async def sealed(finished, async_client):
    """The sealed file as somebody downloads it."""
    answer = await async_client.get(f"/m/{finished.pk}/dice.json")
    assert answer.status_code == 200
    return orjson.loads(answer.content)


# While it is played


@pytest.mark.parametrize("plies", [0, 9])
@pytest.mark.parametrize("path", ["", "/dice", "/dice.json"])
async def test_no_page_tells_the_secret_while_the_match_is_played(async_client, service, match, plies, path):
    await play(service, match, plies)
    answer = await async_client.get(f"/m/{match.pk}{path}")
    assert answer.status_code == (409 if path == "/dice.json" else 200)
    assert match.secret not in answer.text


async def test_the_file_says_why_it_cannot_be_had_yet(async_client, match):
    answer = await async_client.get(f"/m/{match.pk}/dice.json")
    assert answer.json()["code"] == "not-over"
    assert "not over yet" in answer.json()["detail"]


async def test_no_message_tells_the_secret_before_the_last(service, hub, match):
    listener = Listener()
    hub.join(topic(match.pk), listener)
    await play(service, match, 100_000)
    telling = [number for number, message in enumerate(listener.heard) if match.secret in message]
    assert telling == [len(listener.heard) - 1]
    hub.leave(topic(match.pk), listener)


async def test_the_page_shows_promise_and_words_while_the_match_is_played(
    async_client, service, match, users
):
    await service.add_words(match.pk, users[1].pk, "my <b>kingdom</b>")
    page = (await async_client.get(f"/m/{match.pk}/dice")).text
    assert (await service.get(match.pk)).dice()["commitment"] in page
    assert "my &lt;b&gt;kingdom&lt;/b&gt;" in page
    assert "This match is not over yet" in page


# Once it is over


async def test_the_file_of_a_finished_match_is_sound(sealed):
    assert sealed["throws"]
    assert check_dice.check(sealed) == []


async def test_the_file_holds_the_words_and_the_promise_of_the_match(finished, sealed, service):
    published = (await service.get(finished.pk)).dice()
    assert {name: sealed[name] for name in published} == published
    assert sealed["words"] == ["пять костей, a horse", ""]


async def test_the_file_holds_every_throw_of_the_match(finished, sealed):
    plies = Ply.objects.filter(match=finished, dice__isnull=False).order_by("number")
    stored = [(ply.number, orjson.loads(ply.dice)) async for ply in plies]
    assert [(throw["ply"], throw["faces"]) for throw in sealed["throws"]] == stored


async def test_an_altered_file_is_caught(sealed):
    faces = sealed["throws"][-1]["faces"]
    faces[0] = faces[0] % 6 + 1
    assert len(check_dice.check(sealed)) == 1


async def test_a_file_without_one_of_its_words_is_caught(sealed):
    sealed["words"][0] = ""
    assert check_dice.check(sealed) != []


async def test_the_file_is_a_download_with_a_name(async_client, finished):
    answer = await async_client.get(f"/m/{finished.pk}/dice.json")
    assert answer["Content-Disposition"] == f'attachment; filename="parlour-dice-{finished.pk}.json"'
    assert answer["Content-Type"] == "application/json"


async def test_the_page_of_a_finished_match_reveals_the_secret_and_offers_the_file(async_client, finished):
    page = (await async_client.get(f"/m/{finished.pk}/dice")).text
    assert finished.secret in page
    assert f'href="/m/{finished.pk}/dice.json"' in page


async def test_a_match_given_up_before_the_first_throw_can_be_checked(async_client, service, match, users):
    await service.play(match.pk, users[0].pk, ResignCommand(type="resign", id="resign-00", after=0))
    sealed = (await async_client.get(f"/m/{match.pk}/dice.json")).json()
    assert sealed["throws"] == []
    assert check_dice.check(sealed) == []


# Where there is nothing to check


@pytest.mark.parametrize("path", ["/dice", "/dice.json"])
def test_games_without_dice_have_none_to_check(client, users, path):
    slug = next(slug for slug, game in GAMES.items() if not game.dice)
    match = begin.create(slug, GAMES[slug].rules.Options(), users)
    assert client.get(f"/m/{match.pk}{path}").status_code == 404
    assert "/dice" not in client.get(f"/m/{match.pk}").text


@pytest.mark.parametrize("path", ["/dice", "/dice.json"])
def test_an_unknown_match_has_no_dice(client, path):
    assert client.get(f"/m/nothing{path}").status_code == 404


async def test_the_match_page_leads_to_the_dice(async_client, match):
    page = await sync_to_async(lambda: Match.objects.get(pk=match.pk).get_absolute_url())()
    assert f'href="{page}/dice"' in (await async_client.get(page)).text
