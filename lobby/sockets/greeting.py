"""The first message of the personal socket: everything that waits for its user.

Most users have nothing that waits. So one query finds out what there is, and another whose turn it is in the
user's matches; the rest is read only where there is something.
"""

from __future__ import annotations

from typing import Any

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

_USER = OuterRef("pk")
_found: PreparedQuery[Any] = PreparedQuery(
    lambda user_id: (
        User.objects.filter(pk=user_id)
        .only("muted_until", "mute_reason")
        .annotate(
            challenged=Exists(lobby_feed.invitations(_USER)),
            called=Exists(match_invites.asked_back(_USER)),
            has_next=Exists(next_matches.open_seats(_USER)),
            has_unread=Exists(conversations.unread_of(_USER)),
            seeks=Exists(queue.seek_of(_USER)),
        )
    ),
    User,
)
"""The mute of a user, and whether there is anything of each kind."""


def greeting(user_id: int) -> dict[str, Any]:
    """The message (`lobby.sockets.messages.Hello`), in the active language. Raises `User.DoesNotExist`."""
    found = _found.first(user_id)
    if found is None:
        raise User.DoesNotExist
    situation = queue.situation(user_id) if found.seeks else {"seek": None, "paired": None}
    waiting = history.waiting_for(user_id)
    return {
        "type": "hello",
        "challenges": lobby_feed.challenges_to(user_id) if found.challenged else [],
        "calls": match_invites.calls_to(user_id) if found.called else [],
        "next": next_matches.next_matches(user_id) if found.has_next else [],
        "muted": lines.mute_fields(found),
        "unread": conversations.unread(user_id) if found.has_unread else 0,
        **situation,
        "waiting": waiting,
        "left": turn_feed.left_in(waiting, timezone.now()) if waiting else {},
    }
