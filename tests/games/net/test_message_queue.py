"""The message queue handles the messages of one connection in order, one at a time."""

import asyncio
import itertools

import pytest

from games.net.sockets import MAX_WAITING, MAX_WAITING_CHARACTERS, MessageQueue, Overflow


class Handler:
    """Handles a message once the future of that name has a result, if there is one.

    "nothing" needs no coroutine, "unknown" fails at once, and "fault" fails in its coroutine.
    """

    def __init__(self, *slow):
        self.done, self.errors, self.tasks = [], [], []
        self.futures = {text: asyncio.get_running_loop().create_future() for text in slow}
        self.messages = MessageQueue(self.handle, self.spawn, self.errors.append)

    def handle(self, text):
        if text == "unknown":
            raise KeyError(text)
        return None if text == "nothing" else self.work(text)

    def spawn(self, work):
        self.tasks.append(asyncio.ensure_future(work))

    async def work(self, text):
        if text in self.futures:
            text = await self.futures[text]
        if text == "fault":
            raise ValueError(text)
        self.done.append(text)

    async def finish(self):
        """Wait until every task is done, those that others started included."""
        while any(not task.done() for task in self.tasks):
            await asyncio.wait(self.tasks)


async def test_messages_before_the_start_wait():
    handler = Handler()
    for text in ("one", "nothing", "two"):
        handler.messages.put(text)
    assert (handler.done, handler.tasks) == ([], [])
    handler.messages.start()
    await handler.finish()
    assert handler.done == ["one", "two"]


async def test_a_message_without_a_coroutine_needs_no_task():
    handler = Handler()
    handler.messages.start()
    handler.messages.put("nothing")
    assert handler.tasks == []


async def test_received_at_is_the_time_of_arrival_however_long_a_message_waited(monkeypatch):
    clock = itertools.count(1)
    monkeypatch.setattr("games.net.sockets.time.perf_counter", lambda: next(clock))
    handler = Handler("slow")
    received = []
    handler.messages = MessageQueue(
        lambda text: received.append((text, handler.messages.received_at)) or handler.handle(text),
        handler.spawn,
        handler.errors.append,
    )
    handler.messages.put("before the start")
    next(clock)
    handler.messages.start()
    handler.messages.put("slow")
    handler.messages.put("waiting")
    next(clock)
    handler.futures["slow"].set_result("slow")
    await handler.finish()
    assert received == [("before the start", 1), ("slow", 3), ("waiting", 4)]


async def test_no_message_overtakes_another():
    handler = Handler("slow", "slower")
    handler.messages.start()
    for text in ("slow", "slower", "quick"):
        handler.messages.put(text)
    handler.futures["slower"].set_result("second")
    await asyncio.sleep(0)
    assert handler.done == []
    handler.futures["slow"].set_result("first")
    await handler.finish()
    assert handler.done == ["first", "second", "quick"]


@pytest.mark.parametrize("slow", [(), ("fault",)])
async def test_queue_stops_after_error(slow):
    handler = Handler(*slow)
    handler.messages.start()
    handler.messages.put("fault")
    for future in handler.futures.values():
        future.set_result("fault")
    await handler.finish()
    handler.messages.put("one")
    await handler.finish()
    assert [str(error) for error in handler.errors] == ["fault"]
    assert handler.done == []


async def test_an_error_before_there_is_a_coroutine_is_reported():
    handler = Handler()
    handler.messages.start()
    for text in ("one", "unknown", "two"):
        handler.messages.put(text)
    await handler.finish()
    assert handler.done == ["one"]
    assert [type(error) for error in handler.errors] == [KeyError]


async def test_a_cancelled_message_is_no_error():
    handler = Handler("slow")
    handler.messages.start()
    handler.messages.put("slow")
    await asyncio.sleep(0)
    handler.tasks[0].cancel()
    await handler.finish()
    assert handler.futures["slow"].cancelled()
    assert handler.errors == []


@pytest.mark.parametrize(
    ("text", "most"), [("one", MAX_WAITING), ("x" * 16_384, MAX_WAITING_CHARACTERS // 16_384)]
)
async def test_a_full_queue_takes_no_message(text, most):
    handler = Handler("slow")
    handler.messages.start()
    handler.messages.put("slow")
    for _ in range(most):
        handler.messages.put(text)
    with pytest.raises(Overflow):
        handler.messages.put(text)
    handler.futures["slow"].set_result("slow")
    await handler.finish()
    handler.messages.put(text)
    await handler.finish()
    assert handler.done == ["slow", *[text] * (most + 1)]
