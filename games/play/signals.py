"""Signals about matches for higher layers. `lobby.signal_handlers` connects them."""

from __future__ import annotations

from collections.abc import Awaitable, Collection, Mapping, Sequence
from datetime import datetime

from django.contrib.auth.models import AbstractBaseUser

from games.domain.clock import Period
from games.domain.terms import Terms
from games.models import Match
from games.rules.base import Seat
from games.signals import Signal

match_wanted = Signal[[Sequence[AbstractBaseUser], Terms], Terms]()
"""Users are about to begin a match, or one of them to host one at a device, on these terms. Returns the terms
on which they may. Receivers may veto by `Refused`."""
matches_begun = Signal[[Sequence[Match]], None]()
"""Matches have begun in one transaction, with their tables, seatings and users read; hot-seat matches are
left out: all players are present. Sent after the commit, in the thread of the transaction."""
match_over = Signal[[str, Terms], Awaitable[None]]()
"""A match has ended; its id and its terms."""
match_saved = Signal[[str, Terms], Awaitable[None]]()
"""A match was saved to be resumed later; its id and its terms."""
match_resumed = Signal[[str, Terms], Awaitable[None]]()
"""A saved match was resumed; its id and its terms."""
call_changed = Signal[[str], Awaitable[None]]()
"""A player calls the others back to a saved or finished match, or stops doing so; the match id."""
rated_rematch_wanted = Signal[[int], None]()
"""A user, by id, is about to ask for a rated rematch. Receivers may veto by `Refused`. Runs in a thread."""
turn_passed = Signal[[str, Mapping[int, Seat], int | None, datetime | None], None]()
"""A ply of this process passed the turn on or ended the match.

Arguments: the match id, the seats by user id, the id of the user who is to move, if any, and when their time
is up, if ever. Receivers run for every ply, so they must be fast and must not fail.
"""
guests_among = Signal[[frozenset[int]], frozenset[int]]()
"""Which of the given users, by id, are guests; their timeouts are shorter. Runs in a thread."""
vacations_of = Signal[[str, Collection[int]], Mapping[int, Sequence[Period]]]()
"""Which vacations of the given users, by id, count in a match with days per move: by user, in order of time.
Runs in a thread."""
