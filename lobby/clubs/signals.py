"""Signals about clubs and their members."""

from __future__ import annotations

from games.signals import Signal
from lobby.clubs.models import Club
from lobby.people.models import User

member_gone = Signal[[Club, User], None]()
"""A user is no member of a club any more; the club is locked."""
club_closing = Signal[[Club, User], None]()
"""A club with its last owner is about to be deleted; it is locked."""
notices_due = Signal[[], None]()
"""A club has something to tell: an announcement, or a request to join. After the commit."""
request_answered = Signal[[Club, User, bool], None]()
"""The request of a user to join a club was accepted, or not."""
club_offered = Signal[[Club, User, User], None]()
"""The owner of a club offers it to a member."""
club_inherited = Signal[[Club, User], None]()
"""A user owns a club now that another one owned."""
