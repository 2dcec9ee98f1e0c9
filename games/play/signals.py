"""What is announced of matches to those who live above this room; `lobby.signal_handlers` connects them."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping

from games.domain.terms import Terms
from games.rules.base import Seat
from games.signals import Signal

match_begun = Signal[[str], None]()
"""A match began, whoever called `create`; its id. It is announced after the commit, in its thread."""
match_over = Signal[[str, Terms], Awaitable[None]]()
"""A match ended; its id and its terms."""
match_saved = Signal[[str, Terms], Awaitable[None]]()
"""A match was put away for later; its id and its terms."""
match_resumed = Signal[[str, Terms], Awaitable[None]]()
"""A saved match goes on; its id and its terms."""
call_changed = Signal[[str], Awaitable[None]]()
"""Somebody asks the others back to a match that is saved or over, or no longer does; its id."""
rated_rematch_wanted = Signal[[int], None]()
"""Somebody, by user id, is about to ask for a rated rematch; who objects raises `Refused`. In a thread."""
turn_passed = Signal[[str, Mapping[int, Seat], int | None], None]()
"""A ply of this process passed the turn on or ended the match.

Listeners are given the id of the match, its seats by user id, and the id of the user who is to move, if
any. They are on the path of every ply, so they only take a note, and never fail.
"""
guests_among = Signal[[frozenset[int]], frozenset[int]]()
"""Which of some users are guests, who are waited for less long; by user id. In a thread."""
