"""Requests and frames that nobody sends who means well, at random and the same for the same seed."""

from __future__ import annotations

import base64
import contextlib
import json
import re
import socket
import struct
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from urllib.parse import quote_from_bytes

from django.urls import URLPattern, URLResolver, get_resolver

SECONDS, PATIENCE = 30, 2

TEXTS = [
    *(b"", b" ", b"0", b"-1", b"1", b"nan", b"1e999", b"0x10", b"True", b"null", b"[]", b"{}"),
    *(b"9" * 20, b"9" * 5000, b"-" + b"9" * 400, "٣".encode(), "²".encode(), "İ".encode()),
    *(b"\0", b"a\0b", b"\r\nX-Made: up", b"\x7f", b"\x85", b"\xff\xfe", b"\xed\xa0\x80", b"\xc0\xaf"),
    *(
        b"..",
        b"../../etc/passwd",
        b"%2e%2e/",
        b"//attacker.example",
        b"http://[",
        b"http://a:b",
        b"javascript:1",
    ),
    *(b"' OR 1=1 --", b"{{ 7*7 }}", b"{% debug %}", b"<script>", b"%s%n", b"%(name)s", b"$(id)", b"\\"),
    *(
        "\u202eabc".encode(),
        "\u2800".encode(),
        "\U0001f469\u200d\U0001f680".encode(),
        "e\u0301".encode() * 300,
    ),
    *(b"x" * 300, b"x" * 5000, b"kalah", b"circle", b"Ulno", b"host", b"2026-01-01T00:00:00Z", b"a=b&c=d;e"),
]
"""What stands where something sensible should."""

FIELDS = [
    *(
        "next",
        "page",
        "like",
        "level",
        "find",
        "who",
        "url",
        "format",
        "maxwidth",
        "maxheight",
        "after",
        "limit",
    ),
    *(
        "game",
        "preset",
        "seats",
        "first",
        "options",
        "clock",
        "rated",
        "listed",
        "delay",
        "opens",
        "lowest_rating",
    ),
    *(
        "name",
        "username",
        "email",
        "login",
        "password",
        "password1",
        "password2",
        "code",
        "token",
        "key",
        "id",
    ),
    *(
        "reason",
        "line",
        "level",
        "events",
        "address",
        "text",
        "room",
        "tile",
        "language",
        "theme",
        "file",
        "move",
    ),
    *("title", "about", "rounds", "minutes", "starts", "pause", "computer", "club", "joining", "games"),
    *("person", "role", "message", "chat", "to"),
]

HEADERS = [
    *("Host", "Origin", "Referer", "Cookie", "X-CSRFToken", "Authorization", "Accept-Language", "Accept"),
    *(
        "X-Requested-With",
        "Accept-Encoding",
        "If-Modified-Since",
        "If-None-Match",
        "If-Match",
        "If-Range",
        "Range",
    ),
    *(
        "Content-Type",
        "Content-Length",
        "Content-Encoding",
        "Transfer-Encoding",
        "Expect",
        "Connection",
        "Upgrade",
    ),
    *("Sec-WebSocket-Key", "Sec-WebSocket-Version", "Sec-WebSocket-Protocol", "Sec-WebSocket-Extensions"),
    *("Idempotency-Key", "User-Agent", "X-Forwarded-For", "X-Forwarded-Port", "X-Forwarded-Proto"),
    *("X-Forwarded-Host", "X-Forwarded-Prefix", "Forwarded", "X-Real-IP", "Daphne-Root-Path", "Script-Name"),
    *(
        "X-Script-Name",
        "X-HTTP-Method-Override",
        "X-Original-URL",
        "X-Rewrite-URL",
        "Remote-User",
        "TE",
        "Trailer",
    ),
    *(
        "Keep-Alive",
        "Proxy",
        "Via",
        "Priority",
        "Sec-Fetch-Site",
        "Last-Event-ID",
        "Date",
        "From",
        "Max-Forwards",
    ),
]
"""Every header that some layer believes, and some that none does."""

VALUES = [
    *(b"gzip;q=nan", b"*;q=1e400", b"en;q=0.5,*", b"de-" + b"x" * 400, b",".join([b"en"] * 800)),
    *(b"bytes=0-", b"bytes=-1", b"bytes=9-1", b"bytes=0-1,2-3", b"items=1"),
    *(b"Mon, 99 Foo 2026 99:99:99 GMT", b"Thu, 01 Jan 0001 00:00:00 GMT", b'W/"x"', b"*", b'"'),
    *(b"Bearer", b"Bearer ", b"Bearer prl_x", b"Basic OnBhc3M=", b"Digest x", b"bearer \xff"),
    *(
        b"application/json",
        b"application/json; charset=utf-16",
        b"text/plain; charset=zlib",
        b"multipart/form-data",
    ),
    *(
        b"multipart/form-data; boundary=x",
        b"multipart/form-data; boundary=" + b"x" * 300,
        b"a/b; charset=\xff",
    ),
    *(b"application/x-www-form-urlencoded; charset=utf-7", b"multipart/form-data; boundary=x; charset=rot13"),
    *(
        b"websocket",
        b"h2c",
        b"upgrade",
        b"close",
        b"keep-alive, Upgrade",
        b"100-continue",
        b"chunked",
        b"identity",
    ),
    *(
        b"127.0.0.1:99999",
        b"127.0.0.1:",
        b"[::1",
        b"[::1]:x",
        b"127.0.0.1, b",
        b"localhost",
        b"attacker.example",
    ),
    *(
        b"203.0.113.9",
        b"::ffff:1.2.3.4",
        b"https",
        b"1;2;3",
        b"sessionid=x; sessionid=y",
        b"csrftoken=" + b"x" * 32,
    ),
    *(
        b'messages="x"',
        b"django_language=../../x",
        b"sessionid=\xff",
        b"parlour.v1",
        b"permessage-deflate; x=y",
    ),
]

CODECS = [
    b"utf-8",
    b"utf-16",
    b"latin-1",
    b"zlib",
    b"rot13",
    b"idna",
    b"undefined",
    b"punycode",
    b"x",
    b"\xff",
]

MESSAGES = [
    *(
        "list",
        "chat",
        "ping",
        "say",
        "people",
        "pairing",
        "saved",
        "looking",
        "preset",
        "move",
        "resign",
        "offer",
    ),
    *(
        "decline",
        "abort",
        "claim",
        "reclaim",
        "rematch",
        "words",
        "hide-crowd",
        "sync",
        "odds",
        "hint",
        "probe",
    ),
    *("show", "rating", "watch", "operate", "cursor", ""),
]
MEMBERS = [
    *(
        "id",
        "chapter",
        "operation",
        "node",
        "leads",
        "text",
        "room",
        "preset",
        "after",
        "move",
        "kind",
        "words",
        "hidden",
        "t",
        "n",
        "at",
        "matches",
        "match",
    ),
]

ACCOUNT_ENDS = re.compile(r"^/(accounts/logout|settings/delete)")
"""Whoever asks for these is nobody afterwards."""


@dataclass(slots=True)
class Found:
    """What came of it: answers by status, and those requests that a server should have refused."""

    statuses: Counter[int] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def add(self, request: bytes, answer: bytes) -> None:
        status = int(answer[9:12]) if answer.startswith(b"HTTP/1.") else 0
        self.statuses[status] += 1
        # 501 is what oEmbed answers about a format that a site does not have.
        if status >= 500 and status != 501:
            self.faults.append(f"{status}: {request[:2000]!r}")


def patterns() -> list[str]:
    """The address of every page, with its parameters in angle brackets."""
    return sorted(set(_patterns(get_resolver().url_patterns, "/")))


def _patterns(found: Sequence[URLPattern | URLResolver], before: str) -> Iterator[str]:
    for each in found:
        path = before + _plain(str(each.pattern))
        if isinstance(each, URLResolver):
            yield from _patterns(each.url_patterns, path)
        else:
            yield path


def _plain(pattern: str) -> str:
    """Regular expressions become paths: what they match is a parameter."""
    named = re.sub(r"\(\?P<(\w+)>[^)]*\)\)?", r"<\1>", pattern)
    return re.sub(r"[\^$\\]|\\Z", "", named)


class Fuzz:
    """Requests at random: `known` is what may stand where an address has a parameter."""

    def __init__(self, seed: int, known: Sequence[str], cookies: str, token: str = "") -> None:
        self.rng = Random(seed)
        self._paths = [path for path in patterns() if not ACCOUNT_ENDS.match(path)]
        self._known = [each.encode() for each in known]
        self._cookies, self._token = cookies.encode(), token.encode()

    def request(self) -> bytes:
        """A whole request, after which the connection is closed."""
        rng = self.rng
        method = rng.choices(
            [b"GET", b"POST", b"HEAD", b"PUT", b"PATCH", b"OPTIONS", b"QUERY"], [8, 8, 1, 1, 1, 1, 1]
        )[0]
        target = self._target()
        headers = self._usual(target)
        body = b""
        if method not in (b"GET", b"HEAD") or rng.random() < 0.1:
            kind, body = self._body()
            headers += [(b"Content-Type", kind), (b"Content-Length", b"%d" % len(body))]
        for _ in range(rng.choice([0, 0, 1, 1, 2, 4])):
            name = rng.choice(HEADERS).encode()
            if rng.random() < 0.7:
                headers = [pair for pair in headers if pair[0] != name]
            headers.append((self._case(name), _in_header(self._value())))
        lines = b"".join(b"%s: %s\r\n" % pair for pair in headers)
        version = rng.choices([b"HTTP/1.1", b"HTTP/1.0"], [9, 1])[0]
        return b"%s %s %s\r\n%s\r\n%s" % (method, target, version, lines, body)

    def frames(self) -> bytes:
        """Some frames of a socket, not all of which are any; at times a flood, which a busy socket gets."""
        if self.rng.random() < 0.1:
            asked = masked(0x81, b'{"type":"sync","after":0}') * self.rng.randint(1, 60)
            sizes = self.rng.choices([4_000, 16_000, 17_000], k=self.rng.randint(1, 12))
            return asked + b"".join(masked(0x81, b"x" * size) for size in sizes)
        return b"".join(self._frame() for _ in range(self.rng.randint(1, 12)))

    def message(self) -> bytes:
        """A message of a socket, mostly one that could be."""
        rng = self.rng
        if rng.random() < 0.15:
            return self._value()
        fields: dict[str, object] = {"type": rng.choice(MESSAGES)}
        for name in rng.sample(MEMBERS, rng.randint(0, 5)):
            fields[name] = rng.choice([self._member, lambda: f"command-{rng.randrange(10**8):08d}"])()
        return json.dumps(fields).encode()

    def _target(self) -> bytes:
        rng = self.rng
        path = re.sub(rb"<[^>]*>", lambda _: self._parameter(), rng.choice(self._paths).encode())
        if rng.random() < 0.05:
            path = b"/" + quote_from_bytes(self._value(), safe="/%").encode()[:6000]
        if rng.random() < 0.5:
            path += b"?" + self._query()
        return path[:8000]

    def _parameter(self) -> bytes:
        value = self.rng.choice(self._known) if self.rng.random() < 0.6 else self._value()
        return quote_from_bytes(value, safe="").encode()[:2000] or b"-"

    def _query(self) -> bytes:
        pairs = [(self.rng.choice(FIELDS).encode(), self._value()) for _ in range(self.rng.randint(1, 4))]
        return b"&".join(name + b"=" + quote_from_bytes(value).encode() for name, value in pairs)

    def _usual(self, target: bytes) -> list[tuple[bytes, bytes]]:
        """What a browser of somebody who is signed in sends; below /api/ what their program does."""
        headers = [(b"Host", b"127.0.0.1"), (b"Connection", b"close")]
        if target.startswith(b"/api/"):
            return [*headers, (b"Authorization", b"Bearer " + self._token)]
        return [
            *headers,
            (b"Cookie", self._cookies + b"; csrftoken=" + b"x" * 32),
            (b"X-CSRFToken", b"x" * 32),
            (b"Accept", self.rng.choice([b"text/html", b"application/json", b"*/*"])),
        ]

    def _body(self) -> tuple[bytes, bytes]:
        rng = self.rng
        kind = rng.randrange(6)
        if kind == 0:
            return b"application/json", json.dumps(self._document()).encode()
        if kind == 1:
            return b"multipart/form-data; boundary=x", self._parts()
        if kind == 5:
            return b"multipart/form-data; boundary=x; charset=" + rng.choice(CODECS), self._parts()
        if kind == 2:
            return rng.choice(
                [b"application/json", b"text/plain", b"application/octet-stream"]
            ), self._value()
        return b"application/x-www-form-urlencoded", self._query()

    def _document(self) -> object:
        rng = self.rng
        return rng.choice([self._member, lambda: {rng.choice(FIELDS): self._member() for _ in range(4)}])()

    def _member(self) -> object:
        rng = self.rng
        text = self._value().decode("utf-8", rng.choice(["replace", "surrogateescape"]))[:400]
        plain: list[object] = [text, text, None, True, -1, 0, 1, 2**31, 2**63, 10**30, 1.5, 1e308, "\ud800"]
        deep: object = rng.choice(plain)
        for _ in range(rng.choice([0, 0, 0, 1, 2, 100])):
            deep = rng.choice([[deep], {"type": deep}])
        return deep

    def _parts(self) -> bytes:
        parts = b""
        for _ in range(self.rng.randint(1, 3)):
            name = self.rng.choice(FIELDS).encode()
            file = b'; filename="%s"' % _in_header(self._value())[:200] if self.rng.random() < 0.3 else b""
            coded = b"Content-Transfer-Encoding: base64\r\n" if self.rng.random() < 0.1 else b""
            head = b'--x\r\nContent-Disposition: form-data; name="%s"%s\r\n%s\r\n' % (name, file, coded)
            parts += head + self._value() + b"\r\n"
        return parts + self.rng.choice([b"--x--\r\n", b"--x", b""])

    def _value(self) -> bytes:
        rng = self.rng
        if rng.random() < 0.15:
            return rng.choice(self._known)
        value = rng.choice(TEXTS if rng.random() < 0.6 else VALUES)
        if rng.random() < 0.1:
            at = rng.randint(0, len(value))
            value = value[:at] + rng.randbytes(rng.randint(1, 4)) + value[at:]
        return value

    def _case(self, name: bytes) -> bytes:
        return self.rng.choice([bytes.lower, bytes.upper, bytes.title, bytes])(name)  # type: ignore[operator]

    def _frame(self) -> bytes:
        rng = self.rng
        code = rng.choices(
            [0x81, 0x82, 0x01, 0x80, 0x88, 0x89, 0x8A, 0xF1, 0x83], [40, 4, 1, 1, 1, 2, 2, 1, 1]
        )[0]
        payload = self.message()[: 125 if code >= 0x88 else 20_000]
        if rng.random() < 0.01:
            return rng.randbytes(rng.randint(1, 60))
        return masked(code, payload)


def masked(code: int, payload: bytes) -> bytes:
    """A frame as clients send them, its mask zero."""
    length = len(payload)
    if length < 126:
        return struct.pack("!BB", code, 0x80 | length) + bytes(4) + payload
    return struct.pack("!BBH", code, 0xFE, length) + bytes(4) + payload


def _in_header(value: bytes) -> bytes:
    return re.sub(rb"[\r\n]", b" ", value)[:3000]


def ask(port: int, request: bytes) -> bytes:
    """The beginning of the answer to a request; nothing if there is none."""
    with contextlib.suppress(ConnectionError), _line_to(port) as peer:
        peer.sendall(request)
        return _beginning(peer)
    return b""


def speak(port: int, path: str, cookies: str, frames: bytes) -> bytes:
    """Open a socket, send frames and listen to the end; the beginning of the answer to the opening."""
    key = base64.b64encode(b"x" * 16).decode()
    head = (
        f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n"
        f"Cookie: {cookies}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    answer = b""
    with contextlib.suppress(ConnectionError), _line_to(port) as peer:
        peer.sendall(head.encode())
        answer = peer.recv(65536)
        peer.sendall(frames + masked(0x88, b"\x03\xe8"))
        _beginning(peer)
    return answer


def _beginning(peer: socket.socket) -> bytes:
    """Read to the end; whoever waits for more than was sent is told that there is none."""
    answer = b""
    peer.settimeout(PATIENCE)
    try:
        while data := peer.recv(65536):
            answer = answer or data
    except TimeoutError:
        peer.settimeout(SECONDS)
        peer.shutdown(socket.SHUT_WR)
        while data := peer.recv(65536):
            answer = answer or data
    return answer


def _line_to(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=SECONDS)


def until(seconds: float, most: int) -> Callable[[int], bool]:
    """Whether to go on after so many: until the time is up, or there were enough."""
    end = time.monotonic() + seconds
    return lambda done: done < most and time.monotonic() < end
