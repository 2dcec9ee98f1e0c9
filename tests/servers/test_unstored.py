"""A form that a running server cannot store: who sent it is told, and nothing they chose is lost."""

from __future__ import annotations

import re
import urllib.error
from collections.abc import Iterator
from html import unescape

import pytest

from tools.harness.people import Person
from tools.harness.servers import ParlourServer

FORM = {"preset": "kalaha", "seats": "2", "first": "other", "clock": "3d"}


@pytest.fixture
def host(sqlite_server: ParlourServer) -> Person:
    person = Person(sqlite_server)
    person.become_guest()
    return person


@pytest.fixture(params=["lobby_table", "lobby_user"])
def missing(request: pytest.FixtureRequest, host: Person, sqlite_server: ParlourServer) -> Iterator[str]:
    """A part of the database is gone for a while: where tables are, or even who sends the form."""
    sqlite_server.write(f"ALTER TABLE {request.param} RENAME TO away")
    yield request.param
    sqlite_server.write(f"ALTER TABLE away RENAME TO {request.param}")


def test_form_not_stored_keeps_choices(host: Person, missing: str, sqlite_server: ParlourServer) -> None:
    with pytest.raises(urllib.error.HTTPError) as refused:
        host.post("/new/kalah", **FORM)
    assert refused.value.code == 503
    page = unescape(refused.value.read().decode())
    assert "cannot save anything right now" in page
    assert "Try again in a moment" in page
    kept = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page))
    if missing == "lobby_user":
        assert {name: kept[name] for name in FORM} == FORM
    else:
        assert re.search(r'value="kalaha"[^>]* checked', page)
        assert '<option value="3d" selected>' in page


def test_form_sent_again_after_outage_creates_table(host: Person, sqlite_server: ParlourServer) -> None:
    sqlite_server.write("ALTER TABLE lobby_user RENAME TO away")
    with pytest.raises(urllib.error.HTTPError) as refused:
        host.post("/new/kalah", **FORM)
    sqlite_server.write("ALTER TABLE away RENAME TO lobby_user")
    page = unescape(refused.value.read().decode())
    kept = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page))
    host.post("/new/kalah", **{name: value for name, value in kept.items() if name != "csrfmiddlewaretoken"})
    assert host.path.startswith("/t/")
    table = host.path.removeprefix("/t/")
    assert sqlite_server.rows("SELECT first, clock FROM lobby_table WHERE id = ?", table) == [("other", "3d")]
