"""Who teaches a class. The only module that writes `ClassTeacher`."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.utils import timezone

from lobby.chat import lines
from lobby.classes import classes, refusals
from lobby.classes.models import ClassTeacher, SchoolClass
from lobby.commands import once
from lobby.people import relationships
from lobby.people.models import User
from lobby.people.relationships import RelationshipError

MOST_TEACHERS = 10
"""Maximum teachers of a class, invitations included."""


@once("class-invite", "code")
def invite(teacher: User, code: str, name: str, command: str) -> None:
    """Invite another account to teach a class, too. Inviting twice changes nothing.

    Raises:
        ClassError: "unknown-class", "unknown-teacher" or "too-many-teachers".
        ChatError: "muted", since the invitation shows the name of the class.
    """
    school_class = classes.taught(teacher, code, lock=True)
    lines.check_author(teacher)
    other = _account(teacher, name)
    if school_class.teachers.filter(user=other).exists():
        return
    if school_class.teachers.count() >= MOST_TEACHERS:
        raise refusals.TooManyTeachers
    ClassTeacher.objects.create(school_class=school_class, user=other)


def _account(teacher: User, name: str) -> User:
    try:
        other = relationships.named(name, teacher.pk)
    except RelationshipError:
        raise refusals.UnknownTeacher from None
    if other.is_guest or other.is_bot or not other.is_active:
        raise refusals.UnknownTeacher
    if relationships.apart(teacher.pk, other.pk):
        raise refusals.UnknownTeacher
    return other


@once("class-accept", "code")
def accept(user: User, code: str, command: str) -> None:
    """Accept an invitation to teach a class.

    Raises:
        ClassError: "unknown-class" or "too-many-classes".
    """
    User.objects.select_for_update().get(pk=user.pk)
    invitation = invitations(user).filter(school_class__code=classes.normal(code)).first()
    if invitation is None:
        raise refusals.UnknownClass
    if settings.CLASSES_PER_TEACHER and classes.taught_by(user).count() >= settings.CLASSES_PER_TEACHER:
        raise refusals.TooManyClasses
    invitation.since = timezone.now()
    invitation.save(update_fields=["since"])


@once("class-leave", "code")
def leave(user: User, code: str, command: str) -> None:
    """Stop teaching a class, or decline an invitation to. The last teacher stays.

    Raises:
        ClassError: "unknown-class" or "last-teacher".
    """
    rows = SchoolClass.objects.filter(teachers__user=user, code=classes.normal(code))
    school_class = rows.select_for_update(of=("self",)).first()
    if school_class is None:
        raise refusals.UnknownClass
    others = school_class.teachers.exclude(user=user).filter(since__isnull=False)
    if not others.exists():
        raise refusals.LastTeacher
    school_class.teachers.filter(user=user).delete()
    relationships.part_from_strangers(user.pk)


def invitations(user: User | AnonymousUser) -> QuerySet[ClassTeacher]:
    """The invitations of a user to teach a class."""
    return ClassTeacher.objects.filter(user=user.pk, since=None).select_related("school_class")


def of(school_class: SchoolClass) -> list[ClassTeacher]:
    """The teachers of a class, and who is invited, in the order of coming."""
    return list(school_class.teachers.select_related("user").order_by("pk"))


def forget(user_id: int) -> None:
    """End the classes and invitations of a user whose account is deleted."""
    ClassTeacher.objects.filter(user=user_id).delete()
