"""Signals of the lobby.

The service that changes something sends its signal in the same transaction, so a handler that fails rolls
the change back. `lobby.signal_handlers.connect` lists the handlers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from games.models import Match
from games.rules.base import Outcome
from games.signals import Signal
from lobby.clubs.models import Club
from lobby.inbox.models import Message
from lobby.people.models import User
from lobby.ratings.models import Result
from lobby.tables.models import Table
from lobby.tournaments.models import Pairing, Tournament


class Settled(NamedTuple):
    """A finished match, and its players' results by seat."""

    match: Match
    outcome: Outcome
    results: Sequence[Result]


silenced = Signal[[User], None]()
"""A user has muted or blocked another one, or no longer does."""
table_changed = Signal[[Table], None]()
"""A table is new, or its chairs have changed."""
chair_taken = Signal[[Table, User], None]()
"""A user sat down at a table; if it was the last chair, the table has a match now."""
chair_left = Signal[[Table, User], None]()
"""A user left a table."""
table_gone = Signal[[Table], None]()
"""A table is about to be deleted."""
challenged = Signal[[Table], None]()
"""A challenge was made; notify the challenged user."""
challenge_declined = Signal[[Table], None]()
"""A challenge was declined; `table_gone` follows."""
message_sent = Signal[[Message], None]()
"""A user has written to another; the message has both users read."""
renamed = Signal[[User, str], None]()
"""A user was renamed, with the old name; a guest who signs up may keep the name."""
forgotten = Signal[[int], None]()
"""Everything about a user, by id, is being deleted but their matches; in the same transaction."""
matches_settled = Signal[[Sequence[Settled]], None]()
"""The results of these matches were stored."""
tournament_changed = Signal[[Tournament], None]()
"""The entries, the state or the pairings of a tournament have changed."""
terms_changed = Signal[[Tournament, User], None]()
"""A tournament has changed so that a player who is in could not enter it now, or loses a bye."""
tournament_started = Signal[[Tournament], None]()
"""A tournament has begun."""
tournament_paired = Signal[[Tournament, Sequence[Pairing]], None]()
"""Matches of a tournament have begun, or its byes are known; the pairings have their seats read."""
tournament_finished = Signal[[Tournament], None]()
"""A tournament is over, or was cancelled."""
next_match = Signal[[Pairing], None]()
"""The match of a pairing has begun; tell its players. After the commit; it may be sent again."""
turns_came = Signal[[Mapping[str, int], datetime], None]()
"""Players' turns came, given as user id by match; they may have moved since. Sent in a thread."""
member_gone = Signal[[Club, User], None]()
"""A user is no member of a club any more; the club is locked."""
club_closing = Signal[[Club], None]()
"""A club is about to be deleted; it is locked."""
notices_due = Signal[[], None]()
"""A club has something to tell: an announcement, or a request to join. After the commit."""
request_answered = Signal[[Club, User, bool], None]()
"""The request of a user to join a club was accepted, or not."""
club_offered = Signal[[Club, User, User], None]()
"""The owner of a club offers it to a member."""
club_inherited = Signal[[Club, User], None]()
"""A user owns a club now that another one owned."""
