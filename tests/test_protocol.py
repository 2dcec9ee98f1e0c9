"""docs/protocol.md tells the truth: its examples and tables are held against games/messages.py."""

import inspect
import json
import re
from pathlib import Path
from typing import get_args

import pytest
from pydantic import TypeAdapter

from games import matches, messages

DOCUMENT = (Path(__file__).parent.parent / "docs" / "protocol.md").read_text()
FROM_CLIENT, FROM_SERVER = DOCUMENT.split("## From the server")

OUTGOING = {message.__name__.lower(): TypeAdapter(message) for message in get_args(messages.Outgoing)}


def examples(text: str) -> list[dict]:
    return [json.loads(block) for block in re.findall(r"```json\n(.*?)```", text, re.DOTALL)]


@pytest.mark.parametrize("example", examples(FROM_CLIENT), ids=lambda example: example["type"])
def test_example_from_the_client_is_understood(example):
    parsed = messages.parse(json.dumps(example))
    assert parsed.model_dump() == example


@pytest.mark.parametrize("example", examples(FROM_SERVER), ids=lambda example: example["type"])
def test_example_from_the_server_has_the_declared_shape(example):
    OUTGOING[example["type"]].validate_python(example, strict=True, extra="forbid")


def test_a_wrong_example_would_be_noticed():
    wrong = {"type": "accepted", "id": "c0ffee00-0001", "ply": 3, "more": 1}
    with pytest.raises(ValueError, match="more"):
        OUTGOING["accepted"].validate_python(wrong, strict=True, extra="forbid")


def test_every_message_has_an_example():
    incoming = {get_args(m.model_fields["type"].annotation)[0] for m in get_args(messages.Incoming)}
    assert {example["type"] for example in examples(FROM_CLIENT)} == incoming
    assert {example["type"] for example in examples(FROM_SERVER)} == set(OUTGOING)


def test_every_refusal_of_the_service_is_in_the_table():
    codes = {
        c.code for _, c in inspect.getmembers(matches, inspect.isclass) if issubclass(c, matches.Refused)
    }
    codes -= {matches.Refused.code}
    assert codes
    missing = {code for code in codes if f"| `{code}` |" not in FROM_SERVER}
    assert not missing


def test_sizes_in_the_document_are_the_servers():
    assert f"{messages.LARGEST:,} bytes" in FROM_CLIENT
