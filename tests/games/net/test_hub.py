"""One message for everybody on a topic, and what some seats alone are told with it."""

import asyncio

import orjson
import pytest

from games.net.hub import Hub

MESSAGE = {"type": "plies", "after": 3}


class Page:
    """A socket that keeps the frames it is sent."""

    def __init__(self, seat=None):
        self.seat = seat
        self.frames = []

    def write(self, frame):
        self.frames.append(frame)

    async def close(self, code): ...

    @property
    def told(self):
        (frame,) = self.frames
        return orjson.loads(frame.payload)


class Heard(Page):
    """A socket that notices when it is told something."""

    def __init__(self):
        super().__init__()
        self.heard = asyncio.Event()

    def write(self, frame):
        self.heard.set()


class Wired(Hub):
    """A hub that waits with what it would send to other processes."""

    def __init__(self, remote=False):
        super().__init__()
        self.there = remote

    @property
    def remote(self):
        return self.there

    def spawn(self, coroutine):
        coroutine.close()


@pytest.fixture
def pages():
    return [Page(0), Page(0), Page(1), Page(2), Page(), Page()]


async def here(pages, remote=False):
    hub = Wired()
    for page in pages:
        hub.join("match.m", page)
    hub.there = remote
    return hub


async def test_each_seat_is_told_its_own_and_watchers_what_all_are(pages):
    hub = await here(pages)
    hub.publish("match.m", MESSAGE, {0: {"may": [1]}, 1: {"may": [2], "legal": []}, 2: {}})
    assert [page.told for page in pages] == [
        *[{**MESSAGE, "may": [1]}] * 2,
        {**MESSAGE, "may": [2], "legal": []},
        *[MESSAGE] * 3,
    ]


async def test_whoever_is_told_the_same_shares_a_frame(pages):
    hub = await here(pages)
    hub.tell_here("match.m", MESSAGE, {0: {"may": [1]}, 1: {"may": [1]}})
    frames = [page.frames[0] for page in pages]
    assert len({id(frame) for frame in frames[:3]}) == 1
    assert len({id(frame) for frame in frames[3:]}) == 1


async def test_where_nothing_differs_there_is_one_frame(pages):
    hub = await here(pages)
    hub.publish("match.m", MESSAGE)
    assert len({id(page.frames[0]) for page in pages}) == 1


async def test_another_process_tells_its_seats_the_same(pages):
    there, heard = await here(pages), [Page(0), Page(1), Page()]
    sender = await here(heard, remote=True)
    sender.publish("match.m", MESSAGE, {0: {"may": [1]}})
    _, parcel = sender._outbox.get_nowait()
    there._hear(parcel)
    assert [page.told for page in pages] == [*[{**MESSAGE, "may": [1]}] * 2, *[MESSAGE] * 4]
    assert [page.told for page in heard] == [{**MESSAGE, "may": [1]}, MESSAGE, MESSAGE]


def layer(url):
    return {"default": {"BACKEND": "channels_redis.core.RedisChannelLayer", "CONFIG": {"hosts": [url]}}}


async def test_what_another_process_says_is_heard_from_the_moment_of_joining(redis, settings):
    settings.CHANNEL_LAYERS = layer(redis.url())
    here, there = Hub(), Hub()
    pages = []
    for number in range(20):
        pages.append(Heard())
        here.join(f"chat.{number}", pages[-1])
        await here.joined()
        there.publish(f"chat.{number}", MESSAGE)
    await asyncio.wait_for(asyncio.gather(*(page.heard.wait() for page in pages)), 20)


async def test_nobody_waits_for_a_layer_that_is_away(settings):
    settings.CHANNEL_LAYERS = layer("redis://127.0.0.1:1")
    hub = Hub()
    hub.join("chat.1", Heard())
    await asyncio.wait_for(hub.joined(), 20)
