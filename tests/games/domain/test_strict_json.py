"""A name that an object has twice is refused wherever JSON comes from outside."""

import json
from pathlib import Path

import pytest
from pydantic import BaseModel, TypeAdapter, ValidationError

from games.domain import messages, strict_json
from games.finished import importing
from lobby.people.models import User
from lobby.tokens import tokens
from tools.harness.recorded import refusal

ROOT = Path(__file__).parents[3]
MOVE = '{"type": "move", "id": "command-1", "after": 0, "move": "1", "move": "2"}'
FOLDERS = [
    "games/pages",
    "games/api",
    "games/watch",
    "games/net",
    "lobby/sockets",
    "lobby/api",
    "lobby/kalaha",
    "config",
]


class Pair(BaseModel):
    a: int
    b: dict[str, int]


@pytest.mark.parametrize("text", ['{"a": 1, "a": 2, "b": {}}', '{"a": 1, "b": {"c": 1, "c": 1}}'])
def test_repeated_name_is_refused_at_any_depth(text):
    with pytest.raises(strict_json.RepeatedName):
        strict_json.loads(text)
    for parse in (
        lambda: strict_json.model(Pair, text),
        lambda: strict_json.adapted(TypeAdapter(Pair), text),
    ):
        with pytest.raises(ValidationError) as caught:
            parse()
        assert caught.value.errors()[0]["type"] == strict_json.REPEATED


def test_move_with_repeated_name_is_malformed():
    with pytest.raises(messages.Malformed) as caught:
        messages.parse(MOVE)
    assert (caught.value.code, str(caught.value)) == ("malformed", "move: This name appears twice.")


def test_match_file_with_repeated_name_is_refused():
    document = (ROOT / "docs/reference/match-file.md").read_text()
    file = document.split("```json\n")[1].split("```")[0]
    assert refusal(file.encode()) is None
    repeated = file.replace('"seats":', '"seats": [{"name": "Eve"}, {"name": "Bo"}], "seats":').encode()
    error = refusal(repeated)
    assert isinstance(error, importing.FalseScore)
    assert (error.code, error.params) == ("repeated-name", {"name": "seats"})


def test_match_file_with_a_player_twice_is_refused():
    document = (ROOT / "docs/reference/match-file.md").read_text()
    file = json.loads(document.split("```json\n")[1].split("```")[0])
    file["seats"] = [{"name": "Ann"}, {"name": "ann\u2060"}]
    assert refusal(file).code == "same-players"


@pytest.mark.django_db
def test_api_body_with_repeated_name_is_refused(client):
    token = tokens.make(User.objects.create_user("Ada"), "Mine", ["lobby"])
    answer = client.post(
        "/api/v1/tables",
        '{"game": "kalah", "game": "morris", "id": "command-1"}',
        content_type="application/json",
        headers={"Authorization": f"Bearer {token}"},
    )
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")


@pytest.mark.parametrize("folder", FOLDERS)
def test_bodies_and_messages_are_parsed_strictly(folder):
    lax = [
        str(path.relative_to(ROOT))
        for path in (ROOT / folder).rglob("*.py")
        if "validate_json(" in path.read_text()
    ]
    assert lax == []
