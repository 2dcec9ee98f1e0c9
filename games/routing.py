"""Addresses of the match socket."""

from django.urls import path

from games.consumers import MatchSocket

websocket_urlpatterns = [path("ws/match/<str:match_id>", MatchSocket.as_asgi())]  # type: ignore[arg-type]
