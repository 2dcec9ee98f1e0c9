"""docs/reference/api.md tells the truth: its examples and tables are held against the code."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import get_args

import pytest
from pydantic import TypeAdapter
from typing_extensions import get_type_hints

from config.api import api
from games.api.access import BadToken, WrongScope
from games.api.problems import Problem
from games.api.scopes import SCOPES
from games.api.streams import ENDS, TooManyStreams
from games.domain.refusals import Refused
from lobby.api import messages
from lobby.api.event_stream import PASSED_ON
from lobby.webhooks.outgoing import Unsent
from tools.harness import shapes

DOCUMENT = (Path(__file__).parents[3] / "docs" / "reference" / "api.md").read_text()
PROBLEM, END, HELLO = (json.loads(block) for block in re.findall(r"```json\n(.*?)```", DOCUMENT, re.DOTALL))


def rows(first: str) -> dict[str, str]:
    """The first two cells of every row of the table whose head begins so."""
    table = DOCUMENT.split(f"| {first} |")[1].split("\n\n")[0]
    return dict(re.findall(r"^\| `?([^`|]+)`? \| ([^|]*) \|", table, re.MULTILINE))


def test_scopes():
    assert rows("scope") == SCOPES


def test_examples():
    TypeAdapter(Problem).validate_python(PROBLEM, strict=True, extra="forbid")
    shapes.check(END, shapes.EVENTS)
    shapes.check(HELLO, shapes.EVENTS)


def test_events():
    told = {get_args(get_type_hints(event)["type"])[0] for event in get_args(messages.Event)}
    assert set(rows("type")) == told
    assert all(f"`{each}`" in DOCUMENT for each in (PASSED_ON - {"error"}) | told | set(ENDS))


def heirs(refusal):
    return {heir for child in refusal.__subclasses__() for heir in (child, *heirs(child))}


def test_statuses():
    told = dict.fromkeys(re.findall(r"^\| (\d{3}) \|", DOCUMENT, re.MULTILINE))
    # Nobody asks through here for what another host answers.
    elsewhere = heirs(Unsent)
    known = {
        str(refusal.status)
        for refusal in heirs(Refused)
        if refusal not in elsewhere and hasattr(refusal, "status")
    }
    assert set(told) == known


@pytest.mark.parametrize("code", [BadToken.code, WrongScope.code, TooManyStreams.code])
def test_codes(code):
    assert f"`{code}`" in DOCUMENT


def test_addresses():
    addresses = re.findall(r"^    (?:GET|POST) (/api/v1\S+)$", DOCUMENT, re.MULTILINE)
    paths = [re.sub(r"\{[^}]+\}", "<id>", path) for path in api.get_openapi_schema()["paths"]]
    assert addresses
    assert set(addresses) <= set(paths)
