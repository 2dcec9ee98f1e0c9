"""Evaluations beside the analysis board: one worker evaluates for all who look at the same position."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import pytest
from django.test import AsyncClient

from games.bots.any_game import AnyGame
from games.bots.base import Evaluation
from games.computers.hints import hints
from games.computers.worker import Computers
from games.domain import codec, instants, position
from games.net.hub import hub
from games.play.matches import matches
from games.registry import GAMES
from games.store import position_looks
from lobby.studies import evaluating
from lobby.studies.refusals import TooManyAtOnce
from tests.helpers.studies import KALAH

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]

DIGEST = position_looks.digest_of(position.parse(KALAH))


class QuickPool:
    """Evaluates in this process, with the player that knows any game."""

    processes = 1

    def __init__(self) -> None:
        self.looked = 0

    async def timed_look(self, slug: str, state: str, seats: int, seed: str) -> tuple[Evaluation, float]:
        self.looked += 1
        rules = GAMES[slug].rules
        return AnyGame(rules).look(codec.decode_state(rules, state), seats, Random(seed)), 1.0


async def ask(text: str) -> Any:
    return await AsyncClient().get("/analysis/evaluation", {"p": text})


async def test_two_who_ask_at_once_wait_for_one_search() -> None:
    pool: Any = QuickPool()
    worker = Computers(matches, hub, pool, instants.now)
    waiting = [asyncio.ensure_future(ask(KALAH)) for _ in range(2)]
    while not all(each.done() for each in waiting):
        await worker.once()
    first, second = await asyncio.gather(*waiting)
    assert first.json() == second.json()
    assert (first.json()["seat"], pool.looked) == (0, 1)
    assert {move["move"] for move in first.json()["moves"]} == set("123456")
    assert (await ask(KALAH)).json() == first.json()
    assert pool.looked == 1


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
    monkeypatch.setattr(hints, "_patience", 0.0)
    answer = await ask(KALAH)
    assert (answer.status_code, answer.json()["code"]) == (409, "no-hint")


async def test_an_address_waits_for_few_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluating._places, "take", lambda _address: False)
    answer = await ask(KALAH)
    assert (answer.status_code, answer["Retry-After"]) == (503, "3")


async def test_who_leaves_keeps_their_place_until_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    there = asyncio.get_running_loop().create_future()
    monkeypatch.setattr(hints, "evaluation", lambda _position: there)
    asked = position.parse(KALAH)
    gone = [asyncio.ensure_future(evaluating.evaluation("a", asked)) for _ in range(evaluating.MOST_AT_ONCE)]
    await asyncio.sleep(0)
    for each in gone:
        each.cancel()
    await asyncio.wait(gone)
    with pytest.raises(TooManyAtOnce):
        await evaluating.evaluation("a", asked)
    there.set_result(None)
    await asyncio.sleep(0)
    assert await evaluating.evaluation("a", asked) is None
