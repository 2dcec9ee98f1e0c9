"""Messages are acted upon one after the other, at once where nothing has to be waited for."""

import asyncio
import itertools

import pytest

from games.net.inbox import MOST_WAITING, MOST_WAITING_BYTES, Brief, Inbox, Overflow


class Socket:
    """Acts upon a message once the future of that name is there, if there is one."""

    def __init__(self, *slow):
        self.done, self.errors, self.tasks = [], [], []
        self.futures = {text: asyncio.get_running_loop().create_future() for text in slow}
        self.inbox = Inbox(self.act, self.spawn, self.errors.append)

    def act(self, text):
        if text == "unheard-of":
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


async def test_what_waits_for_nothing_is_done_where_it_is_taken():
    socket = Socket()
    socket.inbox.open()
    socket.inbox.take("one")
    assert (socket.done, socket.tasks) == (["one"], [])


async def test_what_comes_before_it_is_open_waits():
    socket = Socket()
    for text in ("one", "nothing", "two"):
        socket.inbox.take(text)
    assert socket.done == []
    socket.inbox.open()
    assert socket.done == ["one", "two"]


async def test_a_message_was_received_when_it_came_however_long_it_waited(monkeypatch):
    clock = itertools.count(1)
    monkeypatch.setattr("games.net.inbox.time.perf_counter", lambda: next(clock))
    socket = Socket("slow")
    received = []
    act = socket.act
    socket.inbox = Inbox(
        lambda text: received.append((text, socket.inbox.received_at)) or act(text),
        socket.spawn,
        socket.errors.append,
    )
    socket.inbox.take("before it was open")
    next(clock)
    socket.inbox.open()
    socket.inbox.take("slow")
    socket.inbox.take("waiting")
    next(clock)
    socket.futures["slow"].set_result("slow")
    await asyncio.gather(*socket.tasks)
    assert received == [("before it was open", 1), ("slow", 3), ("waiting", 4)]


async def test_nothing_overtakes_what_waits():
    socket = Socket("slow", "slower")
    socket.inbox.open()
    for text in ("slow", "slower", "quick"):
        socket.inbox.take(text)
    socket.futures["slower"].set_result("second")
    await asyncio.sleep(0)
    assert socket.done == []
    socket.futures["slow"].set_result("first")
    await asyncio.gather(*socket.tasks)
    await asyncio.gather(*socket.tasks)
    assert socket.done == ["first", "second", "quick"]


@pytest.mark.parametrize("slow", [(), ("fault",)])
async def test_after_a_fault_nothing_more_is_done(slow):
    socket = Socket(*slow)
    socket.inbox.open()
    socket.inbox.take("fault")
    for future in socket.futures.values():
        future.set_result("fault")
    await asyncio.gather(*socket.tasks)
    socket.inbox.take("one")
    assert [str(error) for error in socket.errors] == ["fault"]
    assert socket.done == []


async def test_a_fault_before_there_is_any_work_is_told_too():
    socket = Socket()
    socket.inbox.open()
    for text in ("one", "unheard-of", "two"):
        socket.inbox.take(text)
    assert socket.done == ["one"]
    assert [type(error) for error in socket.errors] == [KeyError]


async def test_an_error_of_what_is_waited_for_reaches_the_work():
    socket = Socket("slow")
    socket.inbox.open()
    socket.inbox.take("slow")
    socket.futures["slow"].set_exception(KeyError("lost"))
    await asyncio.gather(*socket.tasks)
    assert [type(error) for error in socket.errors] == [KeyError]


async def test_work_that_is_cancelled_ends_where_it_waits():
    ended = []

    class Careful(Socket):
        async def work(self, text):
            try:
                await self.futures[text]
            finally:
                ended.append(text)

    socket = Careful("slow")
    socket.inbox.open()
    socket.inbox.take("slow")
    await asyncio.sleep(0)
    socket.tasks[0].cancel()
    await asyncio.gather(*socket.tasks, return_exceptions=True)
    assert ended == ["slow"]
    assert socket.errors == []


async def test_what_waits_for_a_brief_moment_needs_no_task():
    socket = Socket()
    moment = socket.futures["one"] = Brief()
    socket.inbox.open()
    for text in ("one", "two"):
        socket.inbox.take(text)
    assert socket.done == []
    moment.set_result("first")
    await asyncio.sleep(0)
    assert (socket.done, socket.tasks) == (["first", "two"], [])


async def test_a_fault_of_a_brief_moment_is_told():
    socket = Socket()
    moment = socket.futures["one"] = Brief()
    socket.inbox.open()
    for text in ("one", "never"):
        socket.inbox.take(text)
    moment.set_exception(ValueError("away"))
    await asyncio.sleep(0)
    assert [str(error) for error in socket.errors] == ["away"]
    assert (socket.done, socket.tasks) == ([], [])


async def test_a_task_waits_for_a_brief_moment_too():
    moment = Brief()
    waiting = asyncio.ensure_future(moment)
    moment.set_result(None)
    assert await waiting is None


@pytest.mark.parametrize(
    ("text", "most"), [("one", MOST_WAITING), ("x" * 16_384, MOST_WAITING_BYTES // 16_384)]
)
async def test_so_many_messages_wait_and_not_one_more(text, most):
    socket = Socket("slow")
    socket.inbox.open()
    socket.inbox.take("slow")
    for _ in range(most):
        socket.inbox.take(text)
    with pytest.raises(Overflow):
        socket.inbox.take(text)
    socket.futures["slow"].set_result("slow")
    await asyncio.gather(*socket.tasks)
    socket.inbox.take(text)
    assert socket.done == ["slow", *[text] * (most + 1)]
