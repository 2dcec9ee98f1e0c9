"""Making, finding and changing classes. The only module that writes `SchoolClass`.

Every action is one transaction under the row of the class, and carried out once by its command id
(`lobby.commands`). Lock order: classes, users.
"""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from lobby.chat import lines
from lobby.classes import refusals
from lobby.classes.models import CLASS_CODE_LENGTH, TITLE_LENGTH, ClassTeacher, SchoolClass
from lobby.commands import once
from lobby.people import codes, naming
from lobby.people.models import User

OPEN, GRANTED, OFF = "open", "granted", "off"
"""Who may make classes (`CLASSES`): every account, accounts with the right, or nobody."""
RIGHT = "lobby.add_schoolclass"
"""The right that `GRANTED` asks for."""
LESSON = timedelta(minutes=45)
"""For how long a teacher lets new pupils in."""


def may_make(user: User | AnonymousUser) -> bool:
    """Whether a user may make classes."""
    if not isinstance(user, User) or user.is_guest or user.is_bot or not user.is_active:
        return False
    return settings.CLASSES == OPEN or (settings.CLASSES == GRANTED and user.has_perm(RIGHT))


def _class(number: int) -> SchoolClass:
    school_class = SchoolClass.objects.filter(pk=number).first()
    if school_class is None:
        raise refusals.UnknownClass
    return school_class


@once("class-make", again=_class)
def make(teacher: User, title: str, command: str) -> SchoolClass:
    """Make a class, whose teacher is who makes it.

    Raises:
        ClassError: "may-not-make", "no-title" or "too-many-classes".
        ChatError: "muted".
    """
    lines.check_author(teacher)
    title = _title(title)
    # Lock the teacher's row, so that two concurrent requests cannot both pass the limit.
    person = User.objects.select_for_update().get(pk=teacher.pk)
    if not may_make(person):
        raise refusals.MayNotMake
    if settings.CLASSES_PER_TEACHER and taught_by(person).count() >= settings.CLASSES_PER_TEACHER:
        raise refusals.TooManyClasses
    school_class = _with_new_code(title)
    ClassTeacher.objects.create(school_class=school_class, user=person, since=timezone.now())
    return school_class


def _title(title: str) -> str:
    try:
        title = naming.choose_title(title)
    except ValidationError:
        raise refusals.NoTitle from None
    if not 1 <= len(title) <= TITLE_LENGTH:
        raise refusals.NoTitle
    return title


def _with_new_code(title: str) -> SchoolClass:
    while True:
        try:
            # The unique constraint decides whether the code is free.
            with transaction.atomic():
                return SchoolClass.objects.create(code=codes.new_code(CLASS_CODE_LENGTH), title=title)
        except IntegrityError:
            continue


@once("class-change", "code")
def change(teacher: User, code: str, title: str, chat: bool, command: str) -> None:
    """Rename a class, and let its pupils chat during matches or not.

    Raises:
        ClassError: "unknown-class" or "no-title".
        ChatError: "muted", if the name changes.
    """
    school_class = taught(teacher, code, lock=True)
    title = _title(title)
    if title != school_class.title:
        lines.check_author(teacher)
    school_class.title, school_class.chat = title, chat
    school_class.save(update_fields=["title", "chat"])


@once("class-open", "code")
def let_in(teacher: User, code: str, command: str) -> None:
    """Let new pupils join by the code, for one lesson from now on.

    Raises:
        ClassError: "unknown-class".
    """
    school_class = taught(teacher, code, lock=True)
    school_class.joins_until = timezone.now() + LESSON
    school_class.save(update_fields=["joins_until"])


@once("class-close", "code")
def let_nobody_in(teacher: User, code: str, command: str) -> None:
    """Let no more pupils join by the code.

    Raises:
        ClassError: "unknown-class".
    """
    school_class = taught(teacher, code, lock=True)
    school_class.joins_until = None
    school_class.save(update_fields=["joins_until"])


def erase(school_class: SchoolClass) -> None:
    """Delete a class that has no pupils any more."""
    school_class.delete()


# Reading


def taught_by(user: User | AnonymousUser) -> QuerySet[SchoolClass]:
    """The classes that a user teaches."""
    return SchoolClass.objects.filter(teachers__user=user.pk, teachers__since__isnull=False)


def taught(teacher: User | AnonymousUser, code: str, *, lock: bool = False) -> SchoolClass:
    """A class, for its teachers only.

    Args:
        lock: whether to lock the row of the class until the transaction ends.

    Raises:
        ClassError: "unknown-class", also for everybody else.
    """
    rows = taught_by(teacher).filter(code=normal(code))
    found = (rows.select_for_update(of=("self",)) if lock else rows).first()
    if found is None:
        raise refusals.UnknownClass
    return found


def pupils(school_class: SchoolClass) -> list[User]:
    """The pupils of a class with their cards, sorted by name."""
    found = User.objects.filter(pupil_of=school_class, is_deleted=False).select_related("card")
    return sorted(found, key=lambda pupil: pupil.first_name.casefold())


def normal(code: str) -> str:
    """Normalise user input to the code of a class."""
    return codes.normal(code, CLASS_CODE_LENGTH)
