"""The pages from which a browser may open a socket."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import SplitResult, urlsplit

from channels.security.websocket import WebsocketDenier
from django.conf import settings
from django.http.request import split_domain_port, validate_host

Application = Callable[[dict[str, Any], Any, Any], Awaitable[None]]

DEFAULT_PORTS = {"http": "80", "https": "443"}


class OriginCheck:
    """Refuses pages of other sites, which would act with our visitors' cookies.

    Allowed are pages of the requested host and port, if it is in ALLOWED_HOSTS, and those of TRUSTED_ORIGINS.
    A client without an origin is allowed without its cookies: it sees what any spectator sees.
    """

    def __init__(self, application: Application) -> None:
        self._application = application

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        """Deny handshakes from pages of other sites."""
        welcome = _welcome(scope)
        if welcome is None:
            denier: Any = WebsocketDenier()
            await denier(scope, receive, send)
        else:
            await self._application(welcome, receive, send)


def _welcome(scope: dict[str, Any]) -> dict[str, Any] | None:
    """The scope of an allowed handshake; None for a page of another site.

    It has no cookies if the origin is unknown.
    """
    headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
    origin = headers.get(b"origin")
    if origin is None:
        return {**scope, "headers": [pair for pair in scope["headers"] if pair[0] != b"cookie"]}
    return scope if _may_open(origin, headers.get(b"host", "")) else None


def _may_open(origin: str, host: str) -> bool:
    try:
        page = urlsplit(origin)
        page_port = str(page.port or DEFAULT_PORTS.get(page.scheme, ""))
    except ValueError:
        return False
    return _is_trusted(page) or _is_same(page, page_port, host)


def _is_trusted(page: SplitResult) -> bool:
    return f"{page.scheme}://{page.netloc.lower()}" in settings.CSRF_TRUSTED_ORIGINS


def _is_same(page: SplitResult, page_port: str, host: str) -> bool:
    if page.scheme not in DEFAULT_PORTS:
        return False
    # Django returns two empty parts for a malformed host or port.
    domain, port = split_domain_port(host)
    page_domain, _ = split_domain_port(page.netloc)
    # A proxy may terminate https, so a host without a port has the default port of the page's scheme.
    same = domain == page_domain and (port or DEFAULT_PORTS[page.scheme]) == page_port
    return same and bool(domain) and validate_host(domain, settings.ALLOWED_HOSTS)
