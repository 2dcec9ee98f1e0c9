"""Appeals against bans and mutes, which moderators decide (`lobby.moderation.moderation`).

A banned user has no valid session. The page of the ban contains a token that identifies the user. Accounts
see it after a login, guests on every page.
"""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.core import signing
from django.db import transaction
from django.utils import timezone

from games.domain import texts
from games.domain.refusals import Refused
from games.rules.base import gettext_noop
from lobby.appeals.models import Appeal
from lobby.chat.lines import mute_of
from lobby.chat.models import REASON_LENGTH
from lobby.people.models import User

SALT = "appeal"
TOKEN_SECONDS = 3600
"""Lifetime of the form in seconds."""
PERIOD = timedelta(days=30)


class AppealError(Refused):
    """A refused appeal."""


class Expired(AppealError):
    """The form was opened too long ago, or its account is deleted."""

    code, status = "expired", 403
    sentence = gettext_noop("This form has expired. Log in again to appeal.")


class NotBanned(AppealError):
    """The ban has ended or was lifted."""

    code, status = "not-banned", 409
    sentence = gettext_noop("You are no longer banned.")


class NotMuted(AppealError):
    """The mute has ended or was lifted."""

    code, status = "not-muted", 409
    sentence = gettext_noop("You are no longer muted.")


class Empty(AppealError):
    """The appeal has no text."""

    code, status = "empty", 422
    sentence = gettext_noop("Explain why it is wrong.")


class TooLong(AppealError):
    """The appeal is longer than `most` characters."""

    code, status = "too-long", 422
    sentence = gettext_noop("An appeal can have at most %(most)d characters.")


class TooManyAppeals(AppealError):
    """The user has appealed too often this month."""

    code, status = "too-many-appeals", 429
    sentence = gettext_noop("You have sent several appeals recently. You can send another next month.")
    headers = {"Retry-After": "86400"}


def token_for(person: User) -> str:
    """A token that lets a banned user appeal, issued after a login."""
    return signing.dumps(person.pk, salt=SALT)


def person_of(token: str) -> User:
    """The user of a token.

    Raises:
        AppealError: "expired", also for an invalid token.
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
def appeal(person: User, text: str, against: Appeal.Against = Appeal.Against.BAN) -> Appeal:
    """Send an appeal to the moderators; an open one against the same is returned unchanged.

    Args:
        person: the user who is banned or muted.
        text: why that is wrong, in the user's words.
        against: which of the two the appeal is against.

    Raises:
        AppealError: "not-banned", "not-muted", "empty", "too-long" or "too-many-appeals".
    """
    # Lock the user's row, so that two concurrent requests cannot create two appeals.
    person = User.objects.select_for_update().get(pk=person.pk)
    if against == Appeal.Against.BAN and person.is_active:
        raise NotBanned
    if against == Appeal.Against.MUTE and mute_of(person) is None:
        raise NotMuted
    mine = Appeal.objects.filter(user=person)
    waiting = mine.filter(against=against, verdict=Appeal.Verdict.OPEN).first()
    if waiting is not None:
        return waiting
    words = texts.cleaned(text)
    if not words:
        raise Empty
    if len(words) > REASON_LENGTH:
        raise TooLong(most=REASON_LENGTH)
    if mine.filter(created__gt=timezone.now() - PERIOD).count() >= settings.APPEALS_PER_MONTH:
        raise TooManyAppeals
    return Appeal.objects.create(user=person, against=against, text=words, reason=_reason(person, against))


def latest(person: User, against: Appeal.Against) -> Appeal | None:
    """The last appeal against the current ban or mute."""
    mine = Appeal.objects.filter(user=person, against=against)
    return mine.filter(reason=_reason(person, against)).first()


def _reason(person: User, against: Appeal.Against) -> str:
    return person.ban_reason if against == Appeal.Against.BAN else person.mute_reason


def forget(user_id: int) -> None:
    """Delete the appeals of a user whose account is deleted."""
    Appeal.objects.filter(user=user_id).delete()
