"""Announcements of clubs to their members. Writes `Announcement`.

Members are notified later, of rows that are `due`: every process takes some under a lease
(`games.store.leases`), so nothing is lost with a process.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from games.domain import texts
from games.store import leases
from lobby.chat import lines
from lobby.clubs import lookup, refusals, signals
from lobby.clubs.lookup import DAY, Role
from lobby.clubs.models import ANNOUNCEMENT_LENGTH, Announcement
from lobby.commands import once, record
from lobby.people.models import User

LEASE = timedelta(minutes=5)
"""For how long an announcement belongs to the process that notifies members of it."""
TRIED = timedelta(hours=1)
"""For how long notifying members of an announcement is tried again after failures."""


@once("club-announce", "club_id")
def announce(organiser: User, club_id: str, text: str, command: str) -> None:
    """Announce something to all members. They are notified after the commit.

    Raises:
        ClubError: "unknown-club", "not-member", "not-organiser", "bad-announcement" or
            "too-many-announcements".
        ChatError: "muted" or "chat-off".
    """
    club = lookup.locked(club_id)
    lookup.needs(club, organiser, Role.ORGANISER)
    lines.check_author(organiser, talk=True)
    words = texts.cleaned(text)
    if not 0 < len(words) <= ANNOUNCEMENT_LENGTH:
        raise refusals.BadAnnouncement(most=ANNOUNCEMENT_LENGTH)
    today = Announcement.objects.filter(club=club, created__gt=timezone.now() - DAY)
    if today.count() >= settings.CLUB_ANNOUNCEMENTS_PER_DAY:
        raise refusals.TooManyAnnouncements
    Announcement.objects.create(club=club, author=organiser, text=words, due=timezone.now())
    record(organiser, "club-announce", club.pk)
    transaction.on_commit(signals.notices_due, robust=True)


@once("club-withdraw", "club_id")
def withdraw(organiser: User, club_id: str, number: int, command: str) -> None:
    """Delete an announcement.

    Raises:
        ClubError: "unknown-club", "not-member", "not-organiser" or "unknown-announcement".
    """
    club = lookup.locked(club_id)
    lookup.needs(club, organiser, Role.ORGANISER)
    gone, _by_model = Announcement.objects.filter(club=club, pk=number).delete()
    if not gone:
        raise refusals.UnknownAnnouncement
    record(organiser, "club-withdraw", club.pk)


# For `lobby.clubs.notices`


def take(now: datetime, most: int) -> list[Announcement]:
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
