"""Addresses of the match socket and of the watch socket."""

from typing import Any

from django.urls import path

from games.net.sockets import carrying
from games.watch.board_consumer import BoardsFeed
from games.watch.match_consumer import MatchFeed

websocket_urlpatterns: list[Any] = [
    path("ws/match/<str:match_id>", carrying(MatchFeed)),
    path("ws/watch", carrying(BoardsFeed)),
]
