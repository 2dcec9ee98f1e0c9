"""`manage.py site`: a whole site in one file, from one database to another."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.core.management import CommandError, call_command

from games.models import Match, Ply
from games.registry import GAMES
from lobby.people.models import User
from tests.conftest import Launcher
from tests.helpers.community import settle
from tools.harness.people import seat_two
from tools.harness.servers import manage

Rows = list[dict[str, Any]]


@pytest.fixture
def exported(transactional_db: None, settings: Any, tmp_path: Path) -> Path:
    """A file of the demo site: a finished match and one in play of each game."""
    settings.DEBUG = True
    call_command("demo")
    file = tmp_path / "parlour.site"
    call_command("site", "export", str(file))
    return file


def empty() -> None:
    call_command("flush", interactive=False, inhibit_post_migrate=True, verbosity=0)


def read(file: Path) -> Rows:
    return [json.loads(line) for line in gzip.decompress(file.read_bytes()).splitlines()]


def write(file: Path, rows: Rows) -> None:
    file.write_bytes(gzip.compress("".join(json.dumps(row) + "\n" for row in rows).encode()))


def plies() -> list[tuple[Any, ...]]:
    return list(Ply.objects.order_by("match", "number").values_list())


def rights() -> list[tuple[str, str]]:
    """The permissions of the groups."""
    found = Group.objects.order_by("name", "permissions__pk")
    return list(found.values_list("name", "permissions__codename"))


def test_a_site_is_imported_as_it_was_exported(exported: Path) -> None:
    before, people = plies(), list(User.objects.order_by("pk").values())
    permissions = rights()
    empty()
    call_command("site", "import", str(exported))
    assert plies() == before
    assert list(User.objects.order_by("pk").values()) == people
    assert rights() == permissions
    assert Match.objects.count() == 2 * len(GAMES)
    assert User.objects.create_user("Newcomer").pk > max(person["id"] for person in people)
    assert exported.stat().st_mode & 0o077 == 0, "others may read it"


MODELS = (
    *("club", "membership", "joinrequest", "exclusion", "announcement", "chatline", "table"),
    *("tournament", "entrant", "pairing", "pairingseat", "auditentry"),
    *("evening", "eveningguest", "command", "message", "conversation"),
)
"""What people have together, one by one."""


@pytest.fixture
def community(transactional_db: None, tmp_path: Path) -> Path:
    """A file of a site with clubs, tournaments, evenings and messages."""
    settle()
    file = tmp_path / "community.site"
    call_command("site", "export", str(file))
    return file


def contents(file: Path) -> Rows:
    """The header and the rows of a file, whose order depends on how a database compares texts."""
    header, *rows = read(file)
    return [header, *sorted(rows, key=lambda row: (row["model"], str(row["pk"])))]


def test_export_import_moves_community(community: Path) -> None:
    whole = contents(community)
    assert {f"lobby.{name}" for name in MODELS} <= {row.get("model") for row in whole}
    empty()
    call_command("site", "import", str(community))
    call_command("site", "export", str(community))
    assert contents(community) == whole


@pytest.mark.full
def test_export_import_to_postgresql_and_back(community: Path, launcher: Launcher) -> None:
    whole = contents(community)
    for kind in ("postgres+redis", "sqlite"):
        url = launcher.store(kind).database_url
        manage("site", "import", str(community), DATABASE_URL=url)
        manage("site", "export", str(community), DATABASE_URL=url)
        assert contents(community) == whole


def fields_of(rows: Rows, model: str) -> Iterator[dict[str, Any]]:
    return (row["fields"] for row in rows if row.get("model") == model)


def change_a_state(rows: Rows) -> None:
    # Not that of a last ply, whose state leads nowhere.
    fields = next(each for each in fields_of(rows, "games.ply") if '"version":' in each["state"])
    fields["state"] = fields["state"].replace('"turn":0', '"turn":9').replace('"turn":1', '"turn":0')


def change_a_secret(rows: Rows) -> None:
    match = next(each for each in fields_of(rows, "games.match") if each["game"] == "cantstop")
    match["secret"] = "0" * 64


def change_an_outcome(rows: Rows) -> None:
    match = next(each for each in fields_of(rows, "games.match") if each["outcome"])
    match["outcome"] = None


def lose_a_ply(rows: Rows) -> None:
    lost = next(row for row in rows if row.get("model") == "games.ply")
    rows.remove(lost)
    rows[0]["rows"]["games.Ply"] -= 1


def lose_a_row(rows: Rows) -> None:
    rows.pop()


def orphan_a_seat(rows: Rows) -> None:
    next(fields_of(rows, "games.seating"))["match"] = "nowhere"


def be_of_another_release(rows: Rows) -> None:
    rows[0]["migrations"].append("games.9999_later")


def be_something_else(rows: Rows) -> None:
    rows[0]["format"] = "parlour-match"


DAMAGES = {
    change_a_state: "the position after it is another one",
    change_a_secret: "the dice are",
    change_an_outcome: "its outcome is another one",
    lose_a_ply: "is missing",
    lose_a_row: "rows of",
    orphan_a_seat: "The file is damaged",
    be_of_another_release: "another release",
    be_something_else: "no export of a Parlour site",
}


def test_a_damaged_file_is_refused_and_changes_nothing(exported: Path) -> None:
    whole, damaged = read(exported), exported.with_name("damaged.site")
    empty()
    for damage, sentence in DAMAGES.items():
        rows: Rows = json.loads(json.dumps(whole))
        damage(rows)
        write(damaged, rows)
        refuse(damaged, sentence)
    damaged.write_bytes(exported.read_bytes()[:-200])
    refuse(damaged, "ended before")
    damaged.write_bytes(b"text")
    refuse(damaged, "gzip")


def refuse(file: Path, sentence: str) -> None:
    with pytest.raises(CommandError, match=sentence):
        call_command("site", "import", str(file))
    assert not User.objects.exists()
    assert not Ply.objects.exists()


def test_a_site_with_people_takes_no_other_one_in(exported: Path) -> None:
    before = plies()
    with pytest.raises(CommandError, match="empty database"):
        call_command("site", "import", str(exported))
    assert plies() == before


@pytest.mark.full
@pytest.mark.parametrize("kinds", [("sqlite", "postgres+redis"), ("postgres+redis", "sqlite")])
def test_a_site_moves_to_another_database_and_is_played_on(
    kinds: tuple[str, str], launcher: Launcher, tmp_path: Path
) -> None:
    old, new = (launcher.store(kind) for kind in kinds)
    first = launcher.open(old)
    *people, match = seat_two(first, game="morris", preset="nine")
    with people[0].watch(match) as one, people[1].watch(match) as two:
        seats = (one, two)
        assert seats[one.snapshot["state"]["turn"]].move(0, one_legal(seats))["type"] == "accepted"
    file = str(tmp_path / "parlour.site")
    # While it serves.
    manage("site", "export", file, DATABASE_URL=old.database_url)
    manage("site", "import", file, DATABASE_URL=new.database_url)
    second = launcher.open(new)
    # Whoever was signed in still is.
    with people[0].watch(match, second) as one, people[1].watch(match, second) as two:
        assert one.snapshot["ply"] == 1
        mover = (one, two)[one.snapshot["state"]["turn"]]
        assert mover.move(1, mover.snapshot["legal"][-1])["type"] == "accepted"


def one_legal(seats: tuple[Any, Any]) -> str:
    legal: str = seats[seats[0].snapshot["state"]["turn"]].snapshot["legal"][0]
    return legal
