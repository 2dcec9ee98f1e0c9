"""Events for API clients, stored for a while so that a stream can resume where it broke off.

The only module that writes `Event`. An event is stored in the transaction that causes it (the beginning of
a match in one right after it), and only for users who have a token. The row of `News` is the lock that makes
the order of commits that of the ids: a client that has read all events up to an id misses none below it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import timedelta
from functools import partial
from typing import Any

from django.db import transaction
from django.utils import timezone

from games.domain.instants import timestamp
from games.net.hub import Frame, hub
from games.store.prepared import PreparedQuery
from lobby.tables.models import News
from lobby.tokens.models import Event, Token

LIFETIME = timedelta(days=7)
NEWS = "event"
"""Type of the hub message that tells a user's clients to read new events from the store."""
_with_tokens = PreparedQuery(
    lambda *users: Token.objects.filter(user__in=users).order_by().values_list("user")
)
WAKE = Frame.of({"type": NEWS})


def topic(user_id: int) -> str:
    """The hub topic of a user's API clients."""
    return f"events.{user_id}"


def note(users: Iterable[int], data: dict[str, Any]) -> None:
    """Store an event for the API clients of these users (an `lobby.api.messages.Event` without its id).

    Call it late in a transaction: it locks the row of `News`.
    """
    note_each([(users, data)])


def note_each(told: Iterable[tuple[Iterable[int], dict[str, Any]]]) -> None:
    """`note` of several events, each for its own users."""
    concerned = [(set(users), data) for users, data in told]
    everybody = {user for users, _data in concerned for user in users}
    with_tokens = {user for (user,) in _with_tokens(*everybody)} if everybody else set()
    if with_tokens:
        _note([(user, data) for users, data in concerned for user in sorted(users & with_tokens)])


@transaction.atomic
def _note(told: Sequence[tuple[int, dict[str, Any]]]) -> None:
    News.objects.get_or_create(pk=1)
    News.objects.select_for_update().get(pk=1)
    for user_id, data in told:
        Event.objects.create(user_id=user_id, data=data)
    for user_id in sorted({user_id for user_id, _data in told}):
        transaction.on_commit(partial(hub.announce, topic(user_id), {"type": NEWS}), robust=True)
    Event.objects.filter(at__lt=timezone.now() - LIFETIME).delete()


def since(user_id: int, after: int) -> list[dict[str, Any]]:
    """A user's events with ids above `after`, oldest first."""
    return [fields(event) for event in Event.objects.filter(user=user_id, pk__gt=after)]


def last(user_id: int) -> int:
    """The id of a user's last event; 0 if there is none."""
    return Event.objects.filter(user=user_id).order_by("-pk").values_list("pk", flat=True).first() or 0


def forget(user_id: int) -> None:
    """Delete the events of a user whose account is deleted."""
    Event.objects.filter(user=user_id).delete()


def fields(event: Event) -> dict[str, Any]:
    """An event as sent to clients."""
    return {**event.data, "id": event.pk, "at": timestamp(event.at)}
