"""However a match begins it is told once, and another name is no beginning."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import orjson
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.domain.terms import FRIENDLY, Terms
from games.models import Match
from games.net.hub import Frame, Hub, hub
from games.net.tasks import tasks
from games.net.threads import in_thread
from games.play import begin
from games.play.begin import Seated
from games.play.matches import Matches
from games.registry import GAMES
from games.rules.base import Leave, Seat
from lobby.accounts import guests
from lobby.feed import lobby_feed
from lobby.kalaha import games as note_games
from lobby.kalaha.bodies import NewGame
from lobby.pairing import queue
from lobby.pairing.pairing_options import Tile
from lobby.people import person
from lobby.people.models import User
from lobby.tables import challenges, solo, tables
from lobby.tables.table_template import Plan
from lobby.tables.terms import OPEN
from lobby.tokens.models import Event, Token
from lobby.webhooks.events import EVENTS
from lobby.webhooks.models import Delivery, Hook
from tests.helpers import finished
from tools.harness.patience import patience

pytestmark = pytest.mark.django_db(transaction=True)

CIRCLE = GAMES["kalah"].rules.PRESETS["circle"]
STOP = GAMES["cantstop"].rules.Options()


class Page:
    """A socket that keeps what it is told."""

    seat: Seat | None = None

    def __init__(self, *topics: str) -> None:
        self.topics = topics
        self._heard: list[dict[str, Any]] = []
        self._more = asyncio.Event()

    def write(self, frame: Frame) -> None:
        self._heard.append(orjson.loads(frame.payload))
        self._more.set()

    async def close(self, code: int) -> None: ...

    def told(self, kind: str) -> list[dict[str, Any]]:
        """What it was told of a kind."""
        return [message for message in self._heard if message["type"] == kind]

    async def wait_for(self, kind: str) -> None:
        """Return once it has been told something of a kind."""
        while not self.told(kind):
            self._more.clear()
            await asyncio.wait_for(self._more.wait(), patience(20))


@pytest.fixture
def two(transactional_db: None) -> list[User]:
    """People with a webhook and a program each, so that all there is to tell can be counted."""
    users = [User.objects.create_user(name) for name in ("Ulno", "Artjom")]
    for user in users:
        Hook.objects.create(user=user, url="https://example.org/", events=list(EVENTS), site="https://here")
        Token.objects.create(user=user, name="program", digest=user.username)
    return users


@pytest.fixture
def over(two: list[User]) -> Match:
    """A match of the two that is over; what is told of it has gone."""
    match = finished.play(finished.begun(two, rated=False), Leave(1))
    Delivery.objects.all().delete()
    Event.objects.all().delete()
    return match


@pytest.fixture
async def pages(two: list[User], over: Match) -> AsyncIterator[tuple[Page, list[Page]]]:
    """A lobby, and a page of each of the two, opened when a match of theirs is over already."""
    lobby = Page(lobby_feed.topic("en"))
    own = [Page(person.topic(user.pk), person.topic_in(user.pk, "en")) for user in two]
    for page in (lobby, *own):
        for topic in page.topics:
            hub.join(topic, page)  # type: ignore[arg-type]
    yield lobby, own
    for page in (lobby, *own):
        for topic in page.topics:
            hub.leave(topic, page)  # type: ignore[arg-type]


def by_the_last_chair(host: User, other: User) -> None:
    tables.sit_down(other, tables.set_table(host, "kalah", CIRCLE, 2, "host").pk)


def by_the_host(host: User, other: User) -> None:
    table = tables.set_table(host, "cantstop", STOP, 3, "host")
    tables.sit_down(other, table.pk)
    tables.start(host, table.pk)


def by_a_computer_on_the_last_chair(host: User, other: User) -> None:
    table = tables.set_table(host, "cantstop", STOP, 3, "host")
    tables.sit_down(other, table.pk)
    tables.add_computer(host, table.pk, 1)


def by_a_challenge(host: User, other: User) -> None:
    challenges.accept(other, challenges.challenge(host, other, "kalah", CIRCLE, "host", OPEN).pk)


def by_pairing(host: User, other: User) -> None:
    for user in (host, other):
        queue.enter(user, Tile("kalah", "circle", "5+3", rated=False))
    assert queue.tick((), timezone.now()) == 1


def by_any_other_way(host: User, other: User) -> None:
    begin.create("kalah", CIRCLE, [host, other])


WAYS = [
    by_the_last_chair,
    by_the_host,
    by_a_computer_on_the_last_chair,
    by_a_challenge,
    by_pairing,
    by_any_other_way,
]


def first_to_move(match: Match) -> User:
    return match.seatings.get(seat=orjson.loads(match.start)["turn"]).user


def check_told_once(match: Match, two: list[User], lobby: Page, own: list[Page]) -> None:
    """All that hear of a beginning have heard of it, and nobody twice."""
    first = first_to_move(match)
    assert [said["match"]["id"] for said in lobby.told("match")] == [match.pk]
    for user, page in zip(two, own, strict=True):
        assert [(told["match"], told["mine"]) for told in page.told("turn")] == [(match.pk, user == first)]
    noted = Delivery.objects.values_list("hook__user", "event_id")
    assert list(noted) == [(first.pk, f"{match.pk}.turn.0")]
    events = Event.objects.filter(data__type="match").order_by("user")
    assert [(event.user_id, event.data["match"]["id"]) for event in events] == [
        (user.pk, match.pk) for user in two
    ]


@pytest.mark.parametrize("begin", WAYS)
async def test_a_match_of_two_people(
    two: list[User], pages: tuple[Page, list[Page]], begin: Callable[[User, User], None]
) -> None:
    await in_thread(begin)(*two)
    match = await Match.objects.aget(status=Match.Status.PLAYING)
    await in_thread(check_told_once)(match, two, *pages)
    numbers = [said["number"] for kind in ("table", "match") for said in pages[0].told(kind)]
    # A lobby that hears of changes in another order asks for the whole list again.
    assert numbers == sorted(numbers)


async def test_matches_that_begin_together_are_told_in_one_message(
    two: list[User], pages: tuple[Page, list[Page]]
) -> None:
    others = [await in_thread(User.objects.create_user)(name) for name in ("Ada", "Bo")]
    sat = [Seated(two, FRIENDLY), Seated(others, FRIENDLY), Seated(others, Terms(watchable=False))]
    made = await in_thread(begin.create_many)("kalah", CIRCLE, sat)
    lobby, own = pages
    (said,) = lobby.told("matches")
    assert {each["id"] for each in said["matches"]} == {match.pk for match in made[:2]}
    assert lobby.told("match") == []
    assert [page.told("turn") for page in own] == [
        [{"type": "turn", "match": made[0].pk, "mine": mine, "left": None}] for mine in (True, False)
    ]
    assert await Event.objects.filter(data__match__id=made[0].pk).acount() == 2
    assert await Delivery.objects.aget(hook__user=two[0])


def test_more_matches_take_no_more_queries_to_tell() -> None:
    players = [User.objects.create_user(f"player-{number}") for number in range(40)]
    asked = []
    # The first ones of all also make the row that numbers changes.
    for number in (2, 2, 20):
        sat = [Seated(players[2 * each : 2 * each + 2], FRIENDLY) for each in range(number)]
        with CaptureQueriesContext(connection) as queries:
            begin.create_many("kalah", CIRCLE, sat)
        asked.append(len(queries))
    assert asked[1] == asked[2]


async def test_beginning_removes_players_from_queue_once(
    two: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    host, other = two
    table = await in_thread(tables.set_table)(host, "kalah", CIRCLE, 2, "host")
    left: list[set[int]] = []
    monkeypatch.setattr(queue, "cancel", lambda users: left.append({*users}))
    await in_thread(tables.sit_down)(other, table.pk)
    assert left == [{host.pk, other.pk}]


async def test_a_match_against_a_computer(two: list[User], pages: tuple[Page, list[Page]]) -> None:
    match = await in_thread(solo.play)(two[0], Plan("kalah", CIRCLE, 2, "host", OPEN, (1,)))
    lobby, own = pages
    await in_thread(check_told_once)(match, two[:1], lobby, own[:1])


async def test_a_game_of_the_kalaha_note(two: list[User], pages: tuple[Page, list[Page]]) -> None:
    wanted = NewGame.model_validate({"player1": {"id": "one"}, "player2": {"id": "two"}})
    begun = await in_thread(note_games.begin)(wanted, "command-1")
    await in_thread(note_games.begin)(wanted, "command-1")
    assert [said["match"]["id"] for said in pages[0].told("match")] == [begun.match_id]


@pytest.mark.parametrize("delay", [0, 1])
async def test_a_rematch(two: list[User], over: Match, pages: tuple[Page, list[Page]], delay: int) -> None:
    """Its players learn of it at once; a lobby, when watchers know that the match before it is over."""
    lobby, own = pages
    await Match.objects.filter(pk=over.pk).aupdate(delay=delay)
    service = Matches(Hub())
    for user in two:
        await service.rematch(over.pk, user.pk)
    assert [len(page.told("turn")) for page in own] == [1, 1]
    if delay:
        assert lobby.told("match") == []
        await lobby.wait_for("match")
    await asyncio.gather(*tasks.running)
    rematch = await Match.objects.aget(rematch_of=over)
    await in_thread(check_told_once)(rematch, two, *pages)
    assert [said["match"] for page in own for said in page.told("begun")] == [rematch.pk] * 2


async def test_another_name_is_no_beginning(two: list[User], pages: tuple[Page, list[Page]]) -> None:
    lobby, own = pages
    match, guest = await in_thread(begun_with_a_guest)(two[0])
    await lobby.wait_for("match")
    guest.username = "Somebody-Else"
    await in_thread(guests.make_account)(guest)
    assert [said["match"]["players"][1] == "Somebody-Else" for said in lobby.told("match")] == [False, True]
    assert own[0].told("turn") == [{"type": "turn", "match": match.pk, "mine": True, "left": None}]
    assert not await Delivery.objects.aexists()
    assert await Event.objects.acount() == 1


def begun_with_a_guest(first: User) -> tuple[Match, User]:
    """A match whose first turn was told so long ago that it is in no log any more."""
    guest = guests.new_guest()
    by_the_last_chair(first, guest)
    Delivery.objects.all().delete()
    return Match.objects.get(status=Match.Status.PLAYING), guest
