"""What every socket does with messages that come too fast or cost much, and with faults."""

import asyncio
import struct

import pytest
from django.contrib.auth.models import AnonymousUser

from games.net import connection, costs, sockets
from games.net.connection import CLOSE_TOO_MUCH
from games.net.sockets import Socket
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
from games.net.sockets import Socket


class Faulty(Socket):
    def received(self, text):
        raise KeyError(text)


async def application(scope, receive, send):
    await Faulty()({**scope, "user": AnonymousUser()}, receive, send)

server.build("127.0.0.1", 0, lambda: application).run()
"""


class Busy(Socket):
    """A socket that acts upon its first message for ever."""

    async def received(self, text):
        await asyncio.Event().wait()


class Costly(Socket):
    """A socket that answers every message with `SIZE` bytes."""

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


async def connected(socket, address="192.0.2.1"):
    communicator = Communicator(socket.as_asgi(), "/")
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
