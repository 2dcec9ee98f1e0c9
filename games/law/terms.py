"""What players agree on beside the rules: the clock, whether the match is rated, and who may watch."""

from __future__ import annotations

from dataclasses import dataclass

LONGEST_DELAY = 3600
"""Seconds: watchers are never further behind than an hour."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a match; a rematch has the same.

    Attributes:
        clock: "" for none, else the notation of the clock, such as "5+3".
        rated: whether the lobby counts the result; the match itself does not care.
        watchable: whether others than the players may look on.
        delay: seconds by which they see everything later.
    """

    clock: str = ""
    rated: bool = False
    watchable: bool = True
    delay: int = 0


FRIENDLY = Terms()
"""No clock, casual, open to everyone."""
