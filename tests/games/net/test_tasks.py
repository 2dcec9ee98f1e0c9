"""Periodic work goes on when it fails and does not fill the log; events of a moment come together."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping
from typing import Any

import pytest

from games.net.tasks import RESTS_AFTER, Activity, Debouncer, Wakeup, activity, every
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
    monkeypatch.setattr("games.net.tasks.REST_SECONDS", 3600)
    activity.begin()
    activity._last -= RESTS_AFTER + 1
    work = Work(2)
    running = asyncio.create_task(run(work, 0.001))
    while not activity._sleeping:  # noqa: ASYNC110 - the work has begun to wait
        await asyncio.sleep(0)
    assert work.done == 1
    activity.note()
    await running


class Dealt:
    """What was handed over, and when there is something of it."""

    def __init__(self, seconds: float = 0.02, most: int | None = None) -> None:
        self.moment: Debouncer[str, int] = Debouncer(seconds, self._deal, most)
        self.lots: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

    def _deal(self, came: Mapping[str, int]) -> None:
        self.lots.put_nowait(dict(came))


async def test_debounced_notes_delivered_together_in_order() -> None:
    dealt = Dealt()
    for number, key in enumerate(("later", "again", "later")):
        dealt.moment.note(key, number)
    assert "again" in dealt.moment
    assert list((await dealt.lots.get()).items()) == [("later", 2), ("again", 1)]
    assert "again" not in dealt.moment


async def test_many_are_handed_over_in_lots_of_limited_size() -> None:
    dealt = Dealt(most=2)
    for number, key in enumerate("abc"):
        dealt.moment.note(key, number)
    assert [await dealt.lots.get(), await dealt.lots.get()] == [{"a": 0, "b": 1}, {"c": 2}]


async def test_debounced_note_after_delivery_starts_new_batch() -> None:
    dealt = Dealt()
    for number in range(3):
        dealt.moment.note("key", number)
        assert await dealt.lots.get() == {"key": number}
    assert dealt.lots.empty()


async def test_debounced_note_during_delivery_not_lost() -> None:
    handed_over: asyncio.Queue[dict[str, int]] = asyncio.Queue()

    def deal(came: Mapping[str, int]) -> None:
        handed_over.put_nowait(dict(came))
        if came["key"] < 2:
            moment.note("key", came["key"] + 1)

    moment: Debouncer[str, int] = Debouncer(0.001, deal)
    moment.note("key", 0)
    assert [await handed_over.get() for _ in range(3)] == [{"key": 0}, {"key": 1}, {"key": 2}]


def test_debounced_note_survives_end_of_event_loop() -> None:
    dealt = Dealt()

    async def note(key: str) -> None:
        dealt.moment.note(key, 1)

    async def note_and_wait(key: str) -> dict[str, Any]:
        dealt.moment.note(key, 2)
        return await dealt.lots.get()

    asyncio.run(note("first"))
    assert asyncio.run(note_and_wait("second")) == {"first": 1, "second": 2}
