"""The ASGI application: pages through Django, sockets through Channels."""

import os
from contextlib import suppress
from http import HTTPStatus
from typing import Any, cast

import django
from channels.routing import ProtocolTypeRouter, URLRouter
from django.conf import settings
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler
from django.core.signals import request_finished
from django.db import connections
from django.dispatch import receiver

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# Models can be imported only once Django is set up.
django.setup(set_prefix=False)

from django.urls import re_path, set_urlconf  # noqa: E402
from django.utils.log import log_response  # noqa: E402

from config.lifespan import lifespan  # noqa: E402
from config.middleware.connection_throttle import ConnectionThrottle  # noqa: E402
from config.middleware.session_auth import SessionAuthMiddleware  # noqa: E402
from config.origins import OriginCheck  # noqa: E402
from config.request_validation import WebSocketValidation  # noqa: E402
from games import routing as games_routing  # noqa: E402
from games.net.sockets import CLOSE_UNKNOWN, Socket  # noqa: E402
from games.rules.base import gettext_noop  # noqa: E402
from lobby import routing as lobby_routing  # noqa: E402


class UnknownAddress(Socket):
    """The WebSocket for unknown paths. It sends an error, which a rejected handshake could not carry, and
    closes.
    """

    async def opened(self) -> None:
        await self.close_with(CLOSE_UNKNOWN, "unknown-address", gettext_noop("There is no such address."))


class Pages(ASGIHandler):
    """Django's handler, without the reference cycles of a disconnected client."""

    async def get_response_async(self, request: Any) -> Any:
        """The response to a request; errors are logged.

        Django logs them in any free thread. While the database is unreachable all threads wait for it, and
        `/readyz` would wait with them.
        """
        set_urlconf(settings.ROOT_URLCONF)
        response = await cast(Any, self)._middleware_chain(request)
        response._resource_closers.append(request.close)
        if response.status_code >= HTTPStatus.BAD_REQUEST:
            about = {"response": response, "request": request}
            log_response("%s: %s", response.reason_phrase, request.path, **about)
        return response

    async def listen_for_disconnect(self, receive: Any) -> None:
        """Return once the client has disconnected.

        Django raises an exception that holds the request, the response and itself: a reference cycle of some
        thousand objects.
        """
        with suppress(RequestAborted):
            await super().listen_for_disconnect(receive)


@receiver(request_finished, sender=Pages)
def close_connections(**_: Any) -> None:
    """Close the connections of a request's thread.

    The thread ends with its request. SQLite's connection would stay, with its files and some megabytes, until
    the garbage collector runs.
    """
    connections.close_all()


addresses: list[Any] = [
    *games_routing.websocket_urlpatterns,
    *lobby_routing.websocket_urlpatterns,
    re_path("", cast(Any, UnknownAddress.as_asgi())),
]
inside: Any = ConnectionThrottle(SessionAuthMiddleware(cast(Any, URLRouter(addresses))))
sockets: Any = WebSocketValidation(OriginCheck(inside))

application = ProtocolTypeRouter({"http": Pages(), "websocket": sockets, "lifespan": lifespan})
