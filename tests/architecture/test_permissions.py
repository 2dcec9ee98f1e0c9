"""Who may ask for what: every address and every message of a socket, by everybody.

`tests/data/permissions.txt` has it all. Somebody who adds an address or a message adds its row there, with
what each is answered. With `WRITE_PERMISSIONS=1` and `FULL=1` in the environment the test writes the table;
then read it, since what it says is what reviewers agree to.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from difflib import unified_diff
from pathlib import Path
from typing import Any

import orjson
import pytest
from allauth.account.internal.flows.login import _AUTHENTICATION_METHODS_USER_SESSION_KEY as OF_USER
from allauth.account.internal.flows.login import AUTHENTICATION_METHODS_SESSION_KEY
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.contrib.auth.models import Group
from django.db import connection

from games.api.scopes import SCOPES
from games.domain.terms import Terms
from games.net.limits import Bucket, Buckets
from games.net.threads import in_thread
from games.play import begin
from games.puzzles import collection, daily
from games.registry import GAMES
from lobby.accounts import guests
from lobby.classes import classes, pupils
from lobby.clubs import clubs, members
from lobby.clubs.clubs import Charter
from lobby.evenings import evenings
from lobby.moderation.moderators import NAME as MODERATORS
from lobby.moderation.moderators import TEACHERS
from lobby.people import relationships
from lobby.people.models import User
from lobby.puzzles import runs
from lobby.studies import studies
from lobby.tables import tables
from lobby.tables.terms import TableTerms
from lobby.tournaments import entries, organising
from lobby.tournaments.plans import Plan
from tests.helpers.onlookers import Onlooker, spoken_at
from tests.helpers.routes import routes
from tests.helpers.samples import FULL
from tests.helpers.studies import file as study_file

TABLE = Path(__file__).parents[1] / "data" / "permissions.txt"
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
CIRCLE = GAMES["kalah"].rules.PRESETS["circle"]

PEOPLE = (
    *("anonymous", "guest", "person", "player", "opponent"),
    *("follower", "blocked", "moderator", "admin", "computer"),
)
"""Whom the columns are about; who watches is anybody without a seat."""
ALIKE = ("player", "opponent", "follower", "blocked")
"""They are like any other person where an address names nobody and nothing; a dot says so."""
STAFF_ONLY = ("anonymous", "person", "moderator", "admin")
"""Who tries the doors of the admin, with a second factor given where there is one."""
PROGRAMS = (*PEOPLE[2:], *SCOPES)
"""Below `/api/`: their programs with every scope, then programs of the player with one scope each."""
IN_FULL_ONLY = set() if FULL else {"opponent", "follower", "admin", "computer"}
"""Columns that only the full run compares."""

BODIES: Mapping[str, Any] = {
    "api/v1/matches/<match_id>/commands": {"type": "resign", "id": "command-99", "after": 99},
    "api/v1/matches/<match_id>/conditional": {"after": 99, "lines": []},
    "api/v1/matches/<match_id>/chat": {"id": "line-0001", "room": "players", "text": ""},
    "api/v1/inbox/<name>": {"id": "message-01", "text": " "},
    "api/v1/tournaments": {"id": "command-01", "name": " ", "game": "kalah", "format": "swiss"},
    "api/v1/tournaments/<tournament_id>": {
        "id": "command-02",
        "name": " ",
        "game": "kalah",
        "format": "swiss",
    },
    "api/v1/tournaments/<tournament_id>/enter": {"id": "command-03"},
    "api/v1/tournaments/<tournament_id>/withdraw": {"id": "command-04"},
    "api/v1/tournaments/<tournament_id>/bye": {"id": "command-05", "round": 1},
    "api/v1/tournaments/<tournament_id>/start": {"id": "command-06"},
    "api/v1/tournaments/<tournament_id>/pause": {"id": "command-07", "paused": True},
    "api/v1/tournaments/<tournament_id>/remove": {"id": "command-08", "name": "opponent", "why": ""},
    "api/v1/tournaments/<tournament_id>/decide": {
        **{"id": "command-09", "round": 1, "table": 1, "points": None, "why": ""},
    },
    "api/v1/tournaments/<tournament_id>/cancel": {"id": "command-10", "why": ""},
    "api/v1/studies/<study_id>": {"id": "study-cmd-1", "visibility": "private"},
    "api/v1/studies/<study_id>/delete": {"id": "study-cmd-2"},
    "api/v1/clubs": {"id": "club-cmd-01", "name": " "},
    "api/v1/clubs/<club_id>": {"id": "club-cmd-02", "name": " "},
    "api/v1/clubs/<club_id>/join": {"id": "club-cmd-03"},
    "api/v1/clubs/<club_id>/leave": {"id": "club-cmd-04"},
    "api/v1/clubs/<club_id>/requests": {"id": "club-cmd-05", "name": "nobody", "accepted": True},
    "api/v1/clubs/<club_id>/remove": {"id": "club-cmd-06", "name": "nobody"},
    "api/v1/clubs/<club_id>/let-in": {"id": "club-cmd-07", "name": "nobody"},
    "api/v1/clubs/<club_id>/role": {"id": "club-cmd-08", "name": "nobody", "role": "member"},
    "api/v1/clubs/<club_id>/hand-over": {"id": "club-cmd-09", "name": "nobody"},
    "api/v1/clubs/<club_id>/link": {"id": "club-cmd-10"},
    "api/v1/clubs/<club_id>/announcements": {"id": "club-cmd-11", "text": " "},
    "api/v1/clubs/<club_id>/withdraw": {"id": "club-cmd-12", "number": 1},
    "api/v1/clubs/<club_id>/dissolve": {"id": "club-cmd-13"},
}
"""What is sent to an address that would refuse everybody else alike; nothing comes of it."""


@pytest.fixture(autouse=True)
def no_limits(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    monkeypatch.setattr(Buckets, "take", lambda *_: True)
    monkeypatch.setattr(Bucket, "take", lambda *_: True)
    settings.ACCOUNT_RATE_LIMITS = False


class Snapshot:
    """The database as it was, to come back to after something was changed."""

    def __init__(self) -> None:
        import sqlite3

        self._kept = sqlite3.connect(":memory:", check_same_thread=False)
        connection.ensure_connection()
        connection.connection.backup(self._kept)

    def restore(self) -> None:
        connection.ensure_connection()
        self._kept.backup(connection.connection)


def make_cast() -> dict[str, User]:
    # Nothing else has a number like theirs, whatever other tests have stored: it stands for any object's.
    numbered = enumerate((name for name in PEOPLE if name not in ("anonymous", "guest")), 7_001)
    found = {name: User.objects.create_user(name, pk=number) for number, name in numbered}
    found["guest"] = guests.new_guest()
    relationships.follow(found["follower"], found["player"])
    relationships.block(found["player"], found["blocked"])
    found["moderator"].groups.add(Group.objects.get(name=MODERATORS))
    User.objects.filter(username__in=["moderator", "admin"]).update(is_staff=True)
    User.objects.filter(username="admin").update(is_superuser=True)
    User.objects.filter(username="computer").update(is_bot=True)
    for name in ("moderator", "admin"):
        TOTP.activate(found[name], generate_totp_secret())
    return found


async def columns(found: Mapping[str, User]) -> dict[str, Onlooker]:
    cast = {"anonymous": Onlooker(), "guest": await Onlooker.of(found["guest"])}
    for name in PEOPLE[2:]:
        cast[name] = await Onlooker.of(found[name], tuple(SCOPES))
    for name in ("moderator", "admin"):
        await gave_second_factor(cast[name])
    for scope in SCOPES:
        cast[scope] = await Onlooker.of(found["player"], (scope,))
    return cast


async def gave_second_factor(who: Onlooker) -> None:
    assert who.user is not None
    session = await who.client.asession()
    given = [{"method": "mfa", "type": "totp", "at": time.time()}]
    await session.aset(AUTHENTICATION_METHODS_SESSION_KEY, given)
    await session.aset(OF_USER, str(who.user.pk))
    await session.asave()


def make_things(found: Mapping[str, User]) -> dict[str, dict[str, Any]]:
    """What the addresses are filled with, by what is different about it."""
    players = [found["player"], found["opponent"]]
    open_match = begin.create("kalah", CIRCLE, players, 0, Terms())
    private = begin.create("kalah", CIRCLE, players, 0, Terms(watchable=False))
    table = tables.set_table(found["player"], "kalah", CIRCLE, 2, "host", TableTerms())
    sat = tables.set_table(found["player"], "kalah", CIRCLE, 2, "host", TableTerms(watchable=False))
    begun = tables.sit_down(found["opponent"], sat.pk)
    cup = Plan(title="Cup", game="kalah", options=CIRCLE, format="swiss", rounds=3)
    tournament = organising.create(found["player"], cup, "command-00")
    entries.enter(found["opponent"], tournament.pk, "", "command-00")
    evening = evenings.open_evening(found["player"], "kalah", 90, "command-000")
    evenings.join(found["opponent"], evening.code)
    played = begun_evening(found)
    club = clubs.found(found["player"], Charter("Harbour club"), "command-0000")
    members.join(found["opponent"], club.pk, "command-000")
    study, hidden = (studies.create(found["player"], study_file(), f"command-s{at}") for at in range(2))
    studies.change(found["player"], study.pk, study.title, "public", "command-s2")
    studies.set_member(found["player"], hidden.pk, "opponent", "write", "command-s3")
    found["player"].groups.add(Group.objects.get(name=TEACHERS))
    fifth = classes.make(found["player"], "5b", "command-c0")
    (pupil_id,) = pupils.add(found["player"], fifth.code, "Mari", "command-c1")
    values = {
        "class_code": fifth.code,
        "pupil_id": pupil_id,
        "run_key": runs.begin(found["player"], "192.0.2.1", "kalah", runs.STORM).key,
        "study_id": study.pk,
        "chapter_id": study.chapters.get().pk,
        "club": club.slug,
        "club_id": club.pk,
        "tournament_id": tournament.pk,
        "code": evening.code,
        "match_id": open_match.pk,
        "table_id": table.pk,
        "name": "player",
        "act": "follow",
        "game": "kalah",
        "slug": "kalah",
        "preset": "circle",
        "token": "nothing",
        "ply": 0,
        "after": 0,
        "key": "nothing",
        "puzzle_key": next(
            key
            for key, puzzle in collection.by_game()["kalah"].items()
            if daily.former()[0].answer in puzzle.worth
        ),
        "uidb36": "1",
        "id": found["person"].pk,
        "object_id": found["person"].pk,
        "app_label": "lobby",
        "url": "nowhere",
        "language": "ru",
        "day": daily.FIRST,
        "move": daily.former()[0].answer,
        "version": "nothing",
        **dict.fromkeys(("number", "pk", "hook_id", "delivery_id", "content_type_id"), 1),
    }
    return {
        "": values,
        "@private": {**values, "match_id": private.pk},
        "@hidden": {**values, "table_id": begun.pk},
        "@kept": {**values, "study_id": hidden.pk, "chapter_id": hidden.chapters.get().pk},
        "@evening": {**values, "tournament_id": played},
    }


def begun_evening(found: Mapping[str, User]) -> str:
    """The tournament of an evening whose host has removed the person who is blocked."""
    host = found["player"]
    code = evenings.open_evening(host, "kalah", 90, "command-100").code
    for name in ("player", "opponent", "blocked", "computer"):
        evenings.join(found[name], code)
    begun = evenings.start(host, code, "command-101").tournament
    assert begun is not None
    evenings.remove(host, code, found["blocked"].pk, "command-102")
    return begun.pk


def variants(route: str) -> Iterator[str]:
    yield ""
    if "match_id" in route:
        yield "@private"
    if "table_id" in route:
        yield "@hidden"
    if "tournament_id" in route:
        yield "@evening"
    if "study_id" in route:
        yield "@kept"


async def answered(who: Onlooker, method: str, route: str, values: Mapping[str, Any]) -> str:
    """What somebody is answered, in a word."""
    cookies = who.client.cookies.copy()
    answer = await who.ask(method, route, values, BODIES.get(route))
    who.client.cookies = cookies  # type: ignore[assignment]
    if answer.streaming and "ndjson" in answer["Content-Type"]:
        await answer.streaming_content.aclose()
    if answer.status_code in (301, 302):
        where = answer["Location"].partition("?")[0]
        return "login" if where.endswith("/login/") else "goes" if not where.endswith("2fa/") else "factor"
    return str(answer.status_code)


async def rows(cast: Mapping[str, Onlooker], things: Mapping[str, dict[str, Any]]) -> list[str]:
    """A row for every address, method and variant that is answered at all."""
    kept = await in_thread(Snapshot)()
    told = []
    for route in routes():
        api = route.startswith("api/v1/")
        names = compared("anonymous", *PROGRAMS) if api else compared(*PEOPLE)
        for method in METHODS if route.startswith(("api/", "mancala/")) else METHODS[:2]:
            for variant in variants(route):
                cells: list[str] = []
                for name in names:
                    if not _is_asked(route, name):
                        cells.append("·")
                        continue
                    cells.append(await answered(cast[name], method, route, things[variant]))
                    if cells == ["405"]:
                        break
                    if method != "GET" and cells[-1][0] not in "45":
                        await in_thread(kept.restore)()
                if cells != ["405"]:
                    told.append(_row(f"{method} /{route} {variant}", cells))
    return told


def compared(*names: str) -> list[str]:
    """The columns that this run compares."""
    return [name for name in names if name not in IN_FULL_ONLY]


def _is_asked(route: str, name: str) -> bool:
    if route.startswith("admin/"):
        return name in STAFF_ONLY
    return "<" in route or name not in ALIKE


# Sockets


def questions(values: Mapping[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """Every message of every socket, such that as little as can be comes of it."""
    command = {"id": "command-0", "after": 99}
    say = {"id": "command-1", "text": " "}
    of_match: list[dict[str, Any]] = [
        {"type": "sync", "after": 0},
        {"type": "odds"},
        {"type": "probe", "n": 7},
        {"type": "hint", **command},
        {"type": "move", **command, "move": "1"},
        *({"type": kind, **command} for kind in ("resign", "abort", "reclaim")),
        {"type": "rematch", "id": "command-0"},
        {"type": "decline", **command, "kind": "draw"},
        {"type": "offer", **command, "kind": "draw"},
        {"type": "claim", **command, "kind": "win"},
        {"type": "words", "id": "command-0", "words": "hello"},
        {"type": "hide-crowd", "id": "command-0", "hidden": False},
    ]
    of_chat: list[dict[str, Any]] = [
        {"type": "chat"},
        *({"type": "say", **say, "room": room} for room in ("players", "watchers")),
        {"type": "preset", "id": "command-1", "room": "players", "preset": "nothing"},
    ]
    return {
        "/ws/lobby": [{"type": "list"}, {"type": "chat"}, {"type": "say", **say}],
        "/ws/me": [
            *({"type": kind} for kind in ("people", "pairing", "saved")),
            {"type": "looking", "at": None},
            {"type": "rating", "match": values["match_id"]},
        ],
        "/ws/watch": [{"type": "show", "matches": [values["match_id"]]}],
        f"/ws/match/{values['match_id']}": of_match,
        f"/ws/chat/{values['match_id']}": of_chat,
        f"/ws/club/{values['club']}": [{"type": "chat"}, {"type": "say", **say}],
    }


BESIDE = {"crowd", "people", "counts", "watching", "words"}
"""What comes by itself."""


def _in_a_word(heard: list[str]) -> str:
    for told in heard:
        if told.startswith("closed"):
            return told.split()[1]
        message = orjson.loads(told.replace("{,", "{").replace(",,", ",").replace(",}", "}"))
        if message["type"] not in BESIDE and message["type"] != "error":
            return str(message.get("code", message["type"]))[:9]
    return "-"


async def spoken(cast: Mapping[str, Onlooker], things: Mapping[str, dict[str, Any]]) -> list[str]:
    """A row for every message of every socket."""
    cells: dict[str, list[str]] = {}
    for name in compared(*PEOPLE):
        for variant in ("", "@private"):
            for address, messages in questions(things[variant]).items():
                shown = "/".join(address.split("/")[:3])
                if variant and shown in ("/ws/lobby", "/ws/me", "/ws/club"):
                    continue
                assert spoken_at(shown) == {each["type"] for each in messages} | {"ping"}
                talk = await cast[name].socket(address)
                told = [_in_a_word(await talk.say())]
                for message in messages:
                    told.append(told[0] if talk.closed else _in_a_word(await talk.say(message)))
                await talk.close()
                said = ["opens", *(f"{each['type']} {each.get('room', '')}".strip() for each in messages)]
                for words, cell in zip(said, told, strict=True):
                    cells.setdefault(f"{shown} {words} {variant}", []).append(cell)
    return [_row(*row) for row in cells.items()]


def _row(name: str, cells: list[str]) -> str:
    return f"{name:<72}" + " ".join(f"{cell:<9}" for cell in cells).rstrip()


def _head(title: str, *names: str) -> str:
    return _row(title, compared(*names))


def table() -> list[str]:
    """The lines of the table, with the columns that this run compares."""
    lines, columns = [], []
    for line in TABLE.read_text().split("\n"):
        title, _, names = line.partition(" ")
        if title in ("PAGES", "PROGRAMS", "SOCKETS"):
            columns = names.split()
        if line:
            name, *cells = line.rsplit(maxsplit=len(columns))
            pairs = zip(columns, cells, strict=True)
            line = _row(name, [cell for column, cell in pairs if column not in IN_FULL_ONLY])
        lines.append(line)
    return lines


@pytest.mark.django_db(transaction=True)
async def test_answers_match_permissions_table() -> None:
    assert FULL or not os.environ.get("WRITE_PERMISSIONS"), "the table is written by the full run: FULL=1"
    found = await in_thread(make_cast)()
    things = await in_thread(make_things)(found)
    cast = await columns(found)
    told = await rows(cast, things)
    pages = [row for row in told if " /api/v1/" not in row]
    programs = [row for row in told if " /api/v1/" in row]
    text = [
        *(_head("PAGES", *PEOPLE), *pages, ""),
        *(_head("PROGRAMS", "nobody", *PROGRAMS), *programs, ""),
        *(_head("SOCKETS", *PEOPLE), *await spoken(cast, things), ""),
    ]
    if os.environ.get("WRITE_PERMISSIONS"):
        TABLE.write_text("\n".join(text))
    apart = unified_diff(table(), text, "the table", "the site", lineterm="", n=0)
    said = "\n".join(apart)
    assert not said, said
