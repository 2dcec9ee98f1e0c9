"""A monotonic clock for pings and deadlines; `config.daphne.reactor` gives Twisted the same.

daphne uses the time of day. If it were set back by an hour, half-open peers would stay for an
hour. If it were set forward, everybody would be disconnected.

Importing this module installs a reactor if there is none.
"""

from __future__ import annotations

import time
from typing import Any

from daphne import http_protocol, server, ws_protocol

MODULES: tuple[Any, ...] = (http_protocol, server, ws_protocol)
"""daphne's modules that read the time of day, each only to measure durations."""


class MonotonicTime:
    """The replacement for `time` in these modules."""

    time = staticmethod(time.monotonic)


def install() -> None:
    """Have daphne use the monotonic clock. Call it before any timer is set."""
    for module in MODULES:
        module.time = MonotonicTime
