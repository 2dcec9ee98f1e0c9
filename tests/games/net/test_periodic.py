"""Work that is done again and again goes on when it fails, and does not fill the log."""

import asyncio
import contextlib

import pytest

from games.net.periodic import RESTS_AFTER, Activity, Wakeup, activity, every
from tools.harness.patience import patience


class Work:
    """Fails in the rounds that are named, and says when so many are done."""

    def __init__(self, rounds, fails=()):
        self.rounds, self.fails, self.done = rounds, fails, 0
        self.all = asyncio.Event()

    async def do(self):
        self.done += 1
        if self.done == self.rounds:
            self.all.set()
        if self.done in self.fails:
            raise OSError("the database is away")


@pytest.fixture
async def run():
    """Runs work until all its rounds are done."""
    tasks = []

    async def run(work, seconds, wakeup=None):
        tasks.append(asyncio.create_task(every(seconds, work.do, wakeup)))
        await asyncio.wait_for(work.all.wait(), patience(30))

    yield run
    for task in tasks:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


async def test_work_runs_at_once_and_repeatedly(run):
    work = Work(3)
    await run(work, 0.001)
    assert work.done == 3


async def test_work_failure_retried_and_logged_once_per_outage(run, caplog):
    work = Work(9, fails=(2, 3, 4, 7))
    await run(work, 0.001)
    said = [(record.levelname, record.getMessage()) for record in caplog.records]
    failed = ("ERROR", "Work.do failed, and is tried again every 0.001 seconds")
    back = ("WARNING", "Work.do works again")
    assert said == [failed, back, failed, back]
    assert "the database is away" in caplog.text


async def test_a_wakeup_has_it_done_before_its_time_from_any_thread(run):
    wakeup, work = Wakeup(), Work(1)
    await run(work, 3600, wakeup)
    work.rounds = 2
    work.all.clear()
    await asyncio.to_thread(wakeup.wake)
    await asyncio.wait_for(work.all.wait(), patience(30))
    assert work.done == 2


async def test_wakeup_during_work_not_missed(run):
    wakeup = Wakeup()
    work = Work(2)

    class Interrupted(Work):
        async def do(self):
            await work.do()
            wakeup.wake()
            if work.all.is_set():
                self.all.set()

    await run(Interrupted(2), 3600, wakeup)
    assert work.done >= 2


def test_a_wakeup_that_nobody_waits_for_changes_nothing():
    Wakeup().wake()


async def test_process_without_activity_rests_until_the_next(monkeypatch):
    now = 1000.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    process = Activity()
    now += RESTS_AFTER + 1
    assert not process.resting
    process.begin()
    assert not process.resting
    now += RESTS_AFTER + 1
    assert process.resting
    process.note()
    assert not process.resting


async def test_activity_wakes_work_of_a_process_at_rest(run, monkeypatch):
    monkeypatch.setattr("games.net.periodic.REST_SECONDS", 3600)
    activity.begin()
    activity._last -= RESTS_AFTER + 1
    work = Work(2)
    running = asyncio.create_task(run(work, 0.001))
    while not activity._sleeping:  # noqa: ASYNC110 - the work has begun to wait
        await asyncio.sleep(0)
    assert work.done == 1
    activity.note()
    await running
