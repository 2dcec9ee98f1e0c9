"""Processes that lose three of ten of the things that they say to each other, for servers under test.

They log what they lose, so that a test can see that anything was lost at all.
"""

from __future__ import annotations

import logging
import os
import random
from typing import Any

from games.net.processes import Processes

LOSS = 0.3

logger = logging.getLogger(__name__)


class LossyProcesses(Processes):
    """What others are told, less what the lot takes; nothing is numbered that was taken.

    There is a lot for each kind of message: whatever else the processes tell each other meanwhile, the
    same plies are lost with the same LOSS_SEED.
    """

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._lots: dict[str, random.Random] = {}

    def tell(self, topic: str, payload: bytes, own: Any = (), listener: str | None = None) -> None:
        kind = listener or topic.partition(".")[0]
        if kind not in self._lots:
            self._lots[kind] = random.Random(f"{os.environ['LOSS_SEED']} {kind}")
        if self._lots[kind].random() < LOSS:
            logger.warning(lost(kind, topic))
        else:
            super().tell(topic, payload, own, listener)


def lost(kind: str, topic: str) -> str:
    """What the log says when a message is lost; what sockets are told of a match is of the kind "match"."""
    return f"lost {kind} of {topic}"
