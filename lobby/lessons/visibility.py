"""The wall board of a class. It stands on a device without a session: its link contains a token."""

from __future__ import annotations

from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.http import urlencode

from games.domain.refusals import UnknownMatch
from games.share import addresses
from games.watch.positions import Position, last_position
from games.watch.visibility import seen_by
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


def board(school_class: SchoolClass, match_id: str) -> Position:
    """The board of a match of a round, as a teacher of the class sees it.

    Raises:
        UnknownMatch: it is no match of a round of this class.
    """
    if not school_class.class_rounds.filter(tournament__pairings__match=match_id).exists():
        raise UnknownMatch(match_id)
    teachers = school_class.teachers.filter(since__isnull=False).values_list("user", flat=True)
    stored, view = seen_by(match_id, teachers.first(), timezone.now())
    view.check()
    return last_position(stored)


def wall_link(school_class: SchoolClass) -> str:
    """The path of the wall board, which only teachers are told."""
    return f"{reverse('class-wall', args=[school_class.code])}?{urlencode({'token': _token(school_class)})}"


def _token(school_class: SchoolClass) -> str:
    return addresses.token(SALT, f"{school_class.pk} {school_class.code}")
