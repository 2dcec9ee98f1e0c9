"""Appeals against bans, for moderators to decide (`lobby.moderation.moderation`).

Somebody who is banned is not signed in. The page of the ban, which follows a log-in, has a token that stands
for them.
"""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.core import signing
from django.db import transaction
from django.utils import timezone

from games.domain.refusals import Refused
from games.rules.base import gettext_noop
from lobby.chat.lines import cleaned
from lobby.models import REASON_LENGTH, Appeal, User

SALT = "appeal"
TOKEN_SECONDS = 3600
"""For how long the form can be sent."""
PERIOD = timedelta(days=30)


class AppealError(Refused):
    """An appeal that was not taken."""


class Expired(AppealError):
    code, status = "expired", 403
    sentence = gettext_noop("This form has expired. Log in again to appeal.")


class NotBanned(AppealError):
    code, status = "not-banned", 409
    sentence = gettext_noop("You are not banned any more. Log in again.")


class Empty(AppealError):
    code, status = "empty", 422
    sentence = gettext_noop("Say why the ban is wrong.")


class TooLong(AppealError):
    code, status = "too-long", 422
    sentence = gettext_noop("An appeal has %(most)d characters at most.")


class TooMany(AppealError):
    code, status = "too-many-appeals", 429
    sentence = gettext_noop("You have sent several appeals lately. You can send another one next month.")
    headers = {"Retry-After": "86400"}


def token_for(person: User) -> str:
    """What lets somebody appeal who has just logged in and is banned."""
    return signing.dumps(person.pk, salt=SALT)


def person_of(token: str) -> User:
    """The person whom a token stands for.

    Raises:
        AppealError: "expired", also for what is no token.
    """
    try:
        user_id = signing.loads(token, salt=SALT, max_age=TOKEN_SECONDS)
    except signing.BadSignature:
        raise Expired from None
    person = User.objects.filter(pk=user_id, is_deleted=False).first()
    if person is None:
        raise Expired
    return person


@transaction.atomic
def appeal(person: User, text: str) -> Appeal:
    """Tell the moderators why a ban is wrong. An appeal that is open already stays as it is.

    Raises:
        AppealError: "not-banned", "empty", "too-long" or "too-many-appeals".
    """
    # The person's own row is the lock: two requests at once must not make two appeals.
    person = User.objects.select_for_update().get(pk=person.pk)
    if person.is_active:
        raise NotBanned
    mine = Appeal.objects.filter(user=person)
    waiting = mine.filter(verdict=Appeal.Verdict.OPEN).first()
    if waiting is not None:
        return waiting
    words = cleaned(text)
    if not words:
        raise Empty
    if len(words) > REASON_LENGTH:
        raise TooLong(most=REASON_LENGTH)
    if mine.filter(created__gt=timezone.now() - PERIOD).count() >= settings.APPEALS_PER_MONTH:
        raise TooMany
    return Appeal.objects.create(user=person, text=words, ban_reason=person.ban_reason)


def latest(person: User) -> Appeal | None:
    """The last appeal against the ban that holds now."""
    return Appeal.objects.filter(user=person, ban_reason=person.ban_reason).first()


def forget(user_id: int) -> None:
    """Delete the appeals of somebody who leaves."""
    Appeal.objects.filter(user=user_id).delete()
