"""What nothing behind the door could read is refused at the door of a real server."""

from __future__ import annotations

import json
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from tests.helpers import fuzz
from tools.harness.people import Socket, answer_to, guest
from tools.harness.servers import ParlourServer

TOKEN = "x" * 32
DIGITS = "9" * 5_000
UNREADABLE = [
    "/people/%00",
    "/@/%00",
    "/m/%00",
    "/t/a%00b",
    "/leaderboards/kalah%00",
    "/static/%00",
    "/oembed?url=%00",
    "/?next=%00",
    "/?%00=1",
    "/accounts/login/?next=http://[",
    "/accounts/login/?next=//[",
    "/accounts/login/?next=http://host:port/",
    "/accounts/signup/?next=http://[",
    f"/computer?level={DIGITS}",
    f"/?level=-{DIGITS}",
]


@pytest.mark.parametrize("path", UNREADABLE)
def test_an_address_that_nothing_could_read_is_refused(server: ParlourServer, path: str) -> None:
    assert server.get(path).status == 400


def test_a_port_that_is_none_is_refused(server: ParlourServer) -> None:
    for path in ("/settings", "/accounts/login/", "/api/v1/games"):
        assert server.get(path, {"Host": f"127.0.0.1:{server.port}"}).status in (200, 302)
        assert server.get(path, {"Host": f"127.0.0.1:{DIGITS}"}).status == 400


def test_programs_are_told_so_as_they_are_told_everything(server: ParlourServer) -> None:
    answer = server.get("/api/v1/matches/%00")
    assert (answer.status, answer.headers["content-type"]) == (400, "application/problem+json")
    assert json.loads(answer.body)["code"] == "malformed"


def test_the_refusal_is_a_page_of_ours(server: ParlourServer) -> None:
    answer = server.get("/m/%00")
    assert "Bad request" in answer.text
    assert "content-security-policy" in answer.headers


@pytest.mark.parametrize("name", ["sessionid", "django_language", "messages", "csrftoken"])
def test_a_cookie_is_refused_as_well(server: ParlourServer, name: str) -> None:
    written = '"' + r"\000" * 32 + '"'
    assert server.get("/settings", {"Cookie": f"{name}={written}"}).status == 400


def test_a_form_is_refused_and_changes_nothing(server: ParlourServer) -> None:
    host = guest(server)
    host.post("/new/kalah", preset="circle", seats="2", first="host")
    table = host.path
    for path, fields in [
        (f"{table}/computer", {"level": DIGITS}),
        (f"{table}/computer", {"level": "\0"}),
        ("/new/kalah", {"preset": "circle\0", "seats": "2", "first": "host"}),
        ("/guest", {"next": "http://["}),
        ("/accounts/login/", {"login": "Ul\0no", "password": "x"}),
        ("/accounts/login/", {"login": "Ulno", "password": "x", "next": "http://["}),
        ("/accounts/signup/", {"username": "Ul\0no", "password1": "x", "password2": "x"}),
    ]:
        assert answer_to(host, path, **fields)[0] == 400, (path, fields)
    assert host.get(table)
    assert host.path == table


@pytest.mark.parametrize("path", ["/nowhere", "/m/nowhere/nothing", "/api/v1/nowhere"])
def test_malformed_form_to_unknown_path_not_read(server: ParlourServer, path: str) -> None:
    """A form that is none, with the token that has its fields looked through."""
    request = (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nOrigin: {server.url}\r\n"
        f"Cookie: csrftoken={TOKEN}\r\nContent-Type: multipart/form-data; boundary=x\r\n"
        "Content-Length: 7\r\nConnection: close\r\n\r\nno form"
    )
    assert fuzz.ask(server.port, request.encode()).startswith(b"HTTP/1.1 404 ")


@pytest.mark.parametrize("encoding", ["zlib", "rot13", "idna", "undefined", "utf-16", "x"])
def test_a_form_in_an_encoding_of_its_own_is_refused(server: ParlourServer, encoding: str) -> None:
    body = b'--x\r\nContent-Disposition: form-data; name="preset"\r\n\r\ncircle\r\n--x--\r\n'
    for path in ("/new/kalah", "/replay", "/accounts/login/", "/nowhere?a=%00"):
        kind = f"multipart/form-data; boundary=x; charset={encoding}"
        head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Type: {kind}\r\n"
        length = f"Content-Length: {len(body)}\r\nCookie: csrftoken={TOKEN}\r\nX-CSRFToken: {TOKEN}\r\n\r\n"
        answer = fuzz.ask(server.port, (head + length).encode() + body)
        assert answer.startswith(b"HTTP/1.1 400 "), path
    assert "Traceback" not in server.log


@pytest.mark.parametrize("path", ["/ws/match/%00", "/ws/chat/%00", "/ws/lobby?a=%00"])
def test_a_socket_is_refused_as_well(server: ParlourServer, path: str) -> None:
    with pytest.raises(InvalidStatus) as refused, connect(server.ws_url + path, proxy=None):
        pass
    assert refused.value.response.status_code == 403


def test_a_socket_is_not_opened_by_an_unreadable_cookie(server: ParlourServer) -> None:
    headers: dict[str, Any] = {"Cookie": 'sessionid="' + r"\000" * 32 + '"'}
    with (
        pytest.raises(InvalidStatus) as refused,
        connect(
            f"{server.ws_url}/ws/lobby",
            origin=Origin(server.url),
            additional_headers=headers,
            proxy=None,
        ),
    ):
        pass
    assert refused.value.response.status_code == 403


def test_valid_requests_accepted(server: ParlourServer) -> None:
    person = guest(server)
    person.post("/guest", next="/leaderboards?next=https://parlour.example:8000/a[b]")
    assert person.path == "/leaderboards"
    with Socket(person, "/ws/lobby", server) as lobby:
        assert lobby.snapshot["type"] == "lobby"
    assert "Traceback" not in server.log
