"""What a request says about its client, and what of it is believed."""

from __future__ import annotations

from typing import Any

import pytest

from config.trusted_headers import TrustedHeaders

PROXY = ["10.0.0.1", 4711]
FORWARDED = [
    (b"x-forwarded-for", b"192.0.2.1, 198.51.100.7"),
    (b"x-forwarded-port", b"1234"),
    (b"x-forwarded-proto", b"https"),
]


async def seen(*headers: tuple[bytes, bytes], kind: str = "http") -> dict[str, Any]:
    """The scope that the application gets."""
    found: list[dict[str, Any]] = []

    async def application(scope: dict[str, Any], _receive: Any, _send: Any) -> None:
        found.append(scope)

    scope = {"type": kind, "root_path": "http://attacker.example", "client": PROXY, "headers": [*headers]}
    await TrustedHeaders(application)(scope | ({"scheme": "http"} if kind == "http" else {}), None, None)
    return found[0]


@pytest.mark.parametrize("kind", ["http", "websocket"])
async def test_scope_behind_a_proxy_has_the_forwarded_client(settings: Any, kind: str) -> None:
    settings.BEHIND_PROXY = True
    scope = await seen(*FORWARDED, (b"host", b"a"), kind=kind)
    assert (scope["client"], scope["headers"]) == (["198.51.100.7", 1234], [(b"host", b"a")])
    assert scope.get("scheme") == ("https" if kind == "http" else None)


@pytest.mark.parametrize("kind", ["http", "websocket"])
async def test_scope_without_a_proxy_has_the_peer(settings: Any, kind: str) -> None:
    settings.BEHIND_PROXY = False
    scope = await seen(*FORWARDED, (b"host", b"a"), kind=kind)
    assert (scope["client"], scope["headers"]) == (PROXY, [(b"host", b"a")])
    assert scope.get("scheme") == ("http" if kind == "http" else None)


async def test_scope_has_no_root_path_and_no_header_with_underscore() -> None:
    scope = await seen((b"x_forwarded_proto", b"https"), (b"script_name", b"/a"))
    assert (scope["root_path"], scope["headers"]) == ("", [])


async def test_last_of_repeated_headers_counts(settings: Any) -> None:
    settings.BEHIND_PROXY = True
    first = [(b"x-forwarded-for", b"203.0.113.9"), (b"x-forwarded-proto", b"http")]
    scope = await seen(*first, *FORWARDED)
    assert (scope["client"], scope["scheme"]) == (["198.51.100.7", 1234], "https")


@pytest.mark.parametrize("value", [b"", b"unknown", b"192.0.2.1:80", b"198.51.100.7,", b"\xff"])
async def test_forwarded_address_that_is_none_is_dropped(settings: Any, value: bytes) -> None:
    settings.BEHIND_PROXY = True
    assert (await seen((b"x-forwarded-for", value), *FORWARDED[1:]))["client"] == PROXY


@pytest.mark.parametrize("value", [b"x", b"-1", "\u0665".encode(), b"9" * 5000])
async def test_forwarded_port_that_is_no_number_is_zero(settings: Any, value: bytes) -> None:
    settings.BEHIND_PROXY = True
    scope = await seen(FORWARDED[0], (b"x-forwarded-port", value))
    assert scope["client"] == ["198.51.100.7", 0]
