"""A release may take puzzles and lessons away. What people have done with them before fails nowhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from django.test import Client

from games.pages import introduction
from games.puzzles import collection, daily, difficulty
from games.registry import GAMES
from games.rules.base import Introduction
from lobby.accounts import export
from lobby.classes import classes, pupils
from lobby.courses import progress as courses
from lobby.homework import homework, views
from lobby.people.models import User
from lobby.puzzles import ratings, runs
from lobby.puzzles.runs import KINDS, STREAK
from tests.helpers.tournaments import command, people

pytestmark = pytest.mark.django_db

ALL = collection.by_game()["kalah"]
TakeAway = Callable[..., None]
Shorten = Callable[[Introduction | None], None]


@pytest.fixture
def take_away(monkeypatch: pytest.MonkeyPatch) -> Iterator[TakeAway]:
    """Takes puzzles of Kalah out of the collection."""
    caches = (difficulty.estimates, daily.coming)

    def taken(*keys: str) -> None:
        left = {key: puzzle for key, puzzle in ALL.items() if key not in keys}
        monkeypatch.setattr(collection, "by_game", lambda: {"kalah": left})
        for each in caches:
            each.cache_clear()

    yield taken
    monkeypatch.undo()
    for each in caches:
        each.cache_clear()


@pytest.fixture
def shorten(monkeypatch: pytest.MonkeyPatch) -> Iterator[Shorten]:
    """Changes the course of Kalah."""

    def shortened(course: Introduction | None) -> None:
        introduction.played.cache_clear()
        monkeypatch.setitem(GAMES, "kalah", replace(GAMES["kalah"], course=course))

    yield shortened
    introduction.played.cache_clear()


@pytest.fixture
def ada() -> User:
    return people("Ada")[0]


def begun(kind: str, user: User | None = None) -> tuple[str, list[str]]:
    """A run: its address, and the keys of its puzzles."""
    run = runs.begin(user, "192.0.2.1", "kalah", kind)
    return f"/puzzles/run/{run.key}", run.puzzles.split(runs.SEPARATOR)


def answer(client: Client, address: str, number: int, move: str) -> dict[str, Any]:
    told: dict[str, Any] = client.post(address, {"number": number, "move": move}).json()
    return told


def shown(client: Client, address: str) -> dict[str, Any]:
    told: dict[str, Any] = client.get(address).context["position"]
    return told


@pytest.mark.parametrize("kind", KINDS)
def test_a_run_under_way_skips_what_is_gone(client: Client, take_away: TakeAway, kind: str) -> None:
    address, keys = begun(kind)
    answer(client, address, 0, ALL[keys[0]].answer)
    take_away(keys[0], keys[1], keys[3])
    # A page that was open has the puzzle that is gone: its answer is about no other one.
    told = answer(client, address, 1, ALL[keys[2]].answer)
    assert (told["results"], told["score"], told["over"]) == ("1-", 1, False)
    assert told["puzzle"] == shown(client, address)["puzzle"]
    told = answer(client, address, 2, ALL[keys[2]].answer)
    assert (told["results"], told["score"], told["combo"]) == ("1-1-", 2, 2)
    wrong = next(move for move in ALL[keys[4]].worth if move != ALL[keys[4]].answer)
    assert answer(client, address, 4, wrong)["missed"] == (
        f"/puzzles/kalah?set={keys[4]}" if kind == STREAK else None
    )
    take_away(keys[4])
    assert shown(client, address)["missed"] is None


def test_a_run_of_which_nothing_is_left_is_over_with_its_score(
    client: Client, take_away: TakeAway, ada: User
) -> None:
    address, keys = begun(STREAK, ada)
    client.force_login(ada)
    answer(client, address, 0, ALL[keys[0]].answer)
    take_away(*keys)
    told = shown(client, address)
    assert (told["over"], told["score"], told["best"]) == (True, 1, 1)


def test_homework_counts_what_is_left(
    take_away: TakeAway, shorten: Shorten, settings: Any, ada: User
) -> None:
    settings.CLASSES = classes.OPEN
    fifth = classes.make(ada, "5b", command())
    (pupil_id,) = pupils.add(ada, fifth.code, "Mari", command())
    mari = User.objects.get(pk=pupil_id)
    keys, course = [*ALL][:3], GAMES["kalah"].course
    assert course
    for task in (
        homework.puzzle_set(f"/puzzles/kalah?set={'.'.join(keys)}"),
        homework.course("kalah"),
        homework.computer("kalah", len(GAMES["kalah"].levels), 1),
    ):
        homework.give(ada, fifth.code, task, date(2099, 1, 31), command())
    ratings.attempt(mari, ALL[keys[1]], ALL[keys[1]].answer)
    courses.note(mari, {"kalah": len(course.lessons)})

    def told() -> list[tuple[str, str]]:
        client = Client()
        for user, addresses in {ada: ("/homework", "/progress.csv"), mari: ("",)}.items():
            client.force_login(user, backend="lobby.auth.backends.PasswordBackend")
            for address in addresses:
                assert client.get(f"/class/{fifth.code}{address}").status_code == 200
        pieces = views.of_pupil(mari)[:2]
        assert [client.get(each.link).status_code for each in pieces] == [200, 200]
        return [(each.title, each.progress.words) for each in pieces if each.progress]

    take_away(keys[0])
    shorten(course._replace(lessons=course.lessons[:2]))
    assert told() == [("Kalah: 2 puzzles", "1 of 2, 1 right"), ("Kalah: How to play well", "2 of 2")]
    take_away(*keys)
    shorten(None)
    assert told() == [("Kalah: 0 puzzles", "0 of 0, 0 right"), ("Kalah: How to play well", "0 of 0")]


def test_pages_and_exports_of_who_has_solved_what_is_gone(
    client: Client, take_away: TakeAway, shorten: Shorten, ada: User
) -> None:
    first, second, *_ = ALL
    ratings.attempt(ada, ALL[first], ALL[first].answer)
    for kind in KINDS:
        address, keys = begun(kind, ada)
        client.force_login(ada)
        answer(client, address, 0, ALL[keys[0]].answer)
    course = GAMES["kalah"].course
    assert course
    courses.note(ada, {"kalah": len(course.lessons)})
    take_away(first)
    shorten(course._replace(lessons=course.lessons[:2]))
    for address in (
        *("/", "/@/Ada", "/puzzle", "/puzzles", "/puzzles/days", "/puzzles/kalah?order=hardest"),
        *(f"/puzzles/kalah?set={first}.{second}", f"/puzzles/kalah/{second}?set={first}.{second}"),
        *("/rules", "/rules/kalah", "/rules/kalah/course"),
    ):
        assert client.get(address).status_code == 200, address
    for address in (f"/puzzles/kalah/{first}", f"/puzzles/kalah?set={first}"):
        assert client.get(address).status_code == 404, address
    assert export.everything_about(ada)["puzzles"][0]["puzzle"] == first
