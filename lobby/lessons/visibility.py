"""The wall board of a class. It stands on a device without a session: its link contains a token.

The link is of one teacher, and shows nothing any more once they teach the class no longer.
"""

from __future__ import annotations

from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.http import urlencode

from games.domain.refusals import UnknownMatch
from games.share import addresses
from games.watch.positions import Position, last_position
from games.watch.visibility import seen_by
from lobby.classes import classes, refusals
from lobby.classes.models import ClassTeacher, SchoolClass
from lobby.lessons import rounds

SALT = "lobby.lessons.visibility"


def on_wall(code: str, token: str) -> SchoolClass:
    """A class by its code and the token of its wall board, which a teacher has opened.

    Raises:
        ClassError: "unknown-class".
    """
    found = SchoolClass.objects.filter(code=classes.normal(code)).first()
    if found is None or not any(constant_time_compare(token, _token(each)) for each in _teachers(found)):
        raise refusals.UnknownClass
    return found


def board(school_class: SchoolClass, match_id: str) -> Position:
    """The board of a match, as a teacher of the class sees it.

    Raises:
        UnknownMatch: it is no match that the wall board of this class shows.
    """
    if match_id not in {each.table.match for each in rounds.boards(school_class)}:
        raise UnknownMatch(match_id)
    teacher = _teachers(school_class).values_list("user", flat=True).first()
    stored, view = seen_by(match_id, teacher, timezone.now())
    view.check()
    return last_position(stored)


def wall_link(school_class: SchoolClass, teacher_id: int) -> str:
    """The path of the wall board for a teacher of the class."""
    teaches = _teachers(school_class).get(user=teacher_id)
    return f"{reverse('class-wall', args=[school_class.code])}?{urlencode({'token': _token(teaches)})}"


def _teachers(school_class: SchoolClass) -> QuerySet[ClassTeacher]:
    return school_class.teachers.filter(since__isnull=False, user__is_active=True).order_by("pk")


def _token(teaches: ClassTeacher) -> str:
    return addresses.token(SALT, str(teaches.pk))
