"""Accounts at a real server: whom limits count, and coming in by an account elsewhere."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from redis import Redis

from tests.conftest import Launcher
from tools.harness.patience import patience
from tools.harness.people import Person, answer_to
from tools.harness.servers import ParlourServer, parlour_environment
from tools.harness.services import ROOT

WAIT = "Too many wrong passwords from your network"
WAIT_FOR_NAME = "Too many wrong passwords. Wait five minutes"
A_MINUTES_TRIES = 10
"""Wrong passwords from one address."""
FEW_TRIES = {"WRONG_PASSWORDS_PER_MINUTE": str(A_MINUTES_TRIES)}


# Whom limits count


def log_in(person: Person, name: str, password: str) -> str:
    """The page with which a log-in is answered, refused or not."""
    return answer_to(person, "/accounts/login/", login=name, password=password)[1]


def wrong_passwords(server: ParlourServer, address: str, count: int = A_MINUTES_TRIES) -> str:
    """Try one wrong password at each of many names; the last page."""
    person, page = Person(server, {"X-Forwarded-For": address}), ""
    for number in range(count):
        page = log_in(person, f"Nobody-{address.replace('.', '-')[-6:]}-{number}", "wrong")
    return page


def test_login_tries_counted_by_visitor_behind_proxy(launcher: Launcher) -> None:
    server = launcher.open(launcher.store("sqlite"), BEHIND_PROXY="1", **FEW_TRIES)
    assert WAIT in wrong_passwords(server, "203.0.113.1", A_MINUTES_TRIES + 1)
    assert WAIT not in wrong_passwords(server, "203.0.113.2", 1)
    assert WAIT in wrong_passwords(server, "203.0.113.2, 203.0.113.1", 1), "the proxy speaks last"


@pytest.mark.full
def test_a_household_is_one_visitor_however_many_addresses_it_has(launcher: Launcher) -> None:
    server = launcher.open(launcher.store("sqlite"), BEHIND_PROXY="1", GUESTS_PER_HOUR="2", **FEW_TRIES)
    for number in range(A_MINUTES_TRIES):
        wrong_passwords(server, f"2001:db8:0:1:{number:x}::1", 1)
    assert WAIT in wrong_passwords(server, "2001:db8:0:1:ffff::1", 1)
    assert WAIT not in wrong_passwords(server, "2001:db8:0:2::1", 1)
    assert [entered(server, f"2001:db8:0:3::{number}") for number in range(1, 4)] == [200, 200, 429]
    assert entered(server, "2001:db8:0:4::1") == 200


def entered(server: ParlourServer, address: str) -> int:
    return answer_to(Person(server, {"X-Forwarded-For": address}), "/guest", next="/leaderboards")[0]


def test_login_tries_ignore_forwarded_address_without_proxy(launcher: Launcher) -> None:
    server = launcher.open(launcher.store("sqlite"), **FEW_TRIES)
    assert WAIT not in wrong_passwords(server, "203.0.113.1")
    assert WAIT in wrong_passwords(server, "203.0.113.2", 1)


def test_tries_are_counted_by_all_processes_together(launcher: Launcher) -> None:
    store = launcher.store("postgres+redis")
    first, second = launcher.open(store), launcher.open(store)
    Person(first).sign_up("Ulno")
    for number in range(5):
        assert WAIT_FOR_NAME not in log_in(Person(first if number % 2 else second), "Ulno", "wrong")
    assert WAIT_FOR_NAME in log_in(Person(first), "Ulno", "wrong")
    with Redis.from_url(store.redis_url) as redis:
        kept = [redis.get(key) for key in redis.scan_iter() if redis.type(key) == b"string"]
    assert kept
    assert all(isinstance(json.loads(value), int | list) for value in kept), "none of it is a pickle"


# Coming in by an account elsewhere


class GitHub(BaseHTTPRequestHandler):
    """As much of GitHub as a login needs."""

    user: ClassVar[dict[str, object]] = {}

    def do_GET(self) -> None:
        address = urlsplit(self.path)
        if address.path == "/login/oauth/authorize":
            asked = parse_qs(address.query)
            back = urlencode({"code": "a-code", "state": asked["state"][0]})
            self.send_response(302)
            self.send_header("Location", f"{asked['redirect_uri'][0]}?{back}")
            self.end_headers()
        elif address.path == "/api/v3/user":
            self._answer(self.user)
        else:
            self._answer([])

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self._answer({"access_token": "a-token", "token_type": "bearer"})

    def _answer(self, content: object) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(content).encode())

    def log_message(self, *_: object) -> None:
        """Nothing: the tests' output is theirs."""


@pytest.fixture(scope="module")
def github() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), GitHub)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def social(launcher: Launcher, github: str) -> ParlourServer:
    return launcher.open(
        launcher.store("sqlite"),
        SOCIAL_LOGIN="github",
        GITHUB_CLIENT_ID="parlour",
        GITHUB_SECRET="a-secret",
        GITHUB_URL=github,
    )


def come_in(person: Person, number: int, login: str) -> str:
    """Go to GitHub and come back as its user; the page that this led to."""
    GitHub.user = {"id": number, "login": login, "name": "Her Real Name", "email": None}
    return person.post("/accounts/github/login/")


def people(server: ParlourServer) -> dict[str, tuple[int, bool, str]]:
    rows = server.rows("SELECT username, id, is_guest, first_name FROM lobby_user")
    return {name: (key, bool(is_guest), first) for name, key, is_guest, first in rows}


def test_provider_login_new_user_chooses_name(social: ParlourServer) -> None:
    person = Person(social)
    page = come_in(person, 1, "octo.cat")
    assert person.path == "/accounts/3rdparty/signup/"
    assert 'value="octo-cat"' in page
    person.post("/accounts/3rdparty/signup/", username="Octo")
    _key, is_guest, first_name = people(social)["Octo"]
    assert (is_guest, first_name) == (False, "")
    # The second time nothing is asked.
    again = Person(social)
    come_in(again, 1, "octo.cat")
    assert again.path == "/"
    assert 'data-me="Octo"' in again.get("/")


def test_a_guest_stays_the_same_user(social: ParlourServer) -> None:
    person = Person(social)
    name = re.search(r'data-me="([^"]+)"', person.post("/guest"))
    assert name is not None
    key, _is_guest, _first = people(social)[name[1]]
    page = come_in(person, 2, "somebody")
    assert "You keep every game" in page
    person.post("/accounts/3rdparty/signup/", username="Once-A-Guest")
    assert people(social)["Once-A-Guest"] == (key, False, "")
    assert 'data-me="Once-A-Guest"' in person.get("/")


@pytest.mark.parametrize("name", ["admin", "x", "two words"])
def test_names_are_ours_to_give_here_too(social: ParlourServer, name: str) -> None:
    person = Person(social)
    come_in(person, 3, "somebody")
    person.post("/accounts/3rdparty/signup/", username=name)
    assert name not in people(social)
    assert "Play as guest" in person.get("/")


def test_a_guest_who_has_an_account_already_is_logged_in_to_it(social: ParlourServer) -> None:
    owner = Person(social)
    come_in(owner, 4, "owner")
    owner.post("/accounts/3rdparty/signup/", username="Ownership")
    guest = Person(social)
    guest.become_guest()
    come_in(guest, 4, "owner")
    assert 'data-me="Ownership"' in guest.get("/")


def test_forms_may_lead_to_the_provider_from_its_own_page_alone(social: ParlourServer, github: str) -> None:
    policy = social.get("/accounts/github/login/").headers["content-security-policy"]
    assert f"form-action 'self' {github}" in policy
    assert github not in social.get("/accounts/login/").headers["content-security-policy"]


def test_buttons_are_shown_only_where_it_is_switched_on(
    social: ParlourServer, sqlite_server: ParlourServer
) -> None:
    assert "Continue with GitHub" in social.get("/accounts/login/").text
    assert "Continue with" not in sqlite_server.get("/accounts/login/").text
    assert sqlite_server.get("/accounts/github/login/").status == 404


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"SOCIAL_LOGIN": "github"}, "needs GITHUB_CLIENT_ID and GITHUB_SECRET too"),
        ({"SOCIAL_LOGIN": "nowhere"}, "must be a provider that django-allauth knows"),
    ],
)
def test_half_a_configuration_is_refused_in_one_sentence(
    settings: dict[str, str], sentence: str, tmp_path: Path
) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "config.server", "--port", "0"],
        cwd=ROOT,
        env=parlour_environment(VAR_DIR=str(tmp_path), **settings),
        capture_output=True,
        text=True,
        timeout=patience(60),
        check=False,
    )
    assert done.returncode == 1
    assert sentence in done.stderr
    assert len(done.stderr.splitlines()) == 1
