"""Push notifications of clubs: requests to join and their answers, announcements, offers, a new owner.

Requests and announcements are told by a background task, outside of requests and of the lock of the club.
Who gets them is asked then: a role that has ended brings none.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from functools import partial

from django.utils import timezone
from django.utils.translation import gettext

from games.domain import instants
from games.net.process import process
from games.net.tasks import Periodic
from games.net.threads import in_thread
from games.store import leases
from lobby.clubs import announcements, lookup
from lobby.clubs.models import Announcement, Club, JoinRequest, Membership
from lobby.notices.push_notifications import hourly, tell
from lobby.people import relationships
from lobby.people.models import User

logger = logging.getLogger(__name__)

EVERY = 30.0
"""Polling interval in seconds; what happens in this process is told at once."""
BATCH_SIZE = 20
"""Maximum requests, and announcements, per poll of one process."""
REMIND = timedelta(days=3)
"""Organisers are told again of a request that has waited so long, and then as often."""


def request_answered(club: Club, user: User, accepted: bool) -> None:
    """Notify a user that a request to join was accepted or declined."""

    def words() -> tuple[str, str]:
        said = gettext("You are now a member.") if accepted else gettext("Your request was declined.")
        return club.name, said

    now = timezone.now()
    tell(user.pk, f"{club.pk}.answer.{instants.milliseconds(now)}", club.get_absolute_url(), words, now)


def club_offered(club: Club, owner: User, user: User) -> None:
    """Notify a member to whom a club is offered, at most hourly."""

    def words() -> tuple[str, str]:
        offers = gettext("%(name)s wants to hand this club over to you. Accept or decline on its page.")
        return club.name, offers % {"name": owner.get_username()}

    now = timezone.now()
    tell(user.pk, hourly(f"{club.pk}.offer.", now), club.get_absolute_url(), words, now)


def club_inherited(club: Club, user: User) -> None:
    """Notify the new owner of a club."""

    def words() -> tuple[str, str]:
        return club.name, gettext("You now own the club.")

    now = timezone.now()
    tell(user.pk, f"{club.pk}.owner.{instants.milliseconds(now)}", club.get_absolute_url(), words, now)


def request(asked: JoinRequest) -> None:
    """Notify the owner and every organiser of a request to join, people with a block between them apart."""
    blocked, now = relationships.blocked_ids(asked.user_id), timezone.now()

    def words() -> tuple[str, str]:
        told = {"name": asked.user.get_username(), "club": asked.club.name}
        return gettext("%(name)s wants to join %(club)s") % told, asked.text or asked.club.name

    # A reminder after some days is another notification.
    id = f"{asked.club_id}.request.{asked.user_id}-{now:%Y%m%d}"
    for member_id in lookup.staff_ids(asked.club_id):
        if member_id not in blocked:
            tell(member_id, id, asked.club.get_absolute_url(), words, now)


def announcement(found: Announcement) -> None:
    """Notify the members of an announcement, except its author and people with a block between them."""
    members = Membership.objects.filter(club=found.club_id, user__is_active=True)
    with_device = members.filter(user__hooks__device__isnull=False).values_list("user", flat=True)
    unwanted = {found.author_id, *relationships.blocked_ids(found.author_id)}
    path, now = found.club.get_absolute_url(), timezone.now()
    for user_id in sorted(set(with_device) - unwanted):
        tell(user_id, f"{found.club_id}.news.{found.pk}", path, partial(_announced, found), now)
    announcements.told(found)


def _announced(found: Announcement) -> tuple[str, str]:
    return found.club.name, found.text


def take_requests(now: datetime, most: int) -> list[JoinRequest]:
    """Take at most `most` requests of which organisers are to be told; each is due again after `REMIND`."""
    keys = leases.take(JoinRequest.objects.order_by("due", "pk"), "due", now, now + REMIND, most)
    return list(JoinRequest.objects.filter(pk__in=keys).select_related("club", "user"))


async def tell_clubs() -> None:
    """Tell what clubs have to tell. What cannot be told is logged, and keeps nothing else waiting.

    Every process does this; each thing is told by one.
    """
    now = timezone.now()
    for asked in await in_thread(take_requests)(now, BATCH_SIZE):
        try:
            await in_thread(request)(asked)
        except Exception:
            # Organisers are reminded of it.
            logger.exception("nobody was told of a request to join", extra={"club": asked.club_id})
    for found in await in_thread(announcements.take)(now, BATCH_SIZE):
        try:
            await in_thread(announcement)(found)
        except Exception:
            logger.exception("members were not told of an announcement", extra={"club": found.club_id})
            await in_thread(announcements.failed)(found, now)


club_notices = process.part(Periodic, EVERY, tell_clubs)
