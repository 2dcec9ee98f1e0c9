"""A push service, and the browsers that listen to it: what it is handed is opened as theirs would.

It is written from the RFCs (8030, 8188, 8291, 8292) and shares nothing with what the site sends with.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CURVE = ec.SECP256R1()


def b64(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def unb64(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def hkdf(salt: bytes, secret: bytes, info: bytes, length: int) -> bytes:
    """RFC 5869, for no more than one block."""
    extracted = hmac.digest(salt, secret, hashlib.sha256)
    return hmac.digest(extracted, info + b"\x01", hashlib.sha256)[:length]


@dataclass
class Browser:
    """A browser that has subscribed."""

    endpoint: str
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(CURVE))
    secret: bytes = field(default_factory=lambda: secrets.token_bytes(16))
    status: int = 201
    """What its push service answers."""
    heard: list[tuple[dict[str, str], dict[str, Any]]] = field(default_factory=list)
    """The headers and the opened message of each that arrived."""

    @property
    def public(self) -> bytes:
        return self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    @property
    def keys(self) -> dict[str, str]:
        """As a browser says them to the page."""
        return {"p256dh": b64(self.public), "auth": b64(self.secret)}

    @property
    def told(self) -> list[dict[str, Any]]:
        return [message for _, message in self.heard]

    def open(self, body: bytes) -> bytes:
        """What is sealed in a body."""
        salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
        theirs, sealed = body[21 : 21 + length], body[21 + length :]
        assert len(sealed) <= size
        assert len(body) <= 4096, "push services take no more"
        shared = self.key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, theirs))
        secret = hkdf(self.secret, shared, b"WebPush: info\0" + self.public + theirs, 32)
        key = hkdf(salt, secret, b"Content-Encoding: aes128gcm\0", 16)
        nonce = hkdf(salt, secret, b"Content-Encoding: nonce\0", 12)
        padded = AESGCM(key).decrypt(nonce, sealed, None).rstrip(b"\0")
        assert padded[-1:] == b"\x02", "the last record"
        return padded[:-1]


class PushService:
    """Listens by http on this computer; every message must be signed."""

    def __init__(self) -> None:
        self.browsers: dict[str, Browser] = {}
        self.problems: list[str] = []
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                self.send_response(service.take(self.path, dict(self.headers), body))
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.origin = f"http://127.0.0.1:{self._server.server_address[1]}"

    @contextmanager
    def running(self) -> Iterator[PushService]:
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        yield self
        self._server.shutdown()
        self._server.server_close()
        assert self.problems == []

    def browser(self) -> Browser:
        """One more browser."""
        path = f"/push/{secrets.token_urlsafe(24)}"
        browser = self.browsers[path] = Browser(self.origin + path)
        return browser

    def take(self, path: str, headers: dict[str, str], body: bytes) -> int:
        """The status with which a message is answered."""
        browser = self.browsers.get(path)
        if browser is None:
            return 404
        try:
            self._check(headers)
            message = json.loads(browser.open(body))
        except Exception as error:
            self.problems.append(repr(error))
            return 400
        if browser.status == 201:
            browser.heard.append((headers, message))
        return browser.status

    def _check(self, headers: dict[str, str]) -> None:
        scheme, _, rest = headers["Authorization"].partition(" ")
        assert scheme == "vapid"
        parts = dict(part.strip().split("=", 1) for part in rest.split(","))
        key = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, unb64(parts["k"]))
        claims = jwt.decode(parts["t"], key, algorithms=["ES256"], audience=self.origin)
        assert claims["sub"].startswith(("mailto:", "https:"))
        assert headers["Content-Encoding"] == "aes128gcm"
        assert 0 < int(headers["TTL"]) <= 28 * 24 * 3600
        assert len(headers["Topic"]) <= 32
