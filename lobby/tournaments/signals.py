"""Signals about tournaments."""

from __future__ import annotations

from collections.abc import Sequence

from games.signals import Signal
from lobby.clubs.models import Club
from lobby.people.models import User
from lobby.tournaments.models import Pairing, Tournament

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
club_invited = Signal[[Tournament, Club, User], None]()
"""A leader of the club that organises a tournament of clubs has invited another club."""
club_answered = Signal[[Tournament, Club, bool], None]()
"""A club that was invited to a tournament has accepted, or declined."""
next_match = Signal[[Pairing], None]()
"""The match of a pairing has begun; tell its players. After the commit; it may be sent again."""
