"""Evaluations beside the analysis board: one search, as it deepens, for all who look at the same position."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from random import Random
from typing import Any

import orjson
import pytest
from django.test import AsyncClient

from games.bots.any_game import AnyGame
from games.bots.base import Evaluation
from games.computers.searches import Found, searches
from games.computers.worker import Computers
from games.domain import codec, instants, position
from games.models import PositionLook
from games.net.costs import WORKER_MILLISECOND, Bill
from games.net.hub import hub
from games.play.matches import matches
from games.registry import GAMES
from lobby.studies import evaluating
from lobby.studies.refusals import TooManyAtOnce
from tests.helpers.studies import KALAH
from tests.helpers.waiting import eventually

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]

DEPTHS = 3
THERE = position.parse(KALAH)


class DeepeningPool:
    """Tells three depths, each once it is `let` go on, with the player that knows any game."""

    processes = 1

    def __init__(self) -> None:
        self.let = asyncio.Semaphore(0)
        self.looked = 0
        self._stopped = False

    def go_on(self, depths: int = 1) -> None:
        for _ in range(depths):
            self.let.release()

    def stop(self, _seed: str) -> None:
        self._stopped = True

    async def deepen(
        self, slug: str, state: str, seats: int, seed: str, told: Any
    ) -> tuple[Evaluation | None, float]:
        self.looked += 1
        rules = GAMES[slug].rules
        look = AnyGame(rules).look(codec.decode_state(rules, state), seats, Random(seed))
        for depth in range(1, DEPTHS + 1):
            await self.let.acquire()
            if self._stopped:
                return None, 1.0
            told(replace(look, depth=depth), float(depth))
        return replace(look, depth=DEPTHS), float(DEPTHS)


@pytest.fixture
async def pool() -> AsyncIterator[Any]:
    """A worker takes what is asked for."""
    pool: Any = DeepeningPool()
    hub.begin()
    worker = Computers(matches, hub, pool, instants.now)

    async def work() -> None:
        while True:
            await worker.once()
            await asyncio.sleep(0.01)

    working = asyncio.ensure_future(work())
    yield pool
    working.cancel()


async def ask(text: str) -> Any:
    return await AsyncClient().get("/analysis/evaluation", {"p": text})


async def read(address: str) -> list[Found]:
    return [each async for each in evaluating.evaluations(address, THERE)]


async def test_two_readers_are_told_the_same_depths_of_one_search(pool: Any) -> None:
    waiting = [asyncio.ensure_future(read(address)) for address in ("a", "b")]
    await eventually(lambda: pool.looked)
    pool.go_on(DEPTHS)
    first, second = await asyncio.gather(*waiting)
    assert first == second
    assert [(each.look.depth, each.is_final) for each in first] == [
        *((depth, False) for depth in range(1, DEPTHS + 1)),
        (DEPTHS, True),
    ]
    assert await read("a") == [first[-1]._replace(milliseconds=0.0)]
    assert pool.looked == 1


async def test_a_page_is_told_the_depths_line_by_line(pool: Any) -> None:
    pool.go_on(DEPTHS)
    lines = [orjson.loads(line) async for line in (await ask(KALAH)).streaming_content]
    assert [line["final"] for line in lines] == [*[False] * (len(lines) - 1), True]
    assert {move["move"] for move in lines[-1]["moves"]} == set("123456")


async def test_who_comes_later_begins_with_the_last_depth(pool: Any) -> None:
    early = evaluating.evaluations("a", THERE)
    pool.go_on()
    assert (await anext(early)).look.depth == 1
    late = evaluating.evaluations("b", THERE)
    assert (await anext(late)).look.depth == 1
    pool.go_on(DEPTHS)
    assert [each.look.depth async for each in late] == [each.look.depth async for each in early]


async def test_a_reader_pays_for_the_time_of_the_search(pool: Any) -> None:
    pool.go_on(DEPTHS)
    with Bill() as bill:
        await read("a")
    assert bill.kilobytes >= DEPTHS * WORKER_MILLISECOND


async def test_the_search_stops_once_nobody_looks_and_until_then_takes_its_place(pool: Any) -> None:
    places = evaluating.MOST_AT_ONCE
    readers = [evaluating.evaluations("a", THERE) for _ in range(places)]
    pool.go_on()
    for reader in readers:
        await anext(reader)
    for reader in readers:
        await reader.aclose()
    with pytest.raises(TooManyAtOnce):
        evaluating.evaluations("a", THERE)
    pool.go_on()
    await eventually(lambda: not evaluating._places.taken)
    assert not await PositionLook.objects.aexists()


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("nonsense", "bad-position"),
        ("aces.1 standard seats=2 turn=0 dice=[0*5],[0*5] present=true,true due=true", "nobody-moves"),
    ],
)
async def test_what_cannot_be_evaluated_is_refused(text: str, code: str) -> None:
    assert (await ask(text)).json()["code"] == code


async def test_without_a_worker_the_request_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searches, "_patience", 0.0)
    answer = await ask(KALAH)
    assert (answer.status_code, answer.json()["code"]) == (409, "no-hint")


async def test_an_address_waits_for_few_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluating._places, "take", lambda _address: False)
    answer = await ask(KALAH)
    assert (answer.status_code, answer["Retry-After"]) == (503, "3")
