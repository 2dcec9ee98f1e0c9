"""Address of the lobby socket."""

from typing import Any, cast

from django.urls import path

from lobby.consumers import LobbySocket

websocket_urlpatterns: list[Any] = [path("ws/lobby", cast(Any, LobbySocket.as_asgi()))]
