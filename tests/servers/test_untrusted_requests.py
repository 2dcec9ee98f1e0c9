"""Untrusted requests at a real server: headers, bodies, and the admin."""

from __future__ import annotations

import contextlib
import json
import re
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.sync.client import connect
from websockets.typing import Origin

from tests.conftest import Launcher
from tests.helpers import accounts
from tests.helpers.administrator import NAME, PASSWORD, make_administrator
from tests.helpers.second_factor import code_of
from tools.harness import subprocess_call
from tools.harness.patience import patience, wait_until, within
from tools.harness.people import Person, answer_to, guest, seat_two
from tools.harness.servers import ParlourServer

BODY_BYTES = 3 * 1024 * 1024
"""The largest body, as in config.daphne.http_request, which cannot be imported beside another event loop."""
ELSEWHERE = "attacker.example"
LIES = {
    "Daphne-Root-Path": f"http://{ELSEWHERE}",
    "X-Forwarded-For": "203.0.113.9",
    "X-Forwarded-Host": ELSEWHERE,
    "X-Forwarded-Port": "1234",
    "X-Forwarded-Proto": "https",
    "X-Forwarded-Prefix": f"/{ELSEWHERE}",
    "X-Forwarded-Server": ELSEWHERE,
    "Forwarded": f"for=203.0.113.9;host={ELSEWHERE};proto=https",
    "X-Host": ELSEWHERE,
    "X-Original-URL": f"/{ELSEWHERE}",
    "X-Rewrite-URL": f"/{ELSEWHERE}",
    "X-Script-Name": f"/{ELSEWHERE}",
    "Script-Name": f"/{ELSEWHERE}",
    "Script_Name": f"/{ELSEWHERE}",
    "Front-End-Https": "on",
    "X-HTTP-Method-Override": "DELETE",
    "Remote-User": "Ulno",
    "X-Remote-User": "Ulno",
}
"""Headers by which some server or other is told where it is, what it is asked for, or by whom."""


# What a request says of itself


@pytest.fixture(scope="module")
def post(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the server puts its e-mails."""
    return tmp_path_factory.mktemp("post")


@pytest.fixture(scope="module")
def posting(launcher: Launcher, post: Path) -> ParlourServer:
    return launcher.open(launcher.store("sqlite"), EMAIL_URL=f"filemail:///{post}")


def in_mails(post: Path, pattern: str) -> list[str]:
    return re.findall(pattern, "".join(path.read_text() for path in post.iterdir()))


def link_in_mail(post: Path, path: str) -> str:
    """The one link with this path, once its e-mail is there: e-mails are sent after the answer."""
    pattern = rf"\S*{path}\S*"
    wait_until(lambda: bool(in_mails(post, pattern)), f"an e-mail with a link to {path}", 10)
    (link,) = in_mails(post, pattern)
    return link


def test_the_link_of_a_password_reset_is_ours(posting: ParlourServer, post: Path) -> None:
    person = Person(posting)
    person.post(
        "/accounts/signup/",
        username="Ulno",
        email="ulno@example.org",
        password1="a quiet evening",
        password2="a quiet evening",
    )
    # Only an address that was confirmed gets a link to reset the password.
    person.post(link_in_mail(post, "/accounts/confirm-email/").removeprefix(posting.url))
    Person(posting, LIES).post("/accounts/password/reset/", email="ulno@example.org")
    link = link_in_mail(post, "/accounts/password/reset/key/")
    assert link.startswith(f"{posting.url}/accounts/password/reset/key/")
    assert in_mails(post, ELSEWHERE) == []


def test_redirections_stay_here(sqlite_server: ParlourServer) -> None:
    for path in ("/accounts/2fa/", "/admin/", "/accounts/email/"):
        plain, lied_to = sqlite_server.get(path), sqlite_server.get(path, LIES)
        assert (plain.status, lied_to.status) == (302, 302), path
        assert plain.headers["location"] == lied_to.headers["location"]


def test_link_previews_ignore_host_header(sqlite_server: ParlourServer) -> None:
    _host, _other, match_id = seat_two(sqlite_server)
    for path in (
        f"/oembed?url={sqlite_server.url}/m/{match_id}",
        f"/embed/{match_id}",
        f"/m/{match_id}",
        "/api",
    ):
        plain, lied_to = sqlite_server.get(path), sqlite_server.get(path, LIES)
        assert plain.status == lied_to.status == 200, path
        assert ELSEWHERE not in lied_to.text, path
        assert links_in(plain.text) == links_in(lied_to.text), path


def test_headers_of_proxies_may_have_any_bytes(sqlite_server: ParlourServer) -> None:
    for name in LIES:
        assert sqlite_server.get("/healthz", {name: "\xe9"}).status == 200, name
    assert "Traceback" not in sqlite_server.log


def links_in(page: str) -> list[str]:
    return re.findall(r"https?://[^\s\"'<>]*|(?:href|src)=\"[^\"]*", page)


def test_a_socket_opens_as_ever(sqlite_server: ParlourServer) -> None:
    address = f"{sqlite_server.ws_url}/ws/lobby"
    person = guest(sqlite_server)
    with connect(
        address,
        origin=Origin(sqlite_server.url),
        additional_headers={**person.headers(), **LIES},
        proxy=None,
    ) as lied_to:
        assert json.loads(lied_to.recv(timeout=patience(20)))["type"] == "lobby"
    assert "Traceback" not in sqlite_server.log


# Who comes to the admin


def test_the_first_administrator_gets_in_by_a_second_factor(launcher: Launcher) -> None:
    server = launcher.open(launcher.store("sqlite"))
    make_administrator(server)
    person = Person(server)
    person.get("/admin/")
    assert "Site administration" not in person.post(
        person.path, login=NAME, username=NAME, password=PASSWORD, next="/admin/"
    )
    for path in ("/admin/", "/admin/lobby/user/", "/admin/password_change/", "/admin/nowhere/"):
        assert "The admin needs two-factor authentication." in person.get(path)
        assert person.path == "/accounts/reauthenticate/", path
    page = person.post(person.path, password=PASSWORD, next="/accounts/2fa/totp/activate/")
    secret = re.search(r">([A-Z2-7]{32})</textarea>", page)
    assert secret is not None
    code = code_of(secret[1])
    assert person.path == "/accounts/2fa/totp/activate/"
    assert len(re.findall(r"\b\d{8}\b", person.post(person.path, code=code))) == 10
    # There is a second factor now, which has not been given yet.
    assert "Site administration" not in person.get("/admin/")
    assert person.path == "/accounts/2fa/reauthenticate/"
    assert "Site administration" in person.post(person.path, code=code, next="/admin/")
    assert NAME in person.get("/admin/lobby/user/")


def test_a_second_factor_given_when_logging_in_is_enough(launcher: Launcher) -> None:
    server = launcher.open(launcher.store("sqlite"))
    make_administrator(server)
    secret = subprocess_call.call(server.database_url, make_second_factor, NAME)
    person = Person(server)
    person.log_in(NAME, PASSWORD)
    assert person.path == "/accounts/2fa/authenticate/"
    assert "Site administration" not in person.get("/admin/")
    person.post("/accounts/2fa/authenticate/", code=code_of(secret))
    assert "Site administration" in person.get("/admin/")


def make_second_factor(name: str) -> str:
    """What `subprocess_call.call` has done in a process of the site; the secret."""
    from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret

    from lobby.people.models import User

    secret: str = generate_totp_secret()
    TOTP.activate(User.objects.get(username=name), secret)
    return secret


def test_an_old_session_of_the_staff_is_asked_for_the_second_factor(launcher: Launcher) -> None:
    server = launcher.open(launcher.store("sqlite"))
    (account,) = accounts.registered(server, "Helper")
    server.write("UPDATE lobby_user SET is_staff = ? WHERE id = ?", True, account.user_id)
    secret = subprocess_call.call(server.database_url, make_second_factor, "Helper")
    person = accounts.person(server, account)
    assert "Site administration" not in person.get("/admin/")
    assert person.path == "/accounts/2fa/reauthenticate/"
    answer = person.post("/accounts/2fa/reauthenticate/", code=code_of(secret), next="/admin/")
    assert "Site administration" in answer


def test_tries_at_the_admin_are_counted(launcher: Launcher) -> None:
    server = launcher.open(launcher.store("sqlite"))
    make_administrator(server)
    person = Person(server)
    person.get("/admin/")
    door = person.path
    for number in range(40):
        page = answer_to(person, door, password="wrong", login=NAME, username=NAME)[1]
        assert number < 10 or "Too many" in page
    assert "Too many" in answer_to(person, door, password=PASSWORD, login=NAME, username=NAME)[1]
    person.get("/admin/")
    assert person.path == door


# How large a request may be


HEAD = b"POST /guest HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\n"


@contextlib.contextmanager
def line_to(server: ParlourServer) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", server.port), timeout=patience(20)) as peer:
        yield peer


def answer_of(peer: socket.socket) -> bytes:
    """Everything until the server says no more."""
    return b"".join(iter(lambda: peer.recv(65536), b""))


def memory(server: ParlourServer) -> int:
    """The most that the server ever used, in bytes."""
    assert server.process is not None
    found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{server.process.pid}/status").read_text())
    assert found is not None
    return int(found[1]) * 1024


@pytest.mark.parametrize("more", [b"", b"Expect: 100-continue\r\n"])
@pytest.mark.parametrize("size", [600_000_000, BODY_BYTES + 1])
def test_a_body_that_would_be_too_large_is_refused_before_it_is_sent(
    sqlite_server: ParlourServer, size: int, more: bytes
) -> None:
    with line_to(sqlite_server) as peer:
        peer.sendall(HEAD + more + b"Content-Length: %d\r\n\r\n" % size)
        answer = answer_of(peer)
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b"This request is too large" in answer


def test_oversized_body_answered_with_413(sqlite_server: ParlourServer) -> None:
    before = memory(sqlite_server)
    with line_to(sqlite_server) as peer:
        peer.sendall(HEAD + b"Content-Length: 60000000\r\n\r\n")
        for _ in range(60):
            peer.sendall(b"x" * 1_000_000)
        assert answer_of(peer).startswith(b"HTTP/1.1 413 ")
    assert memory(sqlite_server) - before < 20_000_000


@pytest.mark.parametrize("size", [300, 100_000])
def test_a_body_in_pieces_that_never_ends_is_cut(sqlite_server: ParlourServer, size: int) -> None:
    piece = b"%x\r\n%s\r\n" % (size, b"x" * size)
    pieces = piece * (200_000 // len(piece) + 1)
    before, sent, answer = memory(sqlite_server), 0, b""
    with line_to(sqlite_server) as peer:
        peer.sendall(HEAD + b"Transfer-Encoding: chunked\r\n\r\n")
        peer.setblocking(False)
        while not answer and sent < 100_000_000:
            with contextlib.suppress(BlockingIOError):
                sent += peer.send(pieces[sent % len(piece) :])
            with contextlib.suppress(BlockingIOError):
                answer = peer.recv(65536)
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert sent * size / len(piece) > BODY_BYTES
    assert memory(sqlite_server) - before < 20_000_000


def send_for_ever(peer: socket.socket) -> None:
    while True:
        peer.sendall(b"x" * 1000)


def test_oversized_body_without_end_disconnected(sqlite_server: ParlourServer) -> None:
    with line_to(sqlite_server) as peer, within(15):
        peer.sendall(HEAD + b"Content-Length: 600000000000\r\n\r\n")
        with pytest.raises(ConnectionError):
            send_for_ever(peer)


def test_a_body_of_the_largest_size_is_taken(sqlite_server: ParlourServer) -> None:
    body = b"x" * (BODY_BYTES - 1000)
    kinds = [
        b"Content-Length: %d\r\n\r\n%s" % (len(body), body),
        b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n" % (len(body), body),
    ]
    for kind in kinds:
        with line_to(sqlite_server) as peer:
            head = b"POST /accounts/login/ HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
            peer.sendall(head + kind)
            status = answer_of(peer).split(b" ", 2)[1]
        # Without a CSRF token it is refused: the body has been read and the request has been looked at.
        assert status == b"403", kind[:40]
