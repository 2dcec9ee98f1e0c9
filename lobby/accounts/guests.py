"""Guests, who play without registering, and how they become accounts: the same user, another name."""

from __future__ import annotations

import time
from collections.abc import Collection
from random import SystemRandom

from django.conf import settings
from django.contrib.auth import login
from django.db import IntegrityError, transaction
from django.http import HttpRequest

from games.net.limits import Buckets, Rate, network_of
from lobby import signals
from lobby.models import User, names
from lobby.people import preferences

DIGITS = (0, 0, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3)
"""How many digits each try at a name adds: none while plain names are free, then more and more."""

GUESTS = Rate(settings.GUESTS_PER_HOUR, 3600)
guests = Buckets.at(GUESTS)
"""New guests by address: enough for a school behind one, too few to fill the database."""


_names_chosen = Buckets.at(settings.NAME_LIMIT)
"""New names by guest: every change is told to all who see the name."""


class TooManyGuests(Exception):
    """An address asked for more guests than it may have; for now it gets no more."""


class OutOfNames(Exception):
    """Every name that was tried is taken: there are millions of guests, and old ones want purging."""


class NameTaken(Exception):
    """Somebody else has this name, or one that looks like it; nothing has changed."""


class TooManyNames(Exception):
    """A guest chose another name three times just now."""


def new_guest() -> User:
    """A guest with a name nobody else has. Raises `OutOfNames`."""
    chance = SystemRandom()
    for digits in DIGITS:
        try:
            # The database decides who has a name, so that two guests never get the same.
            with transaction.atomic():
                name = names.propose(digits, chance)
                return User.objects.create_user(name, is_guest=True, preferences=preferences.at_first())
        except IntegrityError:
            continue
    raise OutOfNames


def person(request: HttpRequest) -> User:
    """The person who sent the request, or a new guest, who is not signed in yet. Raises `TooManyGuests`."""
    if request.user.is_authenticated:
        return request.user
    if not guests.take(network_of(request), time.monotonic()):
        raise TooManyGuests
    return new_guest()


def remember(request: HttpRequest, user: User) -> None:
    """Sign `user` in, unless it is who sent the request.

    Call it after the commit of what made the user: a session must not outlive its user.
    """
    if request.user != user:
        login(request, user, backend="lobby.auth.backends.PasswordBackend")


def guest_of(request: HttpRequest | None) -> User | None:
    """The guest who sent a request, if it was one."""
    user = getattr(request, "user", None)
    return user if isinstance(user, User) and user.is_guest else None


def among(user_ids: Collection[int]) -> frozenset[int]:
    """Those of some users who are guests."""
    return frozenset(User.objects.filter(pk__in=user_ids, is_guest=True).values_list("pk", flat=True))


@transaction.atomic
def rename(guest_id: int, name: str) -> None:
    """Give a guest the name that they chose, which is well spelled (`lobby.auth.forms.GuestNameForm`).

    Raises `NameTaken`, also if the guest has become an account in another tab, or `TooManyNames`.
    """
    guest = User.objects.select_for_update().filter(pk=guest_id, is_guest=True).first()
    if guest is None:
        raise NameTaken
    before, guest.username = guest.username, name
    if name == before:
        return
    if not _names_chosen.take(str(guest_id), time.monotonic()):
        raise TooManyNames
    _save(guest)
    signals.renamed(guest, before)


@transaction.atomic
def make_account(user: User) -> None:
    """Store somebody who signs up. A guest stays the same user, with every game they played.

    Raises `NameTaken`, also if the guest has become an account in another tab.
    """
    guest = None
    if user.is_guest:
        guest = User.objects.select_for_update().filter(pk=user.pk, is_guest=True).first()
        if guest is None:
            raise NameTaken
    user.is_guest = False
    user.preferences = {**preferences.at_first(), **user.preferences}
    _save(user)
    if guest is not None:
        signals.renamed(user, guest.username)


def _save(user: User) -> None:
    """Store somebody under a new name, which only the database knows to be nobody else's."""
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError:
        raise NameTaken from None
