"""A server that pings every second and accepts every socket, as a program for `served_by`."""

PINGING_SERVER = """
from config import server

server.PING_INTERVAL, server.PING_TIMEOUT = 1, 2

async def application(scope, receive, send):
    await receive()
    await send({"type": "websocket.accept"})
    while (await receive())["type"] != "websocket.disconnect":
        pass
    print("gone", flush=True)

server.build("127.0.0.1", 0, lambda: application).run()
"""
"""It prints "gone" when a client has gone."""
