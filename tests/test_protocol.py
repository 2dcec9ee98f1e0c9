"""docs/protocol.md tells the truth: its examples and tables are held against the messages in the code."""

import inspect
import json
import re
from pathlib import Path
from typing import get_args

import pytest

from games import messages, refusals, watch_messages
from lobby import chat, match_chat
from lobby import messages as lobby_messages
from tests import shapes

DOCUMENT = (Path(__file__).parent.parent / "docs" / "protocol.md").read_text()
MATCH, TABLES = DOCUMENT.split("# The lobby socket")
FROM_CLIENT, FROM_SERVER = MATCH.split("## From the server")
LOBBY, PERSONAL = TABLES.split("# The personal socket")
TO_LOBBY, FROM_LOBBY = LOBBY.split("## From the lobby")
PERSONAL, WATCH = PERSONAL.split("# The watch socket")
TO_PERSONAL, FROM_PERSONAL = PERSONAL.split("## From the personal socket")
WATCH, CHAT = WATCH.split("# The chat socket")
TO_WATCH, FROM_WATCH = WATCH.split("## From the watch socket")
TO_CHAT, FROM_CHAT = CHAT.split("## From the chat socket")


def examples(text: str) -> list[dict]:
    return [json.loads(block) for block in re.findall(r"```json\n(.*?)```", text, re.DOTALL)]


def by_type(example: dict) -> str:
    return example["type"]


@pytest.mark.parametrize("example", examples(FROM_CLIENT), ids=by_type)
def test_example_from_the_client_is_understood(example):
    assert messages.parse(json.dumps(example)).model_dump() == example


@pytest.mark.parametrize("example", examples(TO_LOBBY), ids=by_type)
def test_example_to_the_lobby_is_understood(example):
    assert lobby_messages.incoming.validate_json(json.dumps(example)).model_dump() == example


@pytest.mark.parametrize("example", examples(TO_PERSONAL), ids=by_type)
def test_example_to_the_personal_socket_is_understood(example):
    assert lobby_messages.personal_incoming.validate_json(json.dumps(example)).model_dump() == example


@pytest.mark.parametrize("example", examples(TO_WATCH), ids=by_type)
def test_example_to_the_watch_socket_is_understood(example):
    assert watch_messages.incoming.validate_json(json.dumps(example)).model_dump() == example


@pytest.mark.parametrize("example", examples(TO_CHAT), ids=by_type)
def test_example_to_the_chat_socket_is_understood(example):
    assert lobby_messages.talk_incoming.validate_json(json.dumps(example)).model_dump() == example


@pytest.mark.parametrize("example", examples(FROM_CHAT), ids=by_type)
def test_example_from_the_chat_socket_has_the_declared_shape(example):
    shapes.check(example, shapes.CHAT)


@pytest.mark.parametrize("example", examples(FROM_WATCH), ids=by_type)
def test_example_from_the_watch_socket_has_the_declared_shape(example):
    shapes.check(example, shapes.WATCH)


@pytest.mark.parametrize("example", examples(FROM_SERVER), ids=by_type)
def test_example_from_the_server_has_the_declared_shape(example):
    shapes.check(example, shapes.MATCH)


@pytest.mark.parametrize("example", examples(FROM_LOBBY), ids=by_type)
def test_example_from_the_lobby_has_the_declared_shape(example):
    shapes.check(example, shapes.LOBBY)


@pytest.mark.parametrize("example", examples(FROM_PERSONAL), ids=by_type)
def test_example_from_the_personal_socket_has_the_declared_shape(example):
    shapes.check(example, shapes.PERSONAL)


def test_a_wrong_example_would_be_noticed():
    wrong = {"type": "accepted", "id": "c0ffee00-0001", "ply": 3, "more": 1}
    with pytest.raises(ValueError, match="more"):
        shapes.check(wrong, shapes.MATCH)


@pytest.mark.parametrize(
    ("text", "incoming"),
    [
        (FROM_CLIENT, messages.Incoming),
        (TO_LOBBY, lobby_messages.Incoming),
        (TO_PERSONAL, lobby_messages.PersonalIncoming),
        (TO_WATCH, watch_messages.Incoming),
        (TO_CHAT, lobby_messages.TalkIncoming),
    ],
)
def test_every_message_of_a_client_has_an_example(text, incoming):
    types = {get_args(message.model_fields["type"].annotation)[0] for message in get_args(incoming)}
    assert {example["type"] for example in examples(text)} == types


@pytest.mark.parametrize(
    ("text", "known"),
    [
        (FROM_SERVER, set(shapes.MATCH)),
        (FROM_LOBBY, set(shapes.LOBBY) - {"error"}),
        (FROM_PERSONAL, set(shapes.PERSONAL) - {"error"}),
        (FROM_WATCH, set(shapes.WATCH) - {"error"}),
        (FROM_CHAT, set(shapes.CHAT) - {"error"}),
    ],
)
def test_every_message_of_a_server_has_an_example(text, known):
    assert {example["type"] for example in examples(text)} == known


def test_every_refusal_of_the_service_is_in_the_table():
    codes = {
        c.code for _, c in inspect.getmembers(refusals, inspect.isclass) if issubclass(c, refusals.Refused)
    }
    codes -= {refusals.Refused.code}
    assert codes
    missing = {code for code in codes if f"| `{code}` |" not in FROM_SERVER}
    assert not missing


@pytest.mark.parametrize(("module", "text"), [(chat, FROM_LOBBY), (match_chat, FROM_CHAT)])
def test_every_refusal_of_the_chat_is_in_a_table(module, text):
    codes = set(re.findall(r'ChatError\(\s*"([a-z-]+)"', inspect.getsource(module)))
    assert {code for code in codes if f"| `{code}` |" not in text} == set()
    assert codes


def test_every_preset_is_in_the_document():
    assert {key for key in match_chat.PRESETS if f"`{key}`" not in TO_CHAT} == set()


def test_sizes_in_the_document_are_the_servers():
    assert f"{messages.LARGEST:,} bytes" in FROM_CLIENT
    assert f"{watch_messages.MOST_SHOWN} at most" in TO_WATCH
