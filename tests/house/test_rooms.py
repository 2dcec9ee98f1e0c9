"""The map in docs/architecture.md is the house as it is, and a breach of it is seen."""

from __future__ import annotations

import re

import pytest
from django.apps import apps

from tests.house import rooms, writers
from tests.house.rooms import MOST_FILES, ROOT, SUFFIXES

MAP = rooms.rooms(rooms.document())
WRITERS = rooms.writers(rooms.document())
WAYS = re.findall(r"^### (A way: .+?)\n(.+?)(?=^#|\Z)", rooms.document(), re.MULTILINE | re.DOTALL)
STEP = re.compile(r"^\d+\. `([^`]+)`(?: `([^`]+)`)?", re.MULTILINE)
MOST_ROOMS_OF_A_WAY = 8

every_tree = pytest.mark.parametrize("tree", SUFFIXES)
every_room = pytest.mark.parametrize("room", MAP.values(), ids=MAP.keys())


def source(path: str) -> str:
    return (ROOT / path).read_text()


@every_tree
def test_every_file_stands_in_a_room(tree):
    assert [path for path in rooms.files(tree) if rooms.room_of(path, MAP) is None] == []


@every_tree
def test_every_arrow_is_allowed(tree):
    found = {path: rooms.breaches(path, source(path), MAP) for path in rooms.files(tree)}
    assert {path: breaches for path, breaches in found.items() if breaches} == {}


@every_room
def test_no_arrow_goes_upwards(room):
    """Rooms are listed from the ground up: what a room needs is listed before it."""
    below = list(MAP)[: list(MAP).index(room.path)]
    assert room.needs - set(below) == set()


def test_the_map_names_no_arrow_that_is_not_drawn():
    drawn = {
        arrow
        for tree in SUFFIXES
        for path in rooms.files(tree)
        for arrow in rooms.arrows(path, source(path), MAP)
    }
    assert {(room.path, to) for room in MAP.values() for to in room.needs} == drawn


@every_room
def test_a_room_is_there_says_what_it_is_for_and_is_not_crowded(room):
    assert room.purpose
    folder = ROOT / room.path
    if not folder.is_dir():
        assert folder.with_suffix(".py").is_file()
        return
    suffix = SUFFIXES[room.path.partition("/")[0]]
    counted = [path for path in folder.glob(f"*{suffix}") if path.name != "__init__.py"]
    assert len(counted) <= MOST_FILES or room.path in NAMED_BY_OTHERS
    if suffix == ".py" and room.path not in ("games", "lobby", "config"):
        assert source(f"{room.path}/__init__.py").startswith('"""')


NAMED_BY_OTHERS = {"templates/account"}
"""Folders whose files are named by a library that looks for them there."""


@every_room
def test_a_breach_is_seen_wherever_in_the_room_it_stands(room):
    """Also in a folder below the room, where a file may be moved at any time."""
    tree = room.path.partition("/")[0]
    strangers = [path for path in MAP if path.startswith(f"{tree}/") and path not in room.needs]
    for place in places_in(room):
        for stranger in strangers:
            if not stranger.startswith(room.path):
                seen = rooms.breaches(place, needing(place, stranger), MAP)
                assert seen == [f"needs {stranger}"], (place, stranger)


def places_in(room):
    """Where a file of a room may stand; a room of a single module has one place only."""
    suffix = SUFFIXES[room.path.partition("/")[0]]
    if (ROOT / room.path).is_dir():
        return [f"{room.path}/new{suffix}", f"{room.path}/deeper/new{suffix}", f"{room.path}/a/b/new{suffix}"]
    return [f"{room.path}{suffix}"]


def needing(path: str, room: str) -> str:
    """A source at `path` that needs something of a room."""
    if path.endswith(".py"):
        return f"def late():\n    from {room.replace('/', '.')} import something\n"
    if path.endswith(".js"):
        up = "../" * path.count("/")
        return f'import {{ one }} from "{up}{room}/some.js";\n'
    return f'{{% include "{room.removeprefix("templates/")}/some.html" %}}\n'


def test_relative_imports_are_seen():
    assert rooms.breaches("games/law/deep/new.py", "from ...play import live", MAP) == ["needs games/play"]
    assert rooms.breaches("games/law/new.py", "from ..play.live import LiveMatch", MAP) == [
        "needs games/play"
    ]


# Rows and their writers


def test_every_row_has_its_writers():
    models = {model.__name__ for app in ("games", "lobby") for model in apps.get_app_config(app).get_models()}
    assert set(WRITERS) == models


def test_rows_are_written_by_nobody_else():
    found = {
        path: writers.written(source(path)) - {model for model, files in WRITERS.items() if path in files}
        for tree in ("games", "lobby", "config")
        for path in rooms.files(tree)
    }
    assert {path: models for path, models in found.items() if models} == WRITES_WHAT_IT_IS_HANDED


WRITES_WHAT_IT_IS_HANDED = {"games/store/leases.py": {writers.UNKNOWN}}
"""It moves one column of whatever rows their owner hands in."""


@pytest.mark.parametrize(("model", "files"), WRITERS.items(), ids=WRITERS.keys())
def test_writers_write(model, files):
    assert [file for file in files if model not in writers.written(source(file))] == []


@pytest.mark.parametrize(
    ("model", "line"),
    [
        ("Ply", "from games.models import Ply\nPly(match=match, number=1).save()"),
        ("Ply", "from games import models\nmodels.Ply.objects.filter(match=match).update(action='3')"),
        ("Ply", "await_ = match.plies.all().adelete()"),
        ("Ply", "cursor.execute('insert or replace into games_ply values (1)')"),
        ("Ply", "cursor.execute(f'DELETE FROM \"games_ply\" WHERE number = {n}')"),
        ("Match", "SQL = 'UPDATE games_match SET status = 1'"),
        ("Seating", "match.seatings.all().delete()"),
        ("Chair", "table.chairs.filter(user=user).delete()"),
        ("Tie", "user.ties_to_me.all().delete()"),
        ("Seek", "Seek.objects.filter(user=user).delete()"),
        ("Seek", "seeks = Seek.objects.filter(user=user)\nseeks.update(present=now)"),
        ("Invite", "invite.save(update_fields=['used'])"),
        ("Table", "cursor.execute('DELETE FROM lobby_table')"),
        (writers.UNKNOWN, "row.save()"),
        (writers.UNKNOWN, "rows.update(due=None)"),
    ],
)
def test_writing_is_seen(model, line):
    assert model in writers.written(line)


@pytest.mark.parametrize(
    "line",
    [
        "plies = Ply.objects.filter(match=match)\nrow = PlyRow(1)",
        "known.update(more)",
        "SELECT = 'SELECT * FROM games_ply'",
        "from lobby.tables import tables\ntables.delete(2)",
        "from games.api.access import Token\nauth = Token('read')",
        "class Table: pass\nTable()",
    ],
)
def test_reading_is_no_writing(line):
    assert writers.written(line) == set()


# The ways through the house


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way[0])
def test_a_way_goes_through_few_rooms_and_never_turns_back(way):
    steps = STEP.findall(way[1])
    passed: list[str] = []
    for path, names in steps:
        text = source(path)
        for name in filter(None, names.split(", ")):
            assert re.search(rf"\b{re.escape(name.rpartition('.')[2])}\b", text), f"{path} has no {name}"
        room = rooms.room_of(path, MAP)
        if passed[-1:] != [room]:
            passed.append(str(room))
    assert len(steps) > 3
    assert len(set(passed)) == len(passed), f"turns back: {passed}"
    assert len(passed) <= MOST_ROOMS_OF_A_WAY


def test_there_are_five_ways():
    assert len(WAYS) == 5
