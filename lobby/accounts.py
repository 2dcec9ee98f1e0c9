"""Guests: people who play without registering are real users with a made-up name."""

import time
from random import SystemRandom

from django.conf import settings
from django.contrib.auth import login
from django.db import IntegrityError, transaction
from django.http import HttpRequest

from games.limits import Buckets
from lobby import names
from lobby.models import User

DIGITS = (0, 0, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3)
"""How many digits each try at a name adds: none while plain names are free, then more and more."""

guests = Buckets(rate=settings.GUESTS_PER_HOUR / 3600, burst=settings.GUESTS_PER_HOUR)
"""New guests by address: enough for a school behind one, too few to fill the database."""


class TooManyGuests(Exception):
    """An address asked for more guests than it may have; for now it gets no more."""


class OutOfNames(Exception):
    """Every name that was tried is taken: there are millions of guests, and old ones want purging."""


def new_guest() -> User:
    """A guest with a name nobody else has. Raises `OutOfNames`."""
    chance = SystemRandom()
    for digits in DIGITS:
        try:
            # The database decides who has a name, so that two guests never get the same.
            with transaction.atomic():
                return User.objects.create_user(names.propose(digits, chance), is_guest=True)
        except IntegrityError:
            continue
    raise OutOfNames


def person(request: HttpRequest) -> User:
    """Whoever sent the request, or a new guest, who is not signed in yet. Raises `TooManyGuests`."""
    if request.user.is_authenticated:
        return request.user
    if not guests.take(request.META.get("REMOTE_ADDR", ""), time.monotonic()):
        raise TooManyGuests
    return new_guest()


def remember(request: HttpRequest, user: User) -> None:
    """Sign `user` in, unless it is who sent the request.

    Call it after the commit of what made the user: a session must not outlive its user.
    """
    if request.user != user:
        login(request, user, backend="django.contrib.auth.backends.ModelBackend")
