"""Pings and deadlines by a clock that never jumps.

daphne and Twisted go by the time of day. Set back by an hour, it would have kept every dead peer for that
hour, and set forward it would have cut everybody off at once.

Importing this installs Twisted's reactor.
"""

from __future__ import annotations

import time
from typing import Any

from daphne import http_protocol, server, ws_protocol
from twisted.internet import reactor

FOLLOW: tuple[Any, ...] = (http_protocol, server, ws_protocol)
"""daphne's modules that ask what time it is, and only to see how long something has taken."""


class Steady:
    """What these modules know as `time`."""

    time = staticmethod(time.monotonic)


def go_by_it() -> None:
    """Have daphne and Twisted go by it; before anything is timed."""
    for module in FOLLOW:
        module.time = Steady
    timed: Any = reactor
    timed.seconds = time.monotonic
