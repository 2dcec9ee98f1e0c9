"""The yardstick: what the Channels tutorial does, a relay by `group_send` that stores nothing."""

import json
from typing import Any

from channels.generic.websocket import AsyncWebsocketConsumer
from channels.routing import URLRouter
from django.urls import path


class Relay(AsyncWebsocketConsumer):
    """Passes every message on to everyone in the room."""

    async def connect(self) -> None:
        """Join the room."""
        self.room = f"room.{self.scope['url_route']['kwargs']['room']}"
        await self.channel_layer.group_add(self.room, self.channel_name)
        await self.accept()

    async def disconnect(self, code: int) -> None:
        """Leave the room."""
        await self.channel_layer.group_discard(self.room, self.channel_name)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Pass a message on."""
        message = json.loads(text_data or "")
        await self.channel_layer.group_send(self.room, {"type": "relay.message", "message": message})

    async def relay_message(self, event: dict[str, Any]) -> None:
        """Send a message of the room."""
        await self.send(text_data=json.dumps(event["message"]))


# Channels puts applications in the place of views, which Django's types do not know.
_relay: Any = Relay.as_asgi()
application = URLRouter([path("ws/match/<str:room>", _relay)])
