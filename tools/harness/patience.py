"""Timeouts for a machine that may be busy."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

CPU_MAX = Path("/sys/fs/cgroup/cpu.max")
MAX_FACTOR = 6.0
SPARE = 4.0
"""What `within` allows beyond the patience for a busy machine."""


def cores() -> float:
    """The cores available to this process; a container may limit them."""
    usable = float(len(os.sched_getaffinity(0)))
    with contextlib.suppress(OSError, ValueError):
        quota, period = CPU_MAX.read_text().split()
        # "max" means no limit.
        usable = min(usable, int(quota) / int(period))
    return usable


CORES = cores()


def patience(seconds: float) -> float:
    """The timeout for a task of at most `seconds` on an idle machine: up to six times that under load."""
    return seconds * min(max(1.0, os.getloadavg()[0] / CORES), MAX_FACTOR)


def wait_until(true: Callable[[], object], what: str, seconds: float = 60.0) -> None:
    """Poll until `true()`.

    Args:
        true: the condition.
        what: its name in the error message.
        seconds: timeout on an idle machine.

    Raises:
        AssertionError: the condition was not true in time.
    """
    seconds = patience(seconds)
    deadline, pause = time.monotonic() + seconds, 0.02
    while not true():
        if time.monotonic() > deadline:
            raise AssertionError(f"{what} did not happen within {seconds:.0f} s")
        time.sleep(pause)
        # The condition may cost as much as a page.
        pause = min(pause * 1.2, 0.25)


@contextlib.contextmanager
def within(seconds: float) -> Iterator[None]:
    """Raise AssertionError if the block takes far longer than the expected `seconds`.

    It tells a limit that works from one that does not, and measures nothing: the load average follows
    the load by a minute, so there is room beyond `patience`.
    """
    begun = time.monotonic()
    yield
    took, most = time.monotonic() - begun, SPARE * patience(seconds)
    assert took < most, f"it took {took:.1f} s of {most:.1f}"
