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
    """A socket where there is none: says so, which a refusal could not, and closes."""

    async def opened(self) -> None:
        await self.close_with(CLOSE_UNKNOWN, "unknown-address", gettext_noop("There is no such address."))


class Pages(ASGIHandler):
    """Django, which notices that whoever asked is gone, and keeps nothing of it."""

    async def get_response_async(self, request: Any) -> Any:
        """The answer to a request; one that is an error is told in the log.

        Django has that told by any free thread. While the database is out of reach all of them wait for it,
        and `/readyz` would wait with them.
        """
        set_urlconf(settings.ROOT_URLCONF)
        response = await cast(Any, self)._middleware_chain(request)
        response._resource_closers.append(request.close)
        if response.status_code >= HTTPStatus.BAD_REQUEST:
            about = {"response": response, "request": request}
            log_response("%s: %s", response.reason_phrase, request.path, **about)
        return response

    async def listen_for_disconnect(self, receive: Any) -> None:
        """Return once they are gone.

        Django raises, and what it raises holds the request, the answer and itself: some thousand objects,
        which stayed until circles were looked for.
        """
        with suppress(RequestAborted):
            await super().listen_for_disconnect(receive)


@receiver(request_finished, sender=Pages)
def close_connections(**_: Any) -> None:
    """Close what a request had open in its thread.

    The thread is its own and ends with it. SQLite's connection would stay, with its files and some megabytes,
    until circles were looked for.
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
