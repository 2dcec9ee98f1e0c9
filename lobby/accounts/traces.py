"""Which accounts share addresses or sessions, for moderators. The only module that writes `Trace`.

Stored are keyed hashes, with a key derived from SECRET_KEY: who has the database alone can read no address
from them. They are kept for `LIFETIME`. Addresses that stand for many people (`CROWDED_NETWORKS`) leave no
trace.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from contextlib import suppress
from datetime import timedelta
from typing import Any, NamedTuple

from django.db import IntegrityError
from django.utils import timezone
from django.utils.crypto import salted_hmac

from games.net.limits import CROWD, Rate, limiter
from lobby.accounts.models import Trace
from lobby.people.models import User

LIFETIME = timedelta(days=30)
"""Lifetime of a trace after it was last seen."""
MOST_OWN = 200
"""Maximum traces of a user, the newest, that are compared with those of others."""
MOST_SHARED = 50
"""Maximum traces of others that are shown."""
SALT = "lobby.accounts.traces"

_notes = limiter(Rate(1, 12 * 3600))
"""A process notes each trace at most twice a day."""


class Shared(NamedTuple):
    """That another user was seen at an address, or in a session, of a user."""

    other: User
    trace: Trace


def note(user_id: int, address: str, sessions: Iterable[str]) -> None:
    """Note where a user is.

    Args:
        user_id: the user.
        address: the user's network (`games.net.limits.address_key`).
        sessions: keys of sessions; at a log-in also of the one that the browser had before.
    """
    now = timezone.now()
    known = [(Trace.Kind.ADDRESS, address if CROWD not in address else "")]
    known += [(Trace.Kind.SESSION, session) for session in sessions]
    traces = [
        Trace(user_id=user_id, kind=kind, digest=_digest(kind, text), first=now, seen=now)
        for kind, text in known
        if text
    ]
    fresh = [each for each in traces if _notes.take(f"{user_id} {each.digest}", time.monotonic())]
    # A user who was deleted meanwhile leaves none.
    with suppress(IntegrityError):
        Trace.objects.bulk_create(
            fresh, update_conflicts=True, update_fields=["seen"], unique_fields=["user", "kind", "digest"]
        )


def shared(user: User) -> list[Shared]:
    """The users who share traces with a user, sessions first, then the newest; at most `MOST_SHARED`."""
    since = timezone.now() - LIFETIME
    own = Trace.objects.filter(user=user, seen__gt=since).order_by("-seen")
    digests = list(own.values_list("digest", flat=True)[:MOST_OWN])
    others = Trace.objects.filter(digest__in=digests, seen__gt=since).exclude(user=user)
    found = others.select_related("user").order_by("-kind", "-seen")[:MOST_SHARED]
    return [Shared(each.user, each) for each in found]


def purge() -> None:
    """Delete the traces that have expired."""
    Trace.objects.filter(seen__lte=timezone.now() - LIFETIME).delete()


def export(user: User) -> list[dict[str, Any]]:
    """A user's traces for the data export: when, but not the hashes, which say nothing to the user."""
    found = Trace.objects.filter(user=user).order_by("pk")
    return [{"kind": each.kind, "first": each.first, "seen": each.seen} for each in found]


def forget(user_id: int) -> None:
    """Delete the traces of a user whose account is deleted."""
    Trace.objects.filter(user=user_id).delete()


def _digest(kind: str, text: str) -> str:
    return salted_hmac(SALT, f"{kind} {text}", algorithm="sha256").hexdigest()
