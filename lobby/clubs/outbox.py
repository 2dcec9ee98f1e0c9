"""What clubs have to tell and have not told yet: rows that are `due`.

Every process takes due rows under a lease (`games.store.leases`), so nothing is lost with a process, and
nobody waits for notifications in a request or holds a club meanwhile.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from games.store import leases
from lobby.clubs.models import Announcement, JoinRequest

REMIND = timedelta(days=3)
"""Organisers are told again of a request that has waited so long, and then as often."""
LEASE = timedelta(minutes=5)
"""For how long an announcement belongs to the process that notifies members of it."""
TRIED = timedelta(hours=1)
"""For how long notifying members of an announcement is tried again after failures."""


def take_requests(now: datetime, most: int) -> list[JoinRequest]:
    """Take at most `most` requests of which organisers are to be told; each is due again after `REMIND`."""
    keys = leases.take(JoinRequest.objects.order_by("due", "pk"), "due", now, now + REMIND, most)
    return list(JoinRequest.objects.filter(pk__in=keys).select_related("club", "user"))


def take_announcements(now: datetime, most: int) -> list[Announcement]:
    """Take at most `most` announcements of which members are to be notified."""
    keys = leases.take(Announcement.objects.order_by("due", "pk"), "due", now, now + LEASE, most)
    return list(Announcement.objects.filter(pk__in=keys).select_related("club"))


def told(announcement: Announcement) -> None:
    """Note that members were notified of an announcement, or that it is not tried again."""
    Announcement.objects.filter(pk=announcement.pk).update(due=None)


def failed(announcement: Announcement, now: datetime) -> None:
    """Note that members could not be notified of an announcement: it is tried again, but not for ever."""
    if announcement.created < now - TRIED:
        told(announcement)
