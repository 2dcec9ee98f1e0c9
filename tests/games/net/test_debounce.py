"""What comes within a moment is dealt with together."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from games.net.debounce import Debouncer


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
