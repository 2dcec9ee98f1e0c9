"""Answers to what does not work are pages like any other, in the full run in every language."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import APIResponse, Page, expect

from tests.browser.conftest import NewPage, Watch
from tests.browser.eyes.pages import LANGUAGES, listed, look
from tests.browser.players import send
from tests.conftest import Launcher
from tests.helpers import accounts
from tools.harness import subprocess_call
from tools.harness.people import Person
from tools.harness.servers import ParlourServer

PASSWORD = "a quiet evening"


def a_site() -> None:
    """Call it inside: somebody who may not come in, and a match that makes no sense, on the front page."""
    from games.models import Match
    from lobby.people.models import User
    from tests.helpers import finished

    *users, banned = (User.objects.get(username=name) for name in ("Ulno", "Artjom", "Banned"))
    banned.set_password(PASSWORD)
    banned.is_active, banned.ban_reason = False, "Rude words."
    banned.save()
    Match.objects.filter(pk=finished.begun(users).pk).update(start="{")


@pytest.fixture(scope="module")
def server(launcher: Launcher) -> ParlourServer:
    """One that takes a second guest from one address for too many."""
    server = launcher.open(launcher.store("sqlite"), GUESTS_PER_HOUR="1")
    Person(server).become_guest()
    return server


@pytest.fixture(scope="module")
def person(server: ParlourServer) -> accounts.Account:
    person, *_ = accounts.registered(server, "Ulno", "Artjom", "Banned")
    subprocess_call.call(server.database_url, a_site)
    return person


@pytest.mark.parametrize("language", LANGUAGES)
def test_answers_to_what_does_not_work(
    new_page: NewPage,
    server: ParlourServer,
    person: accounts.Account,
    watch: Watch,
    language: str,
) -> None:
    """Requests that are none, forms of strangers, too many, bans, faults of ours, a store that is away."""
    # A page that is none of the server's may not open a socket to it.
    watch.allow("status of [45]|WebSocket")
    page, signed_in = new_page(server), new_page(server)
    accounts.sign_in(signed_in, server, person)
    speaks = {"Accept-Language": language}
    get = signed_in.request.get
    table: dict[str, Any] = {"preset": "kalaha", "seats": "2", "first": "other", "clock": "3d"}
    answers = [
        (400, get("/", headers={**speaks, "Host": "elsewhere.example"})),
        (403, page.request.post("/guest", headers=speaks)),
        (403, get("/admin/login/", headers=speaks)),
        (403, send(page, "/accounts/login/", language, login="Banned", password=PASSWORD)),
        (429, send(page, "/guest", language, next="/offline")),
        (500, get("/", headers=speaks)),
    ]
    with away(server, "lobby_table"):
        answers.append((503, send(signed_in, "/new/kalah", language, **table)))
    with away(server, "lobby_user"):
        answers.append((503, get("/people", headers=speaks)))
    assert [answer.status for _, answer in answers] == [status for status, _ in answers]
    found = [fault for _, answer in answers for fault in faults_of(page, answer, language)]
    assert not found, listed(found)


def faults_of(page: Page, answer: APIResponse, language: str) -> list[tuple[object, ...]]:
    """Look at an answer as at any other page."""
    page.unroute_all()
    page.route("**/kept", lambda route: route.fulfill(response=answer))
    page.goto("/kept")
    expect(page.locator("html"), answer.url).to_have_attribute("lang", language)
    return look(page, language)


@contextmanager
def away(server: ParlourServer, table: str) -> Iterator[None]:
    """A part of the database is gone for a while."""
    server.write(f"ALTER TABLE {table} RENAME TO away")
    try:
        yield
    finally:
        server.write(f"ALTER TABLE away RENAME TO {table}")
