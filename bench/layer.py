"""`python -m bench.layer`: what it costs that two processes of a site hear each other, in two shapes.

All in one process here, over a Redis on this machine: one process of the site publishes, another receives.

- one group: all processes are in it, and what is published together is one batch (`games.net.message_bus`);
- a group for each topic: every match has one, which the process of each of its players is in, so that the
  sender receives its own messages too.
"""

from __future__ import annotations

import asyncio
import time
from argparse import ArgumentParser
from collections.abc import Sequence

from channels_redis.pubsub import RedisPubSubChannelLayer

from bench.scaling_invariance import table
from games.net.message_bus import BusMessage, MessageBus
from tools.harness.services import Redis
from tools.programs import redis_server

PAYLOAD = b'"%s"' % (b"x" * 598)
"""As long as a ply."""
MESSAGES = 5000
"""How many messages are published for one figure."""
TOGETHER = (1, 10, 50)
"""How many messages are published in one turn of the loop, each on another topic."""


async def one_group(hosts: Sequence[str], together: int) -> float:
    """Microseconds of processor time for each message, to publish and to receive it."""
    received, connected = asyncio.Semaphore(0), asyncio.Semaphore(0)
    layers = [RedisPubSubChannelLayer(hosts=hosts, prefix="bench") for _ in range(2)]
    sender = MessageBus(layers[0], "sender", lambda _: None, connected.release)
    receiver = MessageBus(layers[1], "receiver", lambda _: received.release(), connected.release)
    tasks = [asyncio.ensure_future(task) for bus in (sender, receiver) for task in bus.tasks()]
    for _ in layers:
        await connected.acquire()
    while received.locked():
        sender.publish(BusMessage("probe", b"{}"))
        await asyncio.sleep(0.05)
    while not received.locked():
        await received.acquire()
    began = time.process_time()
    for _ in range(MESSAGES // together):
        for topic in range(together):
            sender.publish(BusMessage(f"match.{topic}", PAYLOAD))
        for _ in range(together):
            await received.acquire()
    spent = time.process_time() - began
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    for layer in layers:
        await layer.flush()
    return spent / MESSAGES * 1e6


async def group_for_each_topic(hosts: Sequence[str], together: int) -> float:
    """Microseconds of processor time for each message, to publish it and to receive it twice."""
    received = asyncio.Semaphore(0)
    layers = [RedisPubSubChannelLayer(hosts=hosts, prefix="bench") for _ in range(2)]
    channels = [await layer.new_channel() for layer in layers]
    for layer, channel in zip(layers, channels, strict=True):
        for topic in range(together):
            await layer.group_add(f"match.{topic}", channel)
    await asyncio.sleep(0.5)

    async def receive(layer: RedisPubSubChannelLayer, channel: str) -> None:
        for _ in range(MESSAGES // together * together):
            await layer.receive(channel)
            received.release()

    began = time.process_time()
    tasks = [asyncio.ensure_future(receive(*pair)) for pair in zip(layers, channels, strict=True)]
    for _ in range(MESSAGES // together):
        for topic in range(together):
            await layers[0].group_send(f"match.{topic}", {"type": "ply", "payload": PAYLOAD})
        for _ in range(2 * together):
            await received.acquire()
    spent = time.process_time() - began
    await asyncio.gather(*tasks)
    for layer in layers:
        await layer.flush()
    return spent / MESSAGES * 1e6


def main() -> None:
    import uvloop

    ArgumentParser(prog="bench.layer", description=__doc__).parse_args()
    shards = [Redis(str(redis_server())).start() for _ in range(2)]
    rows = []
    for together in TOGETHER:
        for hosts in ([shards[0].url()], [shard.url() for shard in shards]):
            figures = [uvloop.run(shape(hosts, together)) for shape in (one_group, group_for_each_topic)]
            rows.append((together, len(hosts), *(f"{figure:.0f}" for figure in figures)))
    table(("messages together", "shards", "one group, µs each", "one group per topic, µs each"), *rows)
    for shard in shards:
        shard.discard()


if __name__ == "__main__":
    main()
