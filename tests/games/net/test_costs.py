"""What a message costs is charged, wherever the work is done, and who is in debt waits."""

import asyncio
import threading
import time

import pytest

from games.net import costs
from games.net.costs import MILLISECOND, WORKER_MILLISECOND, Account, computed, sent
from games.net.limits import Rate, limiter
from games.net.threads import in_thread

pytestmark = pytest.mark.django_db(transaction=True)

BURST = 1000.0


@pytest.fixture(autouse=True)
def limits(settings, monkeypatch):
    settings.SOCKET_RATE = 10
    for name in ("_of_person", "_of_address"):
        monkeypatch.setattr(costs, name, limiter(Rate(int(BURST), 10)))
    monkeypatch.setattr(costs, "_allowance", limiter(Rate(int(BURST) // 10, 10)))


def work(seconds=0.02):
    """Use the processor for so long."""
    ends = time.thread_time() + seconds
    while time.thread_time() < ends:
        pass


def spent(account):
    return BURST - account._address.tokens


async def works_in_loop():
    await asyncio.sleep(0)
    work()
    await asyncio.sleep(0)


async def works_in_thread():
    await in_thread(work)()


async def works_in_thread_of_task():
    await asyncio.ensure_future(in_thread(work)())


@pytest.mark.parametrize("act", [works_in_loop, works_in_thread, works_in_thread_of_task])
async def test_processor_time_is_charged(act):
    account = Account(1, "192.0.2.1")
    await account.run(act)
    assert spent(account) >= 19 * MILLISECOND


async def test_time_of_waiting_is_not_charged():
    account = Account(1, "192.0.2.1")
    await account.run(lambda: asyncio.sleep(0.2))
    assert spent(account) < 50 * MILLISECOND


async def test_answer_is_charged_by_its_size():
    async def answer():
        sent(100 * 1024)

    account = Account(1, "192.0.2.1")
    await account.run(answer)
    assert spent(account) >= 100


async def test_stream_is_charged_for_each_part_and_its_time():
    async def content():
        await in_thread(work)()
        yield b"x" * 100 * 1024

    account = Account(1, "192.0.2.1")
    await anext(account.stream(content()))
    assert spent(account) >= 100 + 15 * MILLISECOND


async def test_stream_of_person_in_debt_waits_without_a_turn(monkeypatch):
    async def content():
        yield b"x" * 2 * int(BURST) * 1024
        yield b""

    async def sleep(seconds):
        slept.append((seconds > 0, account._turn.locked()))

    slept = []
    monkeypatch.setattr(costs, "sleep", sleep)
    account = Account(1, "192.0.2.1")
    assert len([part async for part in account.stream(content())]) == 2
    assert slept == [(True, False)] * 2


async def test_stream_that_is_closed_closes_its_content():
    closed = asyncio.Event()

    async def content():
        try:
            yield b"1"
            await asyncio.Event().wait()
        finally:
            closed.set()

    stream = Account(1, "192.0.2.1").stream(content())
    await anext(stream)
    await stream.aclose()
    assert closed.is_set()


async def test_time_of_worker_is_charged():
    async def ask():
        computed(30)

    account = Account(1, "192.0.2.1")
    await account.run(ask)
    assert spent(account) >= 30 * WORKER_MILLISECOND


async def test_person_is_charged_on_all_sockets_and_address_for_all_people():
    async def answer():
        sent(2 * int(BURST) * 1024)

    await Account.of_socket(1, "192.0.2.1").run(answer)
    waits = [
        account.wait() > 0
        for account in (
            Account.of_socket(1, "192.0.2.2"),
            Account.of_socket(2, "192.0.2.1"),
            Account.of_socket(None, "192.0.2.1"),
            Account.of_socket(2, "192.0.2.2"),
        )
    ]
    # The second user at the address has an allowance.
    assert waits == [True, False, True, False]


async def test_user_waits_for_debts_of_the_address_once_the_allowance_is_spent():
    def answer(size):
        async def act():
            sent(int(size * 1024))

        return act

    await Account(None, "192.0.2.1").run(answer(2 * BURST))
    user = Account(2, "192.0.2.1")
    assert user.wait() == 0
    await user.run(answer(BURST / 5))
    assert user.wait() > 0
    assert Account(2, "192.0.2.2").wait() == 0


async def test_messages_of_person_in_debt_are_handled_one_at_a_time(monkeypatch):
    slept, running = [], []

    async def sleep(seconds):
        slept.append(seconds)
        await asyncio.sleep(0)
        monkeypatch.setattr(Account, "wait", lambda _: 0.0)

    async def answer():
        running.append(len(running))
        most.append(len(running))
        for _ in range(5):
            await asyncio.sleep(0)
        running.pop()

    most = []
    monkeypatch.setattr(costs, "sleep", sleep)
    monkeypatch.setattr(Account, "wait", lambda _: 1.0)
    await asyncio.gather(*(Account.of_socket(1, "192.0.2.1").run(answer) for _ in range(3)))
    assert (slept, max(most), len(most)) == ([1.0, 0.0, 0.0], 1, 3)


async def test_work_that_outlives_its_message_is_not_charged():
    go_on, done = threading.Event(), []

    async def answer():
        done.append(asyncio.ensure_future(in_thread(go_on.wait)()))

    account = Account(1, "192.0.2.1")
    await account.run(answer)
    before = spent(account)
    go_on.set()
    await done[0]
    assert spent(account) == before


async def test_exception_and_cancellation_pass_through():
    async def fails():
        await asyncio.sleep(0)
        raise KeyError

    account = Account(1, "192.0.2.1")
    with pytest.raises(KeyError):
        await account.run(fails)
    task = asyncio.ensure_future(account.run(asyncio.Event().wait))  # type: ignore[arg-type]
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_account_without_limit_never_waits(settings):
    settings.SOCKET_RATE = 0
    account = Account(1, "192.0.2.1")
    await account.run(works_in_loop)
    assert account.wait() == 0
