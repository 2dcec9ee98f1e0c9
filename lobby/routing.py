"""URLs of the lobby's sockets."""

from typing import Any, cast

from django.urls import path

from lobby.chat.sockets import TalkSocket
from lobby.clubs.sockets import ClubSocket
from lobby.sockets.consumers import LobbySocket, PersonSocket

websocket_urlpatterns: list[Any] = [
    path("ws/lobby", cast(Any, LobbySocket.as_asgi())),
    path("ws/me", cast(Any, PersonSocket.as_asgi())),
    path("ws/club/<str:club>", cast(Any, ClubSocket.as_asgi())),
    path("ws/chat/<str:match_id>", cast(Any, TalkSocket.as_asgi())),
]
