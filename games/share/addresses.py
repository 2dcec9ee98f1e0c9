"""Addresses that are passed on: by which also others than this computer reach the site."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest


def for_others(request: HttpRequest, path: str | None = None) -> str:
    """A whole address, by default that of the page, by which also others than this computer reach it."""
    address = request.build_absolute_uri(path)
    if not _at_this_computer(request) or not settings.LAN_ADDRESS:
        return address
    parts = urlsplit(address)
    port = "" if parts.port is None else f":{parts.port}"
    return parts._replace(netloc=settings.LAN_ADDRESS + port).geturl()


def reaches_nobody(request: HttpRequest) -> bool:
    """Whether a link to this site leads others nowhere, since only this computer is served."""
    return _at_this_computer(request) and not settings.LAN_ADDRESS


def _at_this_computer(request: HttpRequest) -> bool:
    """Whether the site was asked for by a name that means to everybody their own computer."""
    host = urlsplit(f"//{request.get_host()}").hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
