"""Sockets end with the session they were opened with, in every process of the site."""

from __future__ import annotations

import contextlib
import itertools
import time
from typing import Any, ClassVar

import pytest
from websockets.exceptions import ConnectionClosed

from games.net.sockets import Feed, carrying
from tests.conftest import Launcher, Store
from tests.helpers.communicator import Communicator
from tests.helpers.samples import in_full
from tools.harness.patience import patience
from tools.harness.people import Person, Socket, command_id, guest
from tools.harness.servers import ParlourServer, manage

SIGNED_OUT = 4401
AT_ONCE = 1.0
"""Seconds within which sockets must close."""
UNHEARD = 12.0
"""Seconds within which a process notices what nobody told it."""
PASSWORD = "a quiet evening"

_numbers = itertools.count(1)


@pytest.fixture(scope="module", params=in_full("postgres+redis", "sqlite"))
def pair(request: pytest.FixtureRequest, launcher: Launcher) -> tuple[Store, ParlourServer, ParlourServer]:
    """A store and two server processes on it; on SQLite, where there is only one, twice the same."""
    store = launcher.store(request.param)
    first = launcher.open(store)
    return store, first, launcher.open(store) if store.redis_url else first


@pytest.fixture
def first(pair: tuple[Store, ParlourServer, ParlourServer]) -> ParlourServer:
    return pair[1]


@pytest.fixture
def second(pair: tuple[Store, ParlourServer, ParlourServer]) -> ParlourServer:
    return pair[2]


def account(server: ParlourServer) -> tuple[Person, str]:
    person, name = Person(server), f"Person-{next(_numbers)}"
    person.sign_up(name)
    return person, name


def device(server: ParlourServer, name: str, password: str = PASSWORD) -> Person:
    """The same person somewhere else."""
    person = Person(server)
    person.log_in(name, password)
    return person


def closed_after(socket: Socket, since: float) -> float:
    assert socket.closed_with() == SIGNED_OUT
    # The library of this client drops what came last if the connection is gone before it answers the close.
    assert {message["code"] for message in socket.heard if message["type"] == "error"} <= {"signed-out"}
    return time.monotonic() - since


def is_open(socket: Socket) -> bool:
    socket.send({"type": "ping", "t": 1.0})
    return socket.next("pong", "error")["type"] == "pong"


def match_with(server: ParlourServer, person: Person) -> str:
    """A new match of a person who moves first."""
    other = guest(server)
    person.post("/new/kalah", preset="circle", seats="2", first="host")
    other.post(f"{person.path}/sit")
    return other.path.removeprefix("/m/")


def test_logging_out_closes_every_socket_of_that_session_alone(
    first: ParlourServer, second: ParlourServer
) -> None:
    person, name = account(first)
    elsewhere = device(first, name)
    match_id = match_with(first, person)
    sockets = [person.me(), person.me(second), person.lobby(second), person.watch(match_id, second)]
    other = elsewhere.me(second)
    person.post("/accounts/logout/")
    since = time.monotonic()
    assert all(closed_after(socket, since) < patience(AT_ONCE) for socket in sockets)
    assert is_open(other)


def test_socket_of_ended_session_plays_nothing(first: ParlourServer) -> None:
    person, _name = account(first)
    match_id = match_with(first, person)
    with person.watch(match_id) as socket:
        person.post("/accounts/logout/")
        # This may cross the close on its way.
        with contextlib.suppress(ConnectionClosed):
            socket.send({"type": "move", "id": command_id(), "after": 0, "move": "3"})
        assert socket.closed_with() == SIGNED_OUT
    assert not any(message["type"] == "accepted" for message in socket.heard)
    assert first.rows("SELECT COUNT(*) FROM games_ply WHERE match_id = ?", match_id) == [(0,)]


def test_another_password_closes_what_was_opened_with_the_old_one(
    first: ParlourServer, second: ParlourServer
) -> None:
    person, name = account(first)
    sockets = [device(first, name).me(second), person.me(second), person.me()]
    new = "another evening"
    person.post("/accounts/password/change/", oldpassword=PASSWORD, password1=new, password2=new)
    since = time.monotonic()
    assert all(closed_after(socket, since) < patience(AT_ONCE) for socket in sockets)
    # Whoever changed it stays.
    assert is_open(person.me(second))
    assert is_open(device(first, name, new).me(second))


def test_a_guest_who_becomes_an_account_plays_on(first: ParlourServer) -> None:
    person = Person(first)
    person.become_guest()
    match_id = match_with(first, person)
    with person.watch(match_id) as socket, person.me() as me:
        person.sign_up(f"Person-{next(_numbers)}")
        assert socket.move(0, "3")["type"] == "accepted"
        assert is_open(me)
        person.post("/accounts/logout/")
        assert socket.closed_with() == me.closed_with() == SIGNED_OUT


def test_a_guest_who_logs_in_as_somebody_is_the_guest_no_longer(first: ParlourServer) -> None:
    _person, name = account(first)
    guest = Person(first)
    guest.become_guest()
    with guest.me() as socket:
        guest.log_in(name)
        assert socket.closed_with() == SIGNED_OUT


def test_account_deletion_closes_sockets_everywhere(first: ParlourServer, second: ParlourServer) -> None:
    person, name = account(first)
    match_id = match_with(first, person)
    sockets = [device(first, name).me(second), person.me(second), person.watch(match_id)]
    person.post("/settings/delete", password=PASSWORD)
    since = time.monotonic()
    assert person.path == "/"
    assert all(closed_after(socket, since) < patience(AT_ONCE) for socket in sockets)
    ((status,),) = first.rows("SELECT status FROM games_match WHERE id = ?", match_id)
    assert status == "finished"


def shut_out(store: Store, name: str, how: str) -> None:
    """What a moderator does, in a process that serves nobody."""
    act = {
        "by saving": "user.is_active = False; user.save()",
        "past the model": "User.objects.filter(pk=user.pk).update(is_active=False)",
    }[how]
    code = f"from lobby.models import User; user = User.objects.get(username={name!r}); {act}"
    manage("shell", "-c", code, DATABASE_URL=store.database_url, REDIS_URL=store.redis_url)


@pytest.mark.parametrize("how", ["by saving", "past the model"])
def test_ban_closes_sockets_in_every_process(
    pair: tuple[Store, ParlourServer, ParlourServer], how: str
) -> None:
    store, first, second = pair
    person, name = account(first)
    sockets = [person.me(), person.me(second)]
    shut_out(store, name, how)
    since = time.monotonic()
    told = how == "by saving" and store.redis_url
    assert all(closed_after(socket, since) < patience(AT_ONCE if told else UNHEARD) for socket in sockets)


def test_a_session_that_vanishes_from_the_store_is_noticed(first: ParlourServer) -> None:
    """Whatever message was lost."""
    person, _name = account(first)
    key = person.headers()["Cookie"].partition("sessionid=")[2].partition(";")[0]
    other, _other_name = account(first)
    with person.me() as socket, other.me() as untouched:
        since = time.monotonic()
        first.write("DELETE FROM django_session WHERE session_key = ?", key)
        assert closed_after(socket, since) < patience(UNHEARD)
        assert is_open(untouched)


class Listening(Feed):
    """A feed that remembers what it acted upon."""

    opened_last: ClassVar[Any] = None

    async def opened(self) -> None:
        type(self).opened_last = self
        self.texts: list[str] = []

    async def received(self, text: str) -> None:
        self.texts.append(text)


async def test_message_after_sign_out_before_close_ignored() -> None:
    anonymous: Any = type("Anonymous", (), {"pk": None})()
    there = Communicator(carrying(Listening), "/")
    there.scope["user"] = anonymous  # type: ignore[typeddict-unknown-key]
    await there.connect()
    here = Listening.opened_last
    await here.socket.websocket_receive({"text": "before"})
    here.socket.sign_out()
    await here.socket.websocket_receive({"text": "after"})
    assert "signed-out" in await there.receive_from()
    assert await there.receive_output() == {"type": "websocket.close", "code": SIGNED_OUT}
    assert here.texts == ["before"]
