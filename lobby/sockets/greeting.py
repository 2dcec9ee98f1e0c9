"""The first message of the personal socket: everything that waits for its user.

Most users have nothing that waits. So one query finds out what there is, and another whose turn it is in the
user's matches; the rest is read only where there is something.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef
from django.utils import timezone

from games.store import history
from games.store.prepared import PreparedQuery
from lobby.chat import lines
from lobby.feed import lobby_feed, match_invites, turn_feed
from lobby.inbox import conversations
from lobby.pairing import queue
from lobby.people.models import User
from lobby.tournaments import next_matches


class _Found(NamedTuple):
    """The mute of a user, and whether there is anything of each kind."""

    muted_until: datetime | None
    mute_reason: str
    challenges: bool
    calls: bool
    next: bool
    unread: bool
    seek: bool


_USER = OuterRef("pk")
_found = PreparedQuery(
    lambda user_id: User.objects.filter(pk=user_id).values_list(
        "muted_until",
        "mute_reason",
        Exists(lobby_feed.invitations(_USER)),
        Exists(match_invites.asked_back(_USER)),
        Exists(next_matches.open_seats(_USER)),
        Exists(conversations.unread_of(_USER)),
        Exists(queue.seek_of(_USER)),
    )
)


def greeting(user_id: int) -> dict[str, Any]:
    """The message (`lobby.sockets.messages.Hello`), in the active language."""
    found = _Found(*_found(user_id)[0])
    muted = User(muted_until=found.muted_until, mute_reason=found.mute_reason)
    situation = queue.situation(user_id) if found.seek else {"seek": None, "paired": None}
    waiting = history.waiting_for(user_id)
    return {
        "type": "hello",
        "challenges": lobby_feed.challenges_to(user_id) if found.challenges else [],
        "calls": match_invites.calls_to(user_id) if found.calls else [],
        "next": next_matches.next_matches(user_id) if found.next else [],
        "muted": lines.mute_fields(muted),
        "unread": conversations.unread(user_id) if found.unread else 0,
        **situation,
        "waiting": waiting,
        "left": turn_feed.left_in(waiting, timezone.now()) if waiting else {},
    }
