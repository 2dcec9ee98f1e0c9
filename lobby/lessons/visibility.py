"""The wall board of a class. It stands on a device without a session: its link contains a token."""

from __future__ import annotations

from django.urls import reverse
from django.utils.crypto import constant_time_compare
from django.utils.http import urlencode

from games.share import addresses
from lobby.classes import classes, refusals
from lobby.classes.models import SchoolClass

SALT = "lobby.lessons.visibility"


def on_wall(code: str, token: str) -> SchoolClass:
    """A class by its code and the token of its wall board.

    Raises:
        ClassError: "unknown-class".
    """
    found = SchoolClass.objects.filter(code=classes.normal(code)).first()
    if found is None or not constant_time_compare(token, _token(found)):
        raise refusals.UnknownClass
    return found


def wall_link(school_class: SchoolClass) -> str:
    """The path of the wall board, which only teachers are told."""
    return f"{reverse('class-wall', args=[school_class.code])}?{urlencode({'token': _token(school_class)})}"


def _token(school_class: SchoolClass) -> str:
    return addresses.token(SALT, f"{school_class.pk} {school_class.code}")
