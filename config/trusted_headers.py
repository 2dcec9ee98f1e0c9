"""What a request says about its client: the words of our own proxy count, or none.

docs/explanation/security.md lists the headers that are trusted.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from ipaddress import ip_address
from typing import Any

from django.conf import settings

Application = Callable[[dict[str, Any], Any, Any], Awaitable[None]]

FORWARDED_FOR, PORT, PROTO = b"x-forwarded-for", b"x-forwarded-port", b"x-forwarded-proto"


class TrustedHeaders:
    """ASGI middleware: sets the client and the scheme of a scope, and removes what they were read from.

    It also removes the root path, which clients of daphne can set, and headers with "_" in their names, which
    Django does not distinguish from "-".
    """

    def __init__(self, application: Application) -> None:
        self._application = application

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        """Correct the scope, then call the application."""
        await self._application(scope if scope["type"] == "lifespan" else _trusted(scope), receive, send)


def client_address(forwarded_for: list[bytes], peer: str) -> str:
    """The client's address.

    Args:
        forwarded_for: the values of `X-Forwarded-For`. The last entry is the proxy's; others may be lies.
        peer: who is connected: the proxy if there is one, else the client.
    """
    last = _last(forwarded_for)
    if settings.BEHIND_PROXY:
        with suppress(ValueError):
            return str(ip_address(last))
    return peer


def _trusted(scope: dict[str, Any]) -> dict[str, Any]:
    said: dict[bytes, list[bytes]] = {FORWARDED_FOR: [], PORT: [], PROTO: []}
    headers = []
    for name, value in scope["headers"]:
        if name in said:
            said[name].append(value)
        elif b"_" not in name:
            headers.append((name, value))
    # In place, so that a socket that empties its headers frees them.
    scope["headers"][:] = headers
    trusted = {**scope, "root_path": ""}
    if settings.BEHIND_PROXY:
        peer, port = scope["client"] or ("", 0)
        address = client_address(said[FORWARDED_FOR], peer)
        if address != peer:
            digits = _last(said[PORT])
            port = int(digits) if digits.isdecimal() and len(digits) <= 5 else 0
        trusted["client"] = [address, port]
        if said[PROTO] and scope["type"] == "http":
            trusted["scheme"] = "https" if _last(said[PROTO]) == "https" else "http"
    return trusted


def _last(values: list[bytes]) -> str:
    return values[-1].rpartition(b",")[2].strip().decode("latin-1") if values else ""
