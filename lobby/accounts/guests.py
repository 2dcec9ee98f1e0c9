"""Guests, who play without registering. Signing up turns the same user into an account."""

from __future__ import annotations

import time
from collections.abc import Collection
from random import SystemRandom
from typing import Any

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth import login
from django.db import IntegrityError, transaction
from django.http import HttpRequest

from games.net.limits import Rate, limiter, network_of
from lobby.people import names, naming, preferences, signals
from lobby.people.models import User

NO_ADDRESS = "::"
"""Of guests no address is stored."""
DIGITS = (0, 0, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3)
"""Digits to add to the name, per try: none while plain names are free, then more."""


GUESTS = Rate(settings.GUESTS_PER_HOUR, 3600)
guests = limiter(GUESTS)
"""Rate limit of new guests per network: enough for a school, too few to fill the database."""


_names_chosen = limiter(settings.NAME_LIMIT)
"""Rate limit of renaming per guest: every change is broadcast."""


class TooManyGuests(Exception):
    """The network has reached its limit of new guests."""


class OutOfNames(Exception):
    """All names tried are taken: there are millions of guests, and old ones should be purged."""


class NameTaken(Exception):
    """Another user has this name, or one that looks alike; nothing was changed."""


class TooManyNames(Exception):
    """The guest has changed the name too often."""


def new_guest(**columns: Any) -> User:
    """Create a guest with an unused name, and with these columns. Raises `OutOfNames`."""
    chance = SystemRandom()
    for digits in DIGITS:
        try:
            # The unique constraint decides, so that two guests never get the same name.
            with transaction.atomic():
                name = names.propose(digits, chance)
                return User.objects.create_user(
                    name, is_guest=True, preferences=preferences.at_first(), **columns
                )
        except IntegrityError:
            continue
    raise OutOfNames


def person(request: HttpRequest, name: str = "") -> User:
    """The user who sent the request, or a new guest, not yet logged in.

    Args:
        name: the name that a visitor has typed; without it a guest gets one.

    Raises:
        TooManyGuests: the network has reached its limit; nothing was created.
        ValidationError: the name is invalid or taken; nothing was created, and the limit is as it was.
    """
    if request.user.is_authenticated:
        return request.user
    network = network_of(request)
    if name:
        return named(name, network)
    _take(network)
    return new_guest()


def named(name: str, network: str, first_name: str = "") -> User:
    """Create a guest with a name as typed.

    Args:
        network: whose limit it counts for.
        first_name: what people at an evening call them.

    Raises:
        TooManyGuests: the network has reached its limit; nothing was created.
        ValidationError: the name is invalid or taken; nothing was created, and the limit is as it was.
    """
    chosen = naming.choose(name)
    _take(network)
    return _guest_named(chosen, first_name)


def _take(network: str) -> None:
    if not guests.take(network, time.monotonic()):
        raise TooManyGuests


def _guest_named(name: str, first_name: str) -> User:
    try:
        with transaction.atomic():
            return User.objects.create_user(
                name, is_guest=True, first_name=first_name, preferences=preferences.at_first()
            )
    except IntegrityError:
        raise naming.taken() from None


def remember(request: HttpRequest, user: User) -> None:
    """Log `user` in, unless the request is theirs already, and note the session, to delete it with them.

    Call it after the commit that created the user: otherwise a rollback leaves a session without one.
    """
    if request.user != user:
        login(request, user, backend="lobby.auth.backends.PasswordBackend")
        # Of the sessions of accounts allauth notes more, for the list in their settings.
        UserSession.objects.create(user=user, session_key=request.session.session_key, ip=NO_ADDRESS)


def end_sessions(guest: User) -> None:
    """Log a guest out everywhere: sessions are bound to the password, which nobody has."""
    guest.set_unusable_password()
    guest.save(update_fields=["password"])


def guest_of(request: HttpRequest | None) -> User | None:
    """The guest who sent a request and may become an account, which pupils do not; or None."""
    user = getattr(request, "user", None)
    return user if isinstance(user, User) and user.is_guest and user.pupil_of_id is None else None


def among(user_ids: Collection[int]) -> frozenset[int]:
    """The guests among these users."""
    return frozenset(User.objects.filter(pk__in=user_ids, is_guest=True).values_list("pk", flat=True))


@transaction.atomic
def rename(guest_id: int, name: str, first_name: str = "") -> None:
    """Rename a guest; the name must be valid (`lobby.auth.forms.GuestNameForm`).

    Args:
        first_name: what people at an evening call them; "": the same.

    Raises `NameTaken`, also if the guest has become an account in another tab, or `TooManyNames`.
    """
    guest = User.objects.select_for_update().filter(pk=guest_id, is_guest=True, pupil_of=None).first()
    if guest is None:
        raise NameTaken
    before = guest.username
    if (name, first_name) == (before, guest.first_name):
        return
    if not _names_chosen.take(str(guest_id), time.monotonic()):
        raise TooManyNames
    guest.username, guest.first_name = name, first_name
    _save(guest)
    signals.renamed(guest, before)


@transaction.atomic
def make_account(user: User) -> None:
    """Save a user who signs up. A guest stays the same user and keeps all matches.

    Raises `NameTaken`, also if the guest has become an account in another tab.
    """
    guest = None
    if user.is_guest:
        guest = User.objects.select_for_update().filter(pk=user.pk, is_guest=True, pupil_of=None).first()
        if guest is None:
            raise NameTaken
    user.is_guest, user.first_name = False, ""
    user.preferences = {**preferences.at_first(), **user.preferences}
    _save(user)
    if guest is not None:
        signals.renamed(user, guest.username)


def _save(user: User) -> None:
    """Save a user with a new name; the unique constraint decides whether it is free."""
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError:
        raise NameTaken from None
