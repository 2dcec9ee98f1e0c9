"""HTTP POST to URLs chosen by users, protected against SSRF.

Only https and only public addresses, unless the settings allow the host. The name is resolved once, all its
addresses are checked, and we connect to one of them, so DNS rebinding does not help. Redirects would bypass
the check and are not followed. Only the status of the response is read, so that internal servers cannot be
read through us. One timeout covers everything. An HTTP library would need more code to restrict it in all
these ways than this client has.
"""

from __future__ import annotations

import asyncio
import re
import socket
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from ipaddress import IPv6Address, ip_address
from urllib.parse import urlsplit

from django.conf import settings

from games.domain.refusals import Refused
from games.rules.base import gettext_noop
from lobby.models import URL_LENGTH

SECONDS = 8.0
"""Timeout for everything: DNS, connecting, sending and the response."""
HEAD_BYTES = 16 * 1024
"""Maximum length of the response head."""

STATUS = re.compile(rb"HTTP/1\.[01] ([1-5][0-9][0-9])[ \r]")
NAME = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?")
PRINTABLE = re.compile(r"[!-~]+")
PORTS = {"http": 80, "https": 443}


class Unsent(Refused):
    """Nothing was sent, or there was no valid response."""


class BadUrl(Unsent):
    code, status = "bad-url", 422
    sentence = gettext_noop("This cannot be the address of a webhook. Such an address begins with https://.")


class NotHttps(Unsent):
    code, status = "not-https", 422
    sentence = gettext_noop("Messages are sent only to addresses that begin with https://.")


class NotPublic(Unsent):
    code, status = "not-public", 422
    sentence = gettext_noop("This address is in a private network, and nothing is sent there.")


class UnknownHost(Unsent):
    code, status = "unknown-host", 502
    sentence = gettext_noop("There is no host of this name.")


class Unreachable(Unsent):
    code, status = "unreachable", 502
    sentence = gettext_noop("The host could not be reached.")


class Insecure(Unsent):
    code, status = "insecure", 502
    sentence = gettext_noop("The host has no certificate that can be trusted.")


class TooSlow(Unsent):
    code, status = "timeout", 504
    sentence = gettext_noop("The answer took too long.")


class NotHttp(Unsent):
    code, status = "not-http", 502
    sentence = gettext_noop("The answer was no HTTP.")


@dataclass(frozen=True, slots=True)
class Target:
    """A parsed URL: `authority` is host and port as written, `path` includes the query."""

    secure: bool
    host: str
    port: int
    authority: str
    path: str

    @property
    def trusted(self) -> bool:
        """Whether the settings allow this host without checking its address."""
        return self.host in settings.WEBHOOK_ALLOWED_HOSTS


def target(url: str) -> Target:
    """Parse a URL. Raises `Unsent`: "bad-url", "not-https" or "not-public"."""
    if len(url) > URL_LENGTH or not PRINTABLE.fullmatch(url):
        raise BadUrl
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise BadUrl from None
    if parts.scheme not in PORTS or "@" in parts.netloc or parts.fragment:
        raise BadUrl
    host = parts.hostname or ""
    if not NAME.fullmatch(host) and not _is_address(host):
        raise BadUrl
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    secure = parts.scheme == "https"
    found = Target(secure, host, port or PORTS[parts.scheme], parts.netloc, path)
    if not found.trusted:
        _check_untrusted(found)
    return found


def _check_untrusted(found: Target) -> None:
    if not found.secure:
        raise NotHttps
    # The addresses of a name are checked after it is resolved.
    if _is_address(found.host) and not is_public(found.host):
        raise NotPublic


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def is_public(address: str) -> bool:
    """Whether an IP address is public, including an IPv4 address inside an IPv6 one.

    Raises `ValueError` if it is not an IP address.
    """
    found = ip_address(address)
    if isinstance(found, IPv6Address):
        if found.is_site_local:
            return False
        found = found.ipv4_mapped or found.sixtofour or found
    return found.is_global and not found.is_multicast and not found.is_reserved


async def post(url: str, headers: Mapping[str, str], body: bytes) -> int:
    """POST a body and return the HTTP status. Raises `Unsent`."""
    try:
        async with asyncio.timeout(SECONDS):
            where = target(url)
            addresses = await _look_up(where)
            return await _ask(where, addresses, _request(where, headers, body))
    except TimeoutError:
        raise TooSlow from None
    except ssl.SSLError:
        raise Insecure from None
    except OSError:
        raise Unreachable from None
    except (asyncio.IncompleteReadError, asyncio.LimitOverrunError):
        raise NotHttp from None


async def _look_up(where: Target) -> list[str]:
    """Resolve a host; IPv4 addresses first, since most networks reach them."""
    try:
        found = await asyncio.get_running_loop().getaddrinfo(where.host, where.port, type=socket.SOCK_STREAM)
    except (socket.gaierror, UnicodeError):
        raise UnknownHost from None
    found.sort(key=lambda each: each[0] != socket.AF_INET)
    addresses = [str(each[4][0]) for each in found]
    if not where.trusted and not all(is_public(address) for address in addresses):
        raise NotPublic
    return addresses


def _request(where: Target, headers: Mapping[str, str], body: bytes) -> bytes:
    fields = {
        "Host": where.authority,
        "User-Agent": "Parlour-Webhooks/1",
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        "Connection": "close",
        **headers,
    }
    head = [f"POST {where.path} HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items()), "", ""]
    return "\r\n".join(head).encode("ascii") + body


async def _ask(where: Target, addresses: list[str], request: bytes) -> int:
    reader, writer = await _connect(where, addresses)
    try:
        writer.write(request)
        await writer.drain()
        return await _status(reader)
    finally:
        writer.close()


async def _connect(where: Target, addresses: list[str]) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Connect to the first address that accepts."""
    secured = {"ssl": trust(), "server_hostname": where.host} if where.secure else {}
    *others, last = addresses
    for address in others:
        try:
            return await asyncio.open_connection(address, where.port, limit=HEAD_BYTES, **secured)  # type: ignore[arg-type]
        except OSError:
            continue
    return await asyncio.open_connection(last, where.port, limit=HEAD_BYTES, **secured)  # type: ignore[arg-type]


async def _status(reader: asyncio.StreamReader) -> int:
    """Read the status of the final response, skipping 1xx ones."""
    status = 100
    while status < 200:
        found = STATUS.match(await reader.readuntil(b"\r\n\r\n"))
        if found is None:
            raise NotHttp
        status = int(found[1])
    return status


@cache
def trust() -> ssl.SSLContext:
    """TLS context with the system's certificates; loading them is slow."""
    return ssl.create_default_context()
