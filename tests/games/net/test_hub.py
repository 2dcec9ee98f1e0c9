"""One message for everybody on a topic, and what some seats alone are told with it."""

import orjson
import pytest

from games.net.hub import Hub
from games.net.message_bus import BusMessage

MESSAGE = {"type": "plies", "after": 3}


class Page:
    """A socket that keeps the frames it is sent."""

    def __init__(self, seat=None):
        self.seat = seat
        self.frames = []

    def write(self, frame):
        self.frames.append(frame)

    async def close(self, code): ...

    async def resync(self): ...

    @property
    def told(self):
        (frame,) = self.frames
        return orjson.loads(frame.payload)


@pytest.fixture
def pages():
    return [Page(0), Page(0), Page(1), Page(2), Page(), Page()]


async def here(pages):
    hub = Hub()
    for page in pages:
        hub.join("match.m", page)
    return hub


async def test_each_seat_is_told_its_own_and_watchers_what_all_are(pages):
    hub = await here(pages)
    hub.publish("match.m", MESSAGE, {0: {"may": [1]}, 1: {"may": [2], "legal": []}, 2: {}})
    assert [page.told for page in pages] == [
        *[{**MESSAGE, "may": [1]}] * 2,
        {**MESSAGE, "may": [2], "legal": []},
        *[MESSAGE] * 3,
    ]


async def test_frames_shared_by_equal_recipients(pages):
    hub = await here(pages)
    hub.tell_here("match.m", MESSAGE, {0: {"may": [1]}, 1: {"may": [1]}})
    frames = [page.frames[0] for page in pages]
    assert len({id(frame) for frame in frames[:3]}) == 1
    assert len({id(frame) for frame in frames[3:]}) == 1


async def test_frame_shared_by_all_recipients(pages):
    hub = await here(pages)
    hub.publish("match.m", MESSAGE)
    assert len({id(page.frames[0]) for page in pages}) == 1


async def test_another_process_tells_its_seats_the_same(pages):
    hub = await here(pages)
    hub.hear(BusMessage("match.m", orjson.dumps(MESSAGE), [(0, b'{"may":[1]}')]))
    assert [page.told for page in pages] == [*[{**MESSAGE, "may": [1]}] * 2, *[MESSAGE] * 4]


async def test_bus_message_unreadable_does_not_stop_delivery(pages):
    hub = await here(pages)
    hub.listen("strange", lambda topic, payload: orjson.loads(b"{"))
    hub.hear(BusMessage("match.m", b"{}", listener="strange"))
    hub.hear(BusMessage("match.m", orjson.dumps(MESSAGE)))
    assert pages[0].told == MESSAGE


async def test_all_see_to_what_was_missed_also_where_one_cannot(pages):
    hub, seen = await here(pages), []

    class Broken(Page):
        async def resync(self):
            seen.append(self)
            raise OSError

    class Whole(Page):
        async def resync(self):
            seen.append(self)  # type: ignore[arg-type]

    others = [Broken(), Whole(), Broken()]
    for page in others:
        hub.join("chat.lobby", page)
    hub._heal()
    await hub._healing
    assert {*seen} == {*others}
