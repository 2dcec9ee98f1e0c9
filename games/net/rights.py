"""Rights that may end while a socket or a stream is open, such as that of a member of a club.

A subscriber joins a topic of its right before it reads what the right allows. Whoever ends a right calls
`ended`, and every process has these subscribers look again, which ends those that have lost it.
"""

from __future__ import annotations

from functools import partial

import orjson
from django.db import transaction

from games.net.hub import hub
from games.net.process import process
from games.net.tasks import spawn

ENDED = "right-ended"
"""Name of the message between processes."""


def ended(topic: str, user_id: int | None = None) -> None:
    """Have the subscribers of a topic look again, in every process, after the commit.

    Args:
        user_id: the user who has lost a right; None if any of them may have.
    """
    message = {"topic": topic, "user": user_id}
    transaction.on_commit(partial(hub.tell_everyone, ENDED, message), robust=True)


def _hear_ended(_topic: str, payload: bytes) -> None:
    told = orjson.loads(payload)
    for subscriber in hub.sockets(told["topic"]):
        if told["user"] in (None, subscriber.user_id):
            spawn(subscriber.look_again())


process.at_start(hub.listen, ENDED, _hear_ended)
