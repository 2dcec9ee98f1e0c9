"""Addresses of the match socket and of the watch socket."""

from typing import Any, cast

from django.urls import path

from games.watch.board_consumer import WatchSocket
from games.watch.match_consumer import MatchSocket

websocket_urlpatterns: list[Any] = [
    path("ws/match/<str:match_id>", cast(Any, MatchSocket.as_asgi())),
    path("ws/watch", cast(Any, WatchSocket.as_asgi())),
]
