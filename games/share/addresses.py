"""URLs that users share, which must be reachable from other computers."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

TOKEN_LENGTH = 20
"""Hexadecimal digits of a token in a link: 80 bits."""


def for_others(request: HttpRequest, path: str | None = None) -> str:
    """An absolute URL that is reachable from other computers, by default that of the current page."""
    address = request.build_absolute_uri(path)
    if not _at_this_computer(request) or not settings.LAN_ADDRESS:
        return address
    parts = urlsplit(address)
    port = "" if parts.port is None else f":{parts.port}"
    return parts._replace(netloc=settings.LAN_ADDRESS + port).geturl()


def reaches_nobody(request: HttpRequest) -> bool:
    """Whether links to this site do not work on other computers, as the server listens on this one only."""
    return _at_this_computer(request) and not settings.LAN_ADDRESS


def token(salt: str, subject: str) -> str:
    """The secret in a link that opens something without an account, derived from the site's secret key.

    Args:
        salt: the kind of link, so that a token of one kind does not open another.
        subject: what the link opens.
    """
    return salted_hmac(salt, subject, algorithm="sha256").hexdigest()[:TOKEN_LENGTH]


def _at_this_computer(request: HttpRequest) -> bool:
    """Whether the host name of the request is localhost or a loopback address."""
    host = urlsplit(f"//{request.get_host()}").hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
