"""What programs are told is kept for a while, so that a stream goes on where it was cut off.

Nobody else writes events. They are stored in the transaction that makes them, the beginning of a match in
one right after it, for people who have a token and for nobody else. The row of the lobby's news is the
lock that puts ids in the order of the commits: a program that has read all events up to an id will never
find a lower one that it does not know.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from functools import partial
from typing import Any

from django.db import transaction
from django.utils import timezone

from games.domain.instants import timestamp
from games.net.connection import Frame
from games.net.hub import hub
from games.store.prepared import PreparedQuery
from lobby.models import Event, News, Token

KEPT = timedelta(days=7)
NEWS = "event"
"""What the hub says to a person's programs: there is another event, to be read from the store."""
_with_tokens = PreparedQuery(
    lambda *users: Token.objects.filter(user__in=users).order_by().values_list("user")
)
WAKE = Frame.of({"type": NEWS})


def topic(user_id: int) -> str:
    """The hub's topic of a person's programs."""
    return f"events.{user_id}"


def note(users: Iterable[int], data: dict[str, Any]) -> None:
    """Tell the programs of these people something (one of `lobby.api.messages.Event` without its id).

    Call it late in a transaction: it locks what the lobby's news lock.
    """
    concerned = set(users)
    people = sorted({user for (user,) in _with_tokens(*concerned)}) if concerned else []
    if people:
        _note(people, data)


@transaction.atomic
def _note(people: list[int], data: dict[str, Any]) -> None:
    News.objects.get_or_create(pk=1)
    News.objects.select_for_update().get(pk=1)
    for user_id in people:
        Event.objects.create(user_id=user_id, data=data)
        transaction.on_commit(partial(hub.announce, topic(user_id), {"type": NEWS}), robust=True)
    Event.objects.filter(at__lt=timezone.now() - KEPT).delete()


def since(user_id: int, after: int) -> list[dict[str, Any]]:
    """Somebody's events with ids above `after`, the oldest first."""
    return [fields(event) for event in Event.objects.filter(user=user_id, pk__gt=after)]


def last(user_id: int) -> int:
    """The id of somebody's last event, 0 if there is none."""
    return Event.objects.filter(user=user_id).order_by("-pk").values_list("pk", flat=True).first() or 0


def forget(user_id: int) -> None:
    """Delete the events of somebody who leaves."""
    Event.objects.filter(user=user_id).delete()


def fields(event: Event) -> dict[str, Any]:
    """An event as it goes over the wire."""
    return {**event.data, "id": event.pk, "at": timestamp(event.at)}
