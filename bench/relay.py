"""The yardstick: what the Channels tutorial does, a relay by `group_send` that stores nothing."""

import json

from channels.generic.websocket import AsyncWebsocketConsumer
from channels.routing import URLRouter
from django.urls import path


class Relay(AsyncWebsocketConsumer):
    """Passes every message on to everyone in the room."""

    async def connect(self):
        self.room = f"room.{self.scope['url_route']['kwargs']['room']}"
        await self.channel_layer.group_add(self.room, self.channel_name)
        await self.accept()

    async def disconnect(self, code):
        await self.channel_layer.group_discard(self.room, self.channel_name)

    async def receive(self, text_data):
        message = json.loads(text_data)
        await self.channel_layer.group_send(self.room, {"type": "relay.message", "message": message})

    async def relay_message(self, event):
        await self.send(text_data=json.dumps(event["message"]))


application = URLRouter([path("ws/match/<str:room>", Relay.as_asgi())])
