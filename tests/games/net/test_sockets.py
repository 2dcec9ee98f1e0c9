"""What every socket does with messages that come too fast or cost much, and with faults."""

import asyncio
import struct

import pytest
from django.contrib.auth.models import AnonymousUser

from games.net import connection, costs, sockets
from games.net.connection import CLOSE_TOO_MUCH
from games.net.hub import hub
from games.net.sockets import Feed, carrying
from games.net.tasks import tasks
from tests.helpers.communicator import Communicator
from tools.harness.raw_websocket import Peer, frame
from tools.harness.servers import served_by

MODULES = (sockets, connection)
CODES = {name: code for module in MODULES for name, code in vars(module).items() if "CLOSE_" in name}
FAULTY = """
import django

django.setup()
from django.contrib.auth.models import AnonymousUser
from config import server
from games.net.sockets import Feed, carrying


class Faulty(Feed):
    def received(self, text):
        raise KeyError(text)


async def application(scope, receive, send):
    await carrying(Faulty)({**scope, "user": AnonymousUser()}, receive, send)

server.build("127.0.0.1", 0, lambda: application).run()
"""


class Busy(Feed):
    """A feed that acts upon its first message for ever."""

    async def received(self, text):
        await asyncio.Event().wait()


class Costly(Feed):
    """A feed that answers every message with `SIZE` bytes."""

    SIZE = 100_000
    told = 0

    async def received(self, text):
        await self.tell_costly(self.answer)

    async def answer(self):
        type(self).told += 1
        return {"type": "much", "text": "x" * self.SIZE}


class Beside(Costly):
    """The same beside its queue of messages."""

    told = 0

    def received(self, text):
        self.spawn(self._tell)

    async def _tell(self):
        await self.tell_answer(self.answer)


async def connected(feed, address="192.0.2.1"):
    communicator = Communicator(carrying(feed), "/")
    communicator.scope |= {"user": AnonymousUser(), "client": [address, 1]}  # type: ignore[typeddict-item]
    await communicator.connect()
    return communicator


async def closed_with(communicator):
    messages = []
    while not messages or messages[-1]["type"] != "websocket.close":
        messages.append(await communicator.receive_output(5))
    return messages[-2]["text"], messages[-1]["code"]


@pytest.mark.parametrize("name", CODES)
def test_autobahn_can_send_a_close_code(name):
    assert CODES[name] == 1000 or 3000 <= CODES[name] <= 4999


def test_a_socket_that_failed_is_closed():
    with served_by(FAULTY, DJANGO_SETTINGS_MODULE="config.settings") as (_process, port):
        peer = Peer(port, "/")
        peer.send(frame(b"fault"))
        *_, (opcode, payload) = peer.rest(or_reset=True)
    assert (opcode, struct.unpack("!H", payload[:2])) == (8, (sockets.CLOSE_FAULT,))


@pytest.mark.parametrize(("rate", "text"), [(10, "x"), (0, "x" * 16_000), (0, "x")])
async def test_a_socket_that_is_busy_is_closed_when_too_much_comes(settings, rate, text):
    settings.SOCKET_RATE = rate
    communicator = await connected(Busy)
    for _ in range(120):
        await communicator.send_input({"type": "websocket.receive", "text": text})
    said, code = await closed_with(communicator)
    assert ("too-fast" in said, code) == (True, CLOSE_TOO_MUCH)


@pytest.mark.parametrize("socket", [Costly, Beside])
async def test_costly_answers_wait_until_they_are_paid_for(settings, monkeypatch, socket):
    settings.SOCKET_RATE = 10
    owed = asyncio.Queue()

    async def sleep(seconds):
        await owed.put(seconds)
        await asyncio.Event().wait()

    communicator = await connected(socket, "192.0.2.2")
    monkeypatch.setattr(costs, "sleep", sleep)
    # Only kilobytes count.
    monkeypatch.setattr(costs, "perf_counter", lambda: 0.0)
    for _ in range(30):
        await communicator.send_input({"type": "websocket.receive", "text": "sync"})
    # Two megabytes at once, and the answer that goes beyond them.
    assert 0 < await owed.get() < 1
    assert socket.told == 21
    await communicator.disconnect()


async def test_sockets_of_an_address_get_costly_answers_one_after_the_other(settings):
    settings.SOCKET_RATE = 10
    begun, go_on = asyncio.Queue(), asyncio.Event()

    class Slow(Costly):
        async def answer(self):
            await begun.put(self.network)
            await go_on.wait()
            return {"type": "much"}

    crowd = [await connected(Slow, "192.0.2.3") for _ in range(3)]
    elsewhere = await connected(Slow, "192.0.2.4")
    for communicator in (*crowd, elsewhere):
        await communicator.send_input({"type": "websocket.receive", "text": "sync"})
    assert {await begun.get(), await begun.get()} == {"192.0.2.3", "192.0.2.4"}
    assert begun.empty()
    go_on.set()
    for communicator in (*crowd, elsewhere):
        assert (await communicator.receive_output(5))["type"] == "websocket.send"
    assert begun.qsize() == 2
    for communicator in (*crowd, elsewhere):
        await communicator.disconnect()


class Echo(Feed):
    """A feed that repeats what is said, and what is said to all."""

    async def opened(self):
        self.join("echo")
        self.tell({"type": "hello"})

    async def received(self, text):
        if text == "leave":
            await self.close_with(sockets.CLOSE_PLAYERS_ONLY, "players-only", "")
        else:
            self.tell({"type": text})


async def of_page(feeds, **kinds):
    communicator = Communicator(carrying(**kinds), f"/?feeds={feeds}")
    communicator.scope |= {"user": AnonymousUser(), "client": ["192.0.2.5", 1]}  # type: ignore[typeddict-item]
    await communicator.connect()
    return communicator


async def heard(communicator, count):
    return [await communicator.receive_from() for _ in range(count)]


async def test_a_page_is_told_of_the_feeds_it_names_and_asks_for_others_later():
    page = await of_page("me+unknown", me=Echo, lobby=Echo)
    assert await heard(page, 1) == ['me {"type":"hello"}']
    await page.send_to("open lobby")
    assert await heard(page, 1) == ['lobby {"type":"hello"}']
    await page.send_to("open lobby")
    await page.send_to("me one")
    await page.send_to("lobby two words")
    assert await heard(page, 2) == ['me {"type":"one"}', 'lobby {"type":"two words"}']
    await page.disconnect()


async def test_what_is_told_to_all_comes_once_for_each_feed_by_its_name():
    page, program = await of_page("me+lobby", me=Echo, lobby=Echo), await connected(Echo)
    assert await heard(page, 2) == ['me {"type":"hello"}', 'lobby {"type":"hello"}']
    assert await heard(program, 1) == ['{"type":"hello"}']
    hub.publish("echo", {"type": "news"})
    assert set(await heard(page, 2)) == {'me {"type":"news"}', 'lobby {"type":"news"}'}
    assert await heard(program, 1) == ['{"type":"news"}']
    await page.disconnect()
    await program.disconnect()
    assert not hub.sockets("echo")


async def test_a_feed_that_ends_leaves_the_others():
    page = await of_page("me+lobby", me=Echo, lobby=Echo)
    await heard(page, 2)
    await page.send_to("me leave")
    said = await heard(page, 2)
    assert "players-only" in said[0]
    assert said[1] == 'me {"type":"closed","code":4403}'
    await page.send_to("me one")
    await page.send_to("lobby two")
    assert await heard(page, 1) == ['lobby {"type":"two"}']
    await page.disconnect()


async def test_a_feed_that_is_busy_holds_up_no_other():
    page = await of_page("busy+lobby", busy=Busy, lobby=Echo)
    await heard(page, 1)
    await page.send_to("busy one")
    await page.send_to("lobby two")
    assert await heard(page, 1) == ['lobby {"type":"two"}']
    await page.disconnect()


class Slow(Echo):
    """A feed that opens when it is let."""

    let: asyncio.Event

    async def opened(self):
        await self.let.wait()
        await super().opened()


class Faulty(Feed):
    """A feed that fails at each message."""

    async def received(self, text):
        raise KeyError(text)


class Broken(Feed):
    """A feed that cannot be opened."""

    async def opened(self):
        raise KeyError


async def test_a_feed_hears_what_arrives_before_it_has_begun():
    Slow.let = asyncio.Event()
    page = await of_page("me", me=Echo, slow=Slow)
    for text in ("open slow", "slow one", "me two"):
        await page.send_to(text)
    assert await heard(page, 2) == ['me {"type":"hello"}', 'me {"type":"two"}']
    Slow.let.set()
    assert await heard(page, 2) == ['slow {"type":"hello"}', 'slow {"type":"one"}']
    await page.disconnect()


async def test_feeds_named_twice_begin_once_in_the_order_of_the_site():
    page = await of_page("me+lobby+me", lobby=Echo, me=Echo)
    assert await heard(page, 2) == ['lobby {"type":"hello"}', 'me {"type":"hello"}']
    await page.disconnect()
    assert not hub.sockets("echo")


async def test_a_feed_that_opens_after_its_socket_is_gone_joins_nothing():
    Slow.let = asyncio.Event()
    page = await of_page("me", me=Echo, slow=Slow)
    await heard(page, 1)
    await page.send_to("open slow")
    await page.disconnect()
    Slow.let.set()
    await asyncio.gather(*tasks.running)
    assert not hub.sockets("echo")


@pytest.mark.parametrize(("first", "asked"), [("broken+me", []), ("me", ["open broken"])])
async def test_a_feed_that_cannot_be_opened_ends_alone_and_may_be_asked_for_again(first, asked, monkeypatch):
    page = await of_page(first, broken=Broken, me=Echo)
    for text in asked:
        await page.send_to(text)
    said = await heard(page, 3)
    assert 'me {"type":"hello"}' in said
    assert 'broken {"type":"closed","code":4500}' in said
    await page.send_to("broken one")
    await page.send_to("me two")
    assert await heard(page, 1) == ['me {"type":"two"}']
    monkeypatch.setattr(Broken, "opened", Echo.opened)
    await page.send_to("open broken")
    assert await heard(page, 1) == ['broken {"type":"hello"}']
    await page.disconnect()


async def test_a_feed_that_fails_at_a_message_ends_alone():
    page = await of_page("faulty+me", faulty=Faulty, me=Echo)
    await heard(page, 1)
    await page.send_to("faulty one")
    assert [text.partition(" ")[0] for text in await heard(page, 2)] == ["faulty", "faulty"]
    await page.send_to("me two")
    assert await heard(page, 1) == ['me {"type":"two"}']
    await page.disconnect()


async def test_a_page_is_one_socket_for_every_limit(settings):
    settings.SOCKET_RATE = 1
    before = sockets.open_sockets()
    page = await of_page("me+lobby", me=Echo, lobby=Echo)
    await heard(page, 2)
    assert sockets.open_sockets() == before + 1
    for number in range(6):
        await page.send_to(f"{('me', 'lobby')[number % 2]} {number}")
    said, code = await closed_with(page)
    assert ("too-fast" in said, code) == (True, CLOSE_TOO_MUCH)
    assert not hub.sockets("echo")


@pytest.mark.parametrize("text", ["{}", "open unknown", "lobby two", "unknown one"])
async def test_a_message_of_no_feed_ends_the_socket(text):
    page = await of_page("me", me=Echo, lobby=Echo)
    await page.send_to(text)
    said, code = await closed_with(page)
    assert ("malformed" in said, code) == (True, sockets.CLOSE_MALFORMED)
