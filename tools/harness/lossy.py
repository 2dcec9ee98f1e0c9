"""A channel layer that drops three of ten batches between processes, for servers under test.

It logs each loss, so that a test can see that messages were lost.
"""

from __future__ import annotations

import logging
import os
import random
from typing import Any

from channels_redis.pubsub import RedisPubSubChannelLayer

LOSS = 0.3

logger = logging.getLogger(__name__)


class LossyLayer:
    """A channel layer that loses messages; each kind has its own random sequence, from LOSS_SEED.

    So the same plies are lost, whatever else processes send. A batch counts as the kind of its first message.
    """

    def __init__(self, **config: Any) -> None:
        self._layer = RedisPubSubChannelLayer(**config)
        self._sequences: dict[str, random.Random] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._layer, name)

    async def receive(self, channel: str) -> Any:
        """The next batch, without those that are lost."""
        while True:
            batch = await self._layer.receive(channel)
            messages = [
                (listener or topic.partition(".")[0], topic) for topic, *_, listener in batch["messages"]
            ]
            if not self._loses(messages[0][0] if messages else "beat"):
                return batch
            for kind, topic in messages:
                logger.warning(lost(kind, topic))

    def _loses(self, kind: str) -> bool:
        if kind not in self._sequences:
            self._sequences[kind] = random.Random(f"{os.environ['LOSS_SEED']} {kind}")
        return self._sequences[kind].random() < LOSS


def lost(kind: str, topic: str) -> str:
    """The log line of a lost message; messages for a match's sockets have the kind "match"."""
    return f"lost {kind} of {topic}"
