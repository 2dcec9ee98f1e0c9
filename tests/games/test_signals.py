"""An announcement reaches everybody who listens, in the thread and in the order that are promised."""

import asyncio
import threading

import pytest

from games.signals import Signal
from tools.harness.patience import patience


def test_listeners_are_called_in_order_in_the_thread_of_the_caller():
    heard = []
    happened = Signal[[str], None]()
    for name in ("first", "second"):
        happened.connect(lambda what, name=name: heard.append((name, what, threading.get_ident())))  # type: ignore[misc]
    happened("this")
    here = threading.get_ident()
    assert heard == [("first", "this", here), ("second", "this", here)]


def test_signal_without_listeners():
    assert Signal[[], None]()() == []


def test_answers_come_in_order():
    asked = Signal[[int], int | None]()
    asked.connect(lambda _: None)
    asked.connect(lambda number: number + 1)
    assert asked(1) == [None, 2]


def test_an_objection_reaches_the_caller_and_nobody_after_it_is_asked():
    def objects():
        raise PermissionError

    asked, heard = Signal[[], None](), []
    asked.connect(objects)
    asked.connect(lambda: heard.append("asked"))
    with pytest.raises(PermissionError):
        asked()
    assert heard == []


async def test_listeners_that_take_their_time_do_not_wait_for_each_other():
    happened, second_is_there = Signal[[], None](), asyncio.Event()

    async def first():
        await asyncio.wait_for(second_is_there.wait(), patience(10))

    async def second():
        second_is_there.set()

    happened.connect(first)  # type: ignore[arg-type]
    happened.connect(second)  # type: ignore[arg-type]
    await happened.together()


async def test_listener_failure_does_not_stop_others():
    happened, done = Signal[[], None](), asyncio.Event()

    async def fails():
        raise PermissionError

    async def takes_its_time():
        await asyncio.sleep(0)
        done.set()

    happened.connect(fails)  # type: ignore[arg-type]
    happened.connect(takes_its_time)  # type: ignore[arg-type]
    with pytest.raises(PermissionError):
        await happened.together()
    await asyncio.wait_for(done.wait(), patience(10))
