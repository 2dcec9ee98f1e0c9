"""Adding, renaming, moving and removing pupils, and their cards. The only module that writes `PupilCard`.

A pupil is a guest of the site who stays as long as the class. On the site a pupil has a made-up name; the
first name is shown in the class only, and unique there.
"""

from __future__ import annotations

import re

from django.conf import settings
from django.core.exceptions import ValidationError

from games.models import short_id
from games.net.threads import in_thread
from lobby.accounts import deletion, guests
from lobby.classes import classes, refusals
from lobby.classes.models import PupilCard, SchoolClass
from lobby.commands import once
from lobby.people import naming, relationships
from lobby.people.models import User
from lobby.people.signals import renamed


@once("class-add", "code")
def add(teacher: User, code: str, names: str, command: str) -> list[int]:
    """Add pupils, all or none of them; returns their ids.

    Args:
        names: first names, one a line or with commas between them.

    Raises:
        ClassError: "unknown-class", "no-names", "bad-name", "name-taken" or "class-full".
    """
    school_class = classes.taught(teacher, code, lock=True)
    typed = [name for name in map(str.strip, re.split(r"[,;\n]", names)) if name]
    if not typed:
        raise refusals.NoNames
    return [come(school_class, name).pk for name in typed]


def come(school_class: SchoolClass, name: str) -> User:
    """Add a pupil to a locked class.

    Raises:
        ClassError: "bad-name", "name-taken" or "class-full".
    """
    shown = _free_name(school_class, name)
    _check_room(school_class)
    pupil = guests.new_guest(first_name=shown, pupil_of=school_class)
    PupilCard.objects.create(user=pupil)
    return pupil


def _check_room(school_class: SchoolClass) -> None:
    if settings.CLASS_PUPILS and school_class.pupils.count() >= settings.CLASS_PUPILS:
        raise refusals.ClassFull


def _free_name(school_class: SchoolClass, name: str, pupil: User | None = None) -> str:
    """A first name as it is shown, which nobody else in a class has, or one that looks alike."""
    try:
        shown = naming.first_name(name)
    except ValidationError as error:
        raise refusals.BadName(name=name[:40], why=" ".join(error.messages)) from None
    others = school_class.pupils.exclude(pk=pupil.pk) if pupil else school_class.pupils
    if naming.is_among(shown, others.values_list("first_name", flat=True)):
        raise refusals.NameTaken(name=shown)
    return shown


@once("class-rename", "code")
def rename(teacher: User, code: str, pupil_id: int, name: str, command: str) -> None:
    """Rename a pupil.

    Raises:
        ClassError: "unknown-class", "unknown-pupil", "bad-name" or "name-taken".
    """
    school_class = classes.taught(teacher, code, lock=True)
    pupil = of_class(school_class, pupil_id)
    pupil.first_name = _free_name(school_class, name, pupil)
    pupil.save(update_fields=["first_name"])
    renamed(pupil, pupil.username)


@once("class-move", "code")
def move(teacher: User, code: str, pupil_id: int, to: str, command: str) -> None:
    """Move a pupil to another class of the teacher.

    Args:
        to: the code of the other class.

    Raises:
        ClassError: "unknown-class", "unknown-pupil", "name-taken" or "class-full".
    """
    # Two teachers may move pupils both ways: the classes are locked in one order.
    for each in sorted({classes.normal(code), classes.normal(to)}):
        classes.taught(teacher, each, lock=True)
    pupil = of_class(classes.taught(teacher, code), pupil_id)
    other = classes.taught(teacher, to)
    if other.pk == pupil.pupil_of_id:
        return
    _free_name(other, pupil.first_name)
    _check_room(other)
    pupil.pupil_of = other
    pupil.save(update_fields=["pupil_of"])
    relationships.part_from_strangers(pupil.pk)
    _renew(pupil)


@once("class-new-card", "code")
def renew_card(teacher: User, code: str, pupil_id: int, command: str) -> None:
    """Make a new card with a new PIN; the old one opens nothing, and the pupil is logged out everywhere.

    Raises:
        ClassError: "unknown-class" or "unknown-pupil".
    """
    _renew(of_class(classes.taught(teacher, code, lock=True), pupil_id))


def _renew(pupil: User) -> None:
    PupilCard.objects.filter(user=pupil).update(number=short_id(), pin_used=False)
    guests.end_sessions(pupil)


def note_pin_used(pupil: User) -> None:
    """Note that a pupil has logged in, so that nobody is shown the PIN any more."""
    PupilCard.objects.filter(user=pupil, pin_used=False).update(pin_used=True)


async def remove(teacher: User, code: str, pupil_id: int) -> None:
    """Remove a pupil and erase everything about them but their matches, which others have played too.

    Raises:
        ClassError: "unknown-class" or "unknown-pupil".
        SavingUnavailable: the store fails; the pupil is still there.
    """
    await in_thread(_of_teacher)(teacher, code, pupil_id)
    await erase([pupil_id])


async def erase(pupil_ids: list[int]) -> None:
    """Erase pupils. The matches of those who have played stay without their names."""
    for pupil_id in await in_thread(deletion.erase_guests)(pupil_ids):
        await deletion.delete_account(pupil_id)


def forget(user_id: int) -> None:
    """Delete the card of a pupil whose account is deleted."""
    PupilCard.objects.filter(user=user_id).delete()


def _of_teacher(teacher: User, code: str, pupil_id: int) -> User:
    return of_class(classes.taught(teacher, code), pupil_id)


def of_class(school_class: SchoolClass, pupil_id: int) -> User:
    """A pupil of a class, by id. Raises `UnknownPupil`."""
    pupil = school_class.pupils.filter(pk=pupil_id).first()
    if pupil is None:
        raise refusals.UnknownPupil
    return pupil
