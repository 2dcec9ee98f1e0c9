"""Announcements of clubs to their members. Writes `Announcement`."""

from __future__ import annotations

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from games.domain import texts
from lobby.chat import lines
from lobby.clubs import actions, lookup, refusals, signals
from lobby.clubs.lookup import DAY, Role
from lobby.clubs.models import ANNOUNCEMENT_LENGTH, Announcement
from lobby.commands import once
from lobby.people.models import User


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
    actions.log(club, organiser, "announce")
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
    actions.log(club, organiser, "withdraw")
