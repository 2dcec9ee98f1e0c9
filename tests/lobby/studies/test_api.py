"""Studies over HTTP, as programs see them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from games.api.scopes import READ, STUDIES
from lobby.moderation import moderation
from lobby.people.models import User
from lobby.studies.models import Study
from lobby.tokens import tokens
from tests.helpers.studies import file, lines, played, study_of
from tests.helpers.tournaments import command, people

pytestmark = pytest.mark.django_db


class Program:
    """The program of a user, or of nobody."""

    def __init__(self, user: User | None = None, scope: str = STUDIES) -> None:
        headers = {"Authorization": f"Bearer {tokens.make(user, 'program', [scope])}"} if user else {}
        self._client = Client(headers=headers)

    def get(self, path: str) -> Any:
        return self._client.get(f"/api/v1{path}")

    def post(self, path: str, **body: Any) -> Any:
        return self._client.post(f"/api/v1{path}", _sent(body), content_type="application/json")

    def patch(self, path: str, **body: Any) -> Any:
        return self._client.patch(f"/api/v1{path}", _sent(body), content_type="application/json")


def _sent(body: dict[str, Any]) -> dict[str, Any]:
    return {"id": command(), **body}


def add(action: str, parent: int = 0) -> dict[str, Any]:
    return {"kind": "add", "parent": parent, "action": action}


def test_a_file_is_kept_played_on_and_saved_again() -> None:
    program = Program(people("Ada")[0])
    made = program.post("/studies", study=json.loads(file())).json()
    (chapter,) = made["chapters"]
    assert (made["visibility"], made["role"], chapter["title"]) == ("private", "owner", "Start")
    address = f"/studies/{made['id']}/chapters/{chapter['id']}"
    assert program.post(f"{address}/operations", operation=add("3")).json() == {"number": 1, "node": 1}
    told = program.get(address).json()
    assert (told["number"], told["plies"]["1"]["legal"]) == (1, ["1", "2", "4", "5", "6"])
    saved = program.get(f"/studies/{made['id']}/file").json()
    again = program.post("/studies", study=saved).json()
    assert lines(Study.objects.get(pk=again["id"])) == ["3"]
    added = program.post(f"/studies/{made['id']}/chapters", study=saved).json()
    ids = [each["id"] for each in program.get(f"/studies/{made['id']}").json()["chapters"]]
    assert ids == [chapter["id"], added["chapter"]]
    assert {each["id"] for each in program.get("/me/studies").json()["studies"]} == {made["id"], again["id"]}


def test_an_operation_that_is_sent_again_acts_once() -> None:
    (ada,) = people("Ada")
    study = study_of(ada)
    address = f"/studies/{study.pk}/chapters/{study.chapters.all()[0].pk}/operations"
    answers = [Program(ada).post(address, id="command-a", operation=add("3")).json() for _ in range(2)]
    assert answers == [{"number": 1, "node": 1}] * 2
    assert lines(study) == ["3"]


@pytest.mark.parametrize(
    ("visibility", "seen"), [("private", {"member"}), ("unlisted", None), ("public", None)]
)
def test_a_private_study_is_its_members_with_the_scope(visibility: str, seen: set[str] | None) -> None:
    ada, bo, cleo = people("Ada Bo Cleo")
    study = study_of(ada, visibility, Bo="read")
    programs = {
        "member": Program(bo),
        "member without the scope": Program(bo, READ),
        "somebody": Program(cleo),
        "visitor": Program(),
    }
    chapter = study.chapters.all()[0].pk
    for path in ("", "/file", f"/chapters/{chapter}"):
        found = {
            who for who, each in programs.items() if each.get(f"/studies/{study.pk}{path}").status_code == 200
        }
        assert found == (programs.keys() if seen is None else seen)
    listed = [each["id"] for each in Program().get("/studies?game=kalah").json()["studies"]]
    assert listed == ([study.pk] if visibility == "public" else [])


def test_what_a_role_or_the_rules_do_not_allow_is_refused() -> None:
    ada, bo = people("Ada Bo")
    study = study_of(ada, Bo="read")
    played(ada, study, "3")
    address = f"/studies/{study.pk}/chapters/{study.chapters.all()[0].pk}/operations"
    for program, operation, status, code in (
        (Program(bo), add("1"), 403, "not-allowed"),
        (Program(ada, READ), add("1"), 403, "scope"),
        (Program(ada), add("9"), 422, "not-your-pit"),
        (Program(ada), add("1", parent=9), 404, "unknown-node"),
    ):
        answer = program.post(address, operation=operation)
        assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_its_owner_renames_shows_and_deletes_a_study() -> None:
    (ada,) = people("Ada")
    study, program = study_of(ada), Program(ada)
    address = f"/studies/{study.pk}"
    shown = program.patch(address, visibility="public").json()
    renamed = program.patch(address, title="Renamed").json()
    assert [(each["title"], each["visibility"]) for each in (shown, renamed)] == [
        ("First moves", "public"),
        ("Renamed", "public"),
    ]
    assert program.get(address).json() == renamed
    assert program.post(f"{address}/delete").status_code == 204
    assert program.get(address).status_code == 404
    assert program.patch(address, title="Back").json()["code"] == "unknown-study"


def test_nobody_else_changes_or_deletes_a_study_and_its_owner_shows_none_that_is_held() -> None:
    ada, bo, cleo = people("Ada Bo Cleo")
    study = study_of(ada, Bo="write")
    moderation.hide_study(User.objects.create_user("Moderator"), study, "Insults")
    address = f"/studies/{study.pk}"
    for answer, status, code in (
        (Program(bo).patch(address, title="Mine"), 403, "not-owner"),
        (Program(bo).post(f"{address}/delete"), 403, "not-owner"),
        (Program(cleo).post(f"{address}/delete"), 404, "unknown-study"),
        (Program(ada, READ).post(f"{address}/delete"), 403, "scope"),
        (Program(ada).patch(address, title="Shown", visibility="public"), 403, "study-held"),
        (Program(ada).patch(address, title="Moderator"), 422, "bad-title"),
        (Program(ada).patch(address, visibility="friends"), 422, "malformed"),
    ):
        assert (answer.status_code, answer.json()["code"]) == (status, code)
    study.refresh_from_db()
    assert (study.title, study.visibility) == ("First moves", "private")
    assert Program(ada).patch(address, title="Renamed").json()["title"] == "Renamed"
