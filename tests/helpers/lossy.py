"""A channel layer that loses three of ten messages, for servers under test.

It logs what it loses, so that a test can see that anything was lost at all.
"""

from __future__ import annotations

import logging
import os
import random
from typing import Any

from channels_redis.core import RedisChannelLayer

LOSS = 0.3

logger = logging.getLogger(__name__)


class LossyLayer(RedisChannelLayer):
    """Redis, less what the lot takes.

    There is a lot for each kind of message: whatever else the processes tell each other meanwhile, the
    same plies are lost with the same LOSS_SEED.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._lots: dict[str, random.Random] = {}

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        kind = message["listener"] or group.partition(".")[0]
        if kind not in self._lots:
            self._lots[kind] = random.Random(f"{os.environ['LOSS_SEED']} {kind}")
        if self._lots[kind].random() < LOSS:
            logger.warning(lost(kind, group))
        else:
            await super().group_send(group, message)


def lost(kind: str, group: str) -> str:
    """What the log says when a message is lost; what sockets are told of a match is of the kind "match"."""
    return f"lost {kind} of {group}"
