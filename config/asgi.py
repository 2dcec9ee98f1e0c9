"""The ASGI application: pages through Django, sockets through Channels."""

import os
from typing import Any, cast

from channels.routing import ProtocolTypeRouter, URLRouter
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# Sets Django up; only then can models be imported.
pages = get_asgi_application()

from django.urls import re_path  # noqa: E402

from config.lifespan import lifespan  # noqa: E402
from config.middleware.connection_throttle import ConnectionThrottle  # noqa: E402
from config.middleware.request_queue import RequestQueue  # noqa: E402
from config.middleware.session_auth import SessionAuthMiddleware  # noqa: E402
from config.origins import OriginCheck  # noqa: E402
from config.request_validation import WebSocketValidation  # noqa: E402
from config.trusted_headers import TrustedHeaders  # noqa: E402
from games import routing as games_routing  # noqa: E402
from games.net.sockets import CLOSE_UNKNOWN, Feed, carrying  # noqa: E402
from games.rules.base import gettext_noop  # noqa: E402
from lobby import routing as lobby_routing  # noqa: E402


class UnknownAddress(Feed):
    """The feed of unknown paths.

    It sends an error, which a rejected handshake could not carry, and closes.
    """

    async def opened(self) -> None:
        """Say why, and close."""
        await self.close_with(CLOSE_UNKNOWN, "unknown-address", gettext_noop("Page not found."))


addresses: list[Any] = [
    *games_routing.websocket_urlpatterns,
    *lobby_routing.websocket_urlpatterns,
    re_path("", carrying(UnknownAddress)),
]
inside: Any = ConnectionThrottle(SessionAuthMiddleware(cast(Any, URLRouter(addresses))))
sockets: Any = WebSocketValidation(OriginCheck(inside))

application = TrustedHeaders(
    cast(
        Any,
        ProtocolTypeRouter(
            {"http": RequestQueue(cast(Any, pages)), "websocket": sockets, "lifespan": lifespan}
        ),
    )
)
