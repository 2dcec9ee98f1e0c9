"""Clients of a running server, without a browser: they sign in, join tables and play."""

from __future__ import annotations

import itertools
import json
import random
import secrets
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping, Sequence
from http.cookiejar import Cookie, CookieJar
from typing import Any, Self

from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from tools.harness import shapes
from tools.harness.patience import patience
from tools.harness.servers import NoRedirect, ParlourServer
from tools.harness.services import ROOT, Endpoint

_ids = itertools.count(1)

ANSWER_SECONDS = 20


def command_id() -> str:
    """A new id for a command."""
    return f"command-{next(_ids):08d}"


class Person:
    """A client with a browser's cookies, but no browser."""

    def __init__(self, server: Endpoint, headers: Mapping[str, str] | None = None) -> None:
        self.server = server
        self.path = ""
        self._cookies = CookieJar()
        self._opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(self._cookies)
        )
        self._sender = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), NoRedirect(), urllib.request.HTTPCookieProcessor(self._cookies)
        )
        for opener in (self._opener, self._sender):
            opener.addheaders += list((headers or {}).items())

    def get(self, path: str) -> str:
        """The page at a path, after redirects."""
        with self._opener.open(self.server.url + path, timeout=patience(ANSWER_SECONDS)) as answer:
            self.path = urllib.parse.urlsplit(answer.url).path
            return str(answer.read().decode())

    def post(self, path: str, **fields: str | Sequence[str]) -> str:
        """Send a form and return the page it redirects to."""
        with self._opener.open(self._form(path, fields), timeout=patience(ANSWER_SECONDS)) as answer:
            self.path = urllib.parse.urlsplit(answer.url).path
            return str(answer.read().decode())

    def submit(self, path: str, **fields: str | Sequence[str]) -> str:
        """Send a form and return the path it redirects to, without fetching it.

        Raises `HTTPError` if the form is refused.
        """
        return self._redirect(self._form(path, fields))

    def leads_to(self, path: str) -> str:
        """The path that a page redirects to, without fetching it."""
        return self._redirect(urllib.request.Request(self.server.url + path))

    def _redirect(self, request: urllib.request.Request) -> str:
        try:
            with self._sender.open(request, timeout=patience(ANSWER_SECONDS)):
                raise AssertionError(f"{request.full_url} leads nowhere")
        except urllib.error.HTTPError as answer:
            with answer:
                if "Location" not in answer.headers:
                    raise
                self.path = urllib.parse.urlsplit(str(answer.headers["Location"])).path
        return self.path

    def _form(self, path: str, fields: Mapping[str, str | Sequence[str]]) -> urllib.request.Request:
        data = urllib.parse.urlencode({**fields, "csrfmiddlewaretoken": self._token()}, doseq=True).encode()
        headers = {"Referer": self.server.url, "Origin": self.server.url}
        return urllib.request.Request(self.server.url + path, data, headers=headers)

    def _token(self) -> str:
        """A CSRF token, which form and cookie must share.

        A page with a form would have set it; any value will do, and saves a request.
        """
        for cookie in self._cookies:
            if cookie.name == "csrftoken" and cookie.value:
                return cookie.value
        token = secrets.token_hex(16)
        self.remember("csrftoken", token)
        return token

    def become_guest(self) -> None:
        """Sign in as a guest."""
        self.submit("/guest")

    def remember(self, name: str, value: str) -> None:
        """Set a cookie as the server would."""
        host = urllib.parse.urlsplit(self.server.url).hostname or ""
        where = {"domain": host, "domain_specified": False, "domain_initial_dot": False, "path": "/"}
        when = {"secure": False, "expires": None, "discard": True}
        about: dict[str, Any] = {"comment": None, "comment_url": None, "rest": {}}
        self._cookies.set_cookie(
            Cookie(0, name, value, None, False, path_specified=True, **where, **when, **about)  # type: ignore[arg-type]
        )

    def sign_up(self, name: str, password: str = "a quiet evening") -> None:
        """Turn this visitor or guest into an account."""
        self.post("/accounts/signup/", username=name, password1=password, password2=password)
        assert self.path == "/", "the form was refused"

    def give_password_again(self, password: str = "a quiet evening") -> None:
        """Reauthenticate before a sensitive action."""
        self.post("/accounts/reauthenticate/", password=password)

    def log_in(self, name: str, password: str = "a quiet evening") -> str:
        """Log in to an account; the resulting page."""
        return self.post("/accounts/login/", login=name, password=password)

    def headers(self) -> dict[str, str]:
        """The cookies as headers of a socket."""
        return {"Cookie": "; ".join(f"{cookie.name}={cookie.value}" for cookie in self._cookies)}

    def watch(self, match_id: str, server: Endpoint | None = None) -> Socket:
        """A socket of a match, with its snapshot received."""
        return Socket(self, f"/ws/match/{match_id}", server or self.server)

    def lobby(self, server: Endpoint | None = None) -> Socket:
        """A socket of the lobby; its list is the snapshot."""
        return Socket(self, "/ws/lobby", server or self.server)

    def boards(self, server: Endpoint | None = None) -> Socket:
        """A socket for miniboards."""
        return Socket(self, "/ws/watch", server or self.server)

    def talk(self, match_id: str, server: Endpoint | None = None) -> Socket:
        """A socket of a match's chat; the readable rooms are the snapshot."""
        return Socket(self, f"/ws/chat/{match_id}", server or self.server)

    def club(self, slug: str) -> Socket:
        """A socket of a club's chat; its newest lines are the snapshot."""
        return Socket(self, f"/ws/club/{slug}", self.server)

    def me(self, server: Endpoint | None = None) -> Socket:
        """The personal socket."""
        return Socket(self, "/ws/me", server or self.server)


class Socket:
    """An open socket; messages are dictionaries."""

    def __init__(self, person: Person, path: str, server: Endpoint) -> None:
        opening = connect(
            server.ws_url + path,
            additional_headers=person.headers(),
            origin=Origin(server.url),
            proxy=None,
            # Unread messages must not delay the close.
            max_queue=None,
            open_timeout=patience(ANSWER_SECONDS),
        )
        self._socket: ClientConnection = opening.__enter__()
        self.heard: list[dict[str, Any]] = []
        # Another release has its own protocol.
        self._checked = not isinstance(server, ParlourServer) or server.root == ROOT
        self._shapes = {
            "lobby": shapes.LOBBY,
            "me": shapes.PERSONAL,
            "watch": shapes.WATCH,
            "chat": shapes.CHAT,
            "club": shapes.CLUB,
        }.get(path.split("/")[2], shapes.MATCH)
        self.snapshot = self.next("snapshot", "lobby", "hello", "rooms", "chat", "error")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def server(self) -> str:
        """Which server behind a proxy this is (`tools.harness.proxy`)."""
        assert self._socket.response is not None
        return self._socket.response.headers["X-Server"]

    def close(self) -> None:
        """Close the WebSocket."""
        self._socket.close()

    def abort(self) -> None:
        """Drop the connection without a close frame, like a lost network."""
        self._socket.socket.close()

    def send(self, message: dict[str, Any] | str) -> None:
        """Send a message as JSON, or a text as it is."""
        self._socket.send(message if isinstance(message, str) else json.dumps(message))

    def receive(self) -> dict[str, Any]:
        """The next message of any type."""
        message: dict[str, Any] = json.loads(self._socket.recv(timeout=patience(ANSWER_SECONDS)))
        # Checked for every message: nothing outside of the protocol is ever sent.
        if self._checked:
            shapes.check(message, self._shapes)
        self.heard.append(message)
        return message

    def next(self, *types: str) -> dict[str, Any]:
        """The next message of one of these types; others are kept in `heard`."""
        while True:
            message = self.receive()
            if message["type"] in types:
                return message

    def ask(self, message: dict[str, Any] | str) -> dict[str, Any]:
        """Send a command and return its answer."""
        self.send(message)
        return self.next("accepted", "refused")

    def move(self, after: int, text: str, **changes: Any) -> dict[str, Any]:
        """Play a move and return the answer."""
        return self.ask({"type": "move", "id": command_id(), "after": after, "move": text, **changes})

    def closed_with(self) -> int | None:
        """Read to the end; the close code."""
        try:
            while True:
                self.receive()
        except TimeoutError:
            raise
        except Exception:  # the library has many exceptions for the end of a connection
            return self._socket.protocol.close_code


def guest(server: Endpoint) -> Person:
    """A new guest."""
    person = Person(server)
    person.become_guest()
    return person


def answer_to(person: Person, path: str, **fields: str) -> tuple[int, str]:
    """Status and page of the response to a form, refused or not."""
    try:
        return 200, person.post(path, **fields)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


def seat_two(
    server: Endpoint, game: str = "kalah", preset: str = "circle", first: str = "host", **more: str
) -> tuple[Person, Person, str]:
    """Two guests at a new match, the first to move first, and the id of the match.

    `more` are other fields of the form for the table.
    """
    host, other = guest(server), Person(server)
    table = host.submit(f"/new/{game}", preset=preset, seats="2", first=first, **more)
    match = other.leads_to(other.submit(f"{table}/sit"))
    assert match.startswith("/m/"), match
    match_id = match.removeprefix("/m/")
    return (host, other, match_id) if first == "host" else (other, host, match_id)


def agree(server: ParlourServer, match_id: str, *, watchable: bool = True, delay: int = 0) -> None:
    """Have the players of a new match agree on its spectators. The match must not be loaded yet."""
    server.write("UPDATE games_match SET watchable = ?, delay = ? WHERE id = ?", watchable, delay, match_id)


def play_out(players: tuple[Socket, Socket], choose: random.Random) -> dict[str, Any]:
    """Play random moves to the end of a match; the last `plies` message."""
    snapshot = players[0].snapshot
    message, turn = snapshot, snapshot["state"]["turn"]
    legal = players[turn].snapshot["legal"]
    while message["outcome"] is None:
        after = message["ply"] if message["type"] == "snapshot" else message["plies"][-1]["number"]
        answer = players[turn].move(after, choose.choice(legal))
        assert answer["type"] == "accepted", answer
        heard = [plies_up_to(socket, answer["ply"]) for socket in players]
        message = heard[0]
        turn = message["plies"][-1]["state"]["turn"]
        legal = heard[turn].get("legal")
    return message


def plies_up_to(socket: Socket, number: int) -> dict[str, Any]:
    """The `plies` message that ends with ply `number`, received already or awaited."""
    message: dict[str, Any]
    for message in reversed(socket.heard):
        if message["type"] == "plies" and message["plies"][-1]["number"] == number:
            return message
    while True:
        message = socket.next("plies")
        if message["plies"][-1]["number"] >= number:
            return message
