"""Clubs over HTTP, as programs see them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from django.test import Client

from games.api.scopes import CLUBS, LOBBY, TOURNAMENTS
from lobby.clubs import lookup
from lobby.people.models import User
from lobby.tokens import tokens
from tests.helpers.clubs import club_of
from tests.helpers.tournaments import command, entered, people

pytestmark = pytest.mark.django_db


class Program:
    """The program of a user, with scopes."""

    def __init__(self, user: User, scopes: Sequence[str] = (LOBBY, CLUBS, TOURNAMENTS)) -> None:
        headers = {"Authorization": f"Bearer {tokens.make(user, 'program', scopes)}"}
        self._client = Client(headers=headers)

    def post(self, path: str, **body: Any) -> Any:
        sent = body if path == "/tables" else {"id": command(), **body}
        return self._client.post(f"/api/v1{path}", sent, content_type="application/json")

    def get(self, path: str) -> Any:
        return self._client.get(f"/api/v1{path}").json()


def test_programs_found_join_and_run_a_club() -> None:
    ada, bo = map(Program, people("Ada Bo"))
    club = ada.post("/clubs", name="Harbour club", joining="request").json()
    address = f"/clubs/{club['id']}"
    assert (club["slug"], club["members"]) == ("harbour-club", 1)
    assert bo.post(f"{address}/join", text="Please").json() == {"member": False}
    assert [each["text"] for each in ada.get(f"{address}/requests")["requests"]] == ["Please"]
    assert ada.post(f"{address}/requests", name="Bo", accepted=True).status_code == 204
    assert ada.post(f"{address}/announcements", text="Friday at six").status_code == 204
    assert [each["text"] for each in bo.get(f"{address}/announcements")["announcements"]] == ["Friday at six"]
    assert ada.post(f"{address}/role", name="Bo", role="organiser").status_code == 204
    assert [each["role"] for each in bo.get(f"{address}/members")["members"]] == ["owner", "organiser"]
    assert bo.post(f"{address}/leave").status_code == 204
    assert [each["name"] for each in bo.get(f"{address}/members")["members"]] == ["Ada"]


def test_programs_neither_hand_over_nor_dissolve_a_club() -> None:
    ada, bo = people("Ada Bo")
    club = club_of(ada, bo)
    for path, body in (("hand-over", {"name": "Bo"}), ("dissolve", {})):
        answer = Program(ada).post(f"/clubs/{club.pk}/{path}", **body)
        assert (answer.status_code, answer.json()["code"]) == (403, "page-only")
    assert lookup.owner(club) == ada


def test_scope_of_the_lobby_has_no_power_over_clubs_and_tournaments() -> None:
    """Nobody who agreed to “tables, pairing, challenges” agreed to this."""
    ada, bo = people("Ada Bo")
    club, cup = club_of(ada, bo), entered(ada, [bo])
    program = Program(ada, (LOBBY,))
    for path, body in (
        (f"/clubs/{club.pk}/announcements", {"text": "Hello"}),
        (f"/clubs/{club.pk}/remove", {"name": "Bo"}),
        (f"/tournaments/{cup.pk}/cancel", {"why": "Rain"}),
    ):
        answer = program.post(path, **body)
        assert (answer.status_code, answer.json()["code"]) == (403, "scope")
    assert program.post("/tables", game="kalah").status_code == 201


@pytest.mark.parametrize("path", ["/tournaments", "/tables"])
@pytest.mark.parametrize(
    ("club", "refusal"), [("nothing", (404, "unknown-club")), ("theirs", (403, "not-member"))]
)
def test_a_club_that_is_unknown_or_not_mine_is_refused(
    path: str, club: str, refusal: tuple[int, str]
) -> None:
    ada, bo = people("Ada Bo")
    theirs = club_of(bo).pk
    body = {"name": "Cup", "format": "swiss", "rounds": 3} if path == "/tournaments" else {}
    answer = Program(ada).post(
        path, **{**body, "game": "kalah", "club": theirs if club == "theirs" else club}
    )
    assert (answer.status_code, answer.json()["code"]) == refusal


def test_a_command_that_was_used_at_another_club_is_refused() -> None:
    ada, bo = people("Ada Bo")
    first, second = club_of(ada), club_of(ada, name="Second club")
    program, once = Program(bo), command()
    assert program.post(f"/clubs/{first.pk}/join", id=once).status_code == 200
    refused = program.post(f"/clubs/{second.pk}/join", id=once)
    assert (refused.status_code, refused.json()["code"]) == (409, "command-used")
