"""Errors about classes."""

from __future__ import annotations

from django.conf import settings

from games.domain.refusals import Refused
from games.rules.base import gettext_noop, ngettext_noop


class ClassError(Refused):
    """A refused action in a class; nothing was changed."""


class UnknownClass(ClassError):
    """Also for people who are not in the class, so that they do not learn its code."""

    code, status = "unknown-class", 404
    sentence = gettext_noop("You have no class with this code.")


class MayNotMake(ClassError):
    code, status = "may-not-make", 403
    sentence = gettext_noop("You cannot make a class here. Ask the people who run this site.")


class TooManyClasses(ClassError):
    code, status = "too-many-classes", 409
    sentence = gettext_noop("You already have the maximum number of classes. Delete one of them first.")


class NoTitle(ClassError):
    code, status = "no-title", 422
    sentence = gettext_noop("Give the class a name of at most 40 characters.")


class NoNames(ClassError):
    code, status = "no-names", 422
    sentence = gettext_noop("Enter at least one name.")


class BadName(ClassError):
    """A name in a list is invalid; `why` says why."""

    code, status = "bad-name", 422
    sentence = gettext_noop("%(name)s: %(why)s")


class NameTaken(ClassError):
    code, status = "name-taken", 409
    sentence = gettext_noop(
        "%(name)s: somebody in the class already has this name. Add a letter of the last name."
    )


class ClassFull(ClassError):
    code, status = "class-full", 409
    sentence, many = ngettext_noop(
        "A class has at most %(most)d pupil.", "A class has at most %(most)d pupils."
    )

    def __init__(self) -> None:
        super().__init__(most=settings.CLASS_PUPILS)


class UnknownTeacher(ClassError):
    code, status = "unknown-teacher", 404
    sentence = gettext_noop("No account has this name, or it cannot be invited.")


class TooManyTeachers(ClassError):
    code, status = "too-many-teachers", 409
    sentence = gettext_noop("The class already has the maximum number of teachers.")


class LastTeacher(ClassError):
    code, status = "last-teacher", 409
    sentence = gettext_noop("You are the only teacher. Invite another one, or delete the class.")


class WrongEntry(ClassError):
    """Does not say what was wrong."""

    code, status = "wrong-entry", 403
    sentence = gettext_noop("These details do not match. Check the code of the class, the name and the PIN.")


class NotOpen(ClassError):
    """Also for codes that no class has."""

    code, status = "not-open", 403
    sentence = gettext_noop("You cannot join with this code now. Ask the teacher.")


class TooManyTries(ClassError):
    code, status = "too-many-tries", 429
    sentence = gettext_noop("Too many wrong tries. Use your card, or ask the teacher for a new one.")
    headers = settings.CLASS_TRIES.retry_after


class UnknownPupil(ClassError):
    code, status = "unknown-pupil", 404
    sentence = gettext_noop("This pupil is not in the class.")
