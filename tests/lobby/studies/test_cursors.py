"""Where people look, told between the processes of a site."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from lobby.studies.cursors import Cursor, Cursors
from tests.helpers.processes import Site, SiteHub

STUDY = "study.x"


class Reader:
    """A reader who remembers what was told; frames of topics come as they are."""

    seat = None

    def __init__(self) -> None:
        self.cursor: Cursor | None = None
        self.told = list[Any]()

    def tell(self, message: dict[str, Any]) -> None:
        self.told.append(message)

    def write(self, frame: Any) -> None:
        self.told.append(orjson.loads(frame.payload))


class Process:
    """A process with its hub."""

    def __init__(self, site: Site) -> None:
        self.hub: Any = SiteHub(site)
        self.cursors = Cursors(self.hub)

    def open(self) -> Reader:
        reader = Reader()
        self.hub.join(STUDY, reader)
        self.cursors.came(STUDY, reader)
        return reader

    def close(self, reader: Reader) -> None:
        self.hub.leave(STUDY, reader)
        self.cursors.left(STUDY, reader)


def at(name: str, node: int) -> Cursor:
    return {"type": "cursor", "by": name, "chapter": 1, "node": node, "leads": False, "follows": False}


@pytest.fixture
def two(monkeypatch: pytest.MonkeyPatch) -> list[Process]:
    site = Site(monkeypatch)
    return [Process(site), Process(site)]


def test_who_comes_is_sent_all_cursors_and_the_others_nothing(two: list[Process]) -> None:
    here, there = two
    readers = [here.open() for _ in range(50)]
    for number, reader in enumerate(readers):
        here.cursors.moved(STUDY, reader, at(f"Reader-{number}", number))
    for each in readers:
        each.told.clear()
    for process in (there, there, here):
        told = process.open().told
        assert sorted(message["node"] for message in told) == list(range(50))
    assert [each.told for each in readers] == [[]] * 50


def test_a_move_is_told_once_in_every_process(two: list[Process]) -> None:
    here, there = two
    mine, other = here.open(), there.open()
    for node in (3, 3, 4):
        here.cursors.moved(STUDY, mine, at("Ada", node))
    assert mine.told == other.told == [at("Ada", 3), at("Ada", 4)]


def test_who_has_another_page_open_has_not_left(two: list[Process]) -> None:
    here, there = two
    pages = [here.open(), there.open()]
    onlooker = here.open()
    for process, page in zip(two, pages, strict=True):
        process.cursors.moved(STUDY, page, at("Ada", 1))
    here.close(pages[0])
    assert {"type": "left", "by": "Ada"} not in onlooker.told
    there.close(pages[1])
    assert onlooker.told[-1] == {"type": "left", "by": "Ada"}
