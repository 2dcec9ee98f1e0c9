"""HTTP POST to URLs chosen by users, protected against SSRF.

httpcore speaks HTTP. Unlike the clients built on it, it follows no redirects and reads no proxy settings, and
it lets us make the connection: the name is resolved once, all its addresses are checked, and we connect to
one of them, so DNS rebinding does not help. Only the head of the response is read, so that internal servers
cannot be read through us. One timeout covers everything.
"""

from __future__ import annotations

import asyncio
import re
import socket
import ssl
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cache
from ipaddress import IPv6Address, ip_address
from urllib.parse import urlsplit

import httpcore
from django.conf import settings

from games.domain.refusals import Refused
from games.rules.base import gettext_noop
from lobby.webhooks.models import URL_LENGTH

SECONDS = 8.0
"""Timeout for everything: DNS, connecting, sending and the response."""

NAME = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?")
PRINTABLE = re.compile(r"[!-~]+")


class Unsent(Refused):
    """Nothing was sent, or there was no valid response."""


class BadUrl(Unsent):
    """The address is no URL of HTTP, is too long, or names a user or a fragment."""

    code, status = "bad-url", 422
    sentence = gettext_noop("A webhook address must start with https://.")


class NotHttps(Unsent):
    """The scheme is http, which only hosts in WEBHOOK_ALLOWED_HOSTS may have."""

    code, status = "not-https", 422
    sentence = gettext_noop("Webhook addresses must start with https://.")


class NotPublic(Unsent):
    """The host has an address in a private network."""

    code, status = "not-public", 422
    sentence = gettext_noop("Webhooks cannot go to a private network.")


class UnknownHost(Unsent):
    """The name of the host cannot be resolved."""

    code, status = "unknown-host", 502
    sentence = gettext_noop("This host does not exist.")


class Unreachable(Unsent):
    """The host accepts no connection."""

    code, status = "unreachable", 502
    sentence = gettext_noop("The host could not be reached.")


class Insecure(Unsent):
    """TLS failed."""

    code, status = "insecure", 502
    sentence = gettext_noop("The host’s certificate is not trusted.")


class Timeout(Unsent):
    """The whole request took too long."""

    code, status = "timeout", 504
    sentence = gettext_noop("The answer took too long.")


class NotHttp(Unsent):
    """The response cannot be parsed."""

    code, status = "not-http", 502
    sentence = gettext_noop("The answer was not HTTP.")


def check(url: str) -> None:
    """Check a URL without connecting. Raises `Unsent`: "bad-url", "not-https" or "not-public"."""
    if len(url) > URL_LENGTH or not PRINTABLE.fullmatch(url):
        raise BadUrl
    try:
        parts = urlsplit(url)
        host, _port = parts.hostname or "", parts.port
    except ValueError:
        raise BadUrl from None
    if parts.scheme not in ("http", "https") or "@" in parts.netloc or parts.fragment:
        raise BadUrl
    if not NAME.fullmatch(host) and not _is_address(host):
        raise BadUrl
    if _is_trusted(host):
        return
    if parts.scheme != "https":
        raise NotHttps
    # The addresses of a name are checked after it is resolved.
    if _is_address(host) and not is_public(host):
        raise NotPublic


def _is_trusted(host: str) -> bool:
    """Whether the settings allow this host without checking its address."""
    return host in settings.WEBHOOK_ALLOWED_HOSTS


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
    check(url)
    headers = {
        "User-Agent": "Parlour-Webhooks/1",
        "Content-Type": "application/json",
        "Connection": "close",
        **headers,
    }
    client = httpcore.AsyncConnectionPool(ssl_context=trust(), network_backend=CheckedNetwork())
    try:
        async with (
            asyncio.timeout(SECONDS),
            client,
            client.stream("POST", url, headers=list(headers.items()), content=body) as response,
        ):
            return response.status
    except TimeoutError:
        raise Timeout from None
    except httpcore.NetworkError as error:
        # httpcore has no error of its own for certificates.
        raise Insecure if isinstance(error.__context__, ssl.SSLError) else Unreachable from None
    except httpcore.ProtocolError:
        raise NotHttp from None


class CheckedNetwork(httpcore.AnyIOBackend):
    """Connects to public addresses and to trusted hosts only."""

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Connect to the first address that accepts. Raises `Unsent`, or httpcore's errors."""
        *others, last = await _look_up(host, port)
        for address in others:
            with suppress(httpcore.ConnectError):
                return await super().connect_tcp(address, port, timeout, local_address, socket_options)
        return await super().connect_tcp(last, port, timeout, local_address, socket_options)


async def _look_up(host: str, port: int) -> list[str]:
    """Resolve a host; IPv4 addresses first, since most networks reach them."""
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (socket.gaierror, UnicodeError):
        raise UnknownHost from None
    found.sort(key=lambda each: each[0] != socket.AF_INET)
    addresses = [str(each[4][0]) for each in found]
    if not _is_trusted(host) and not all(is_public(address) for address in addresses):
        raise NotPublic
    return addresses


@cache
def trust() -> ssl.SSLContext:
    """TLS context with the system's certificates; loading them is slow."""
    return ssl.create_default_context()
