"""Ending classes. Writes `ClassEnd`.

A teacher archives or erases a class by a press, and a class that nobody uses is erased after a notice. The
keeper (`lobby.schoolyear.keeper`) does the work step by step, so that a restart in between loses nothing.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, Max, OuterRef, Q
from django.utils import timezone

from games.models import Match
from games.play import begin
from games.store import leases
from lobby.classes import classes
from lobby.classes.models import ClassTeacher, SchoolClass
from lobby.commands import once
from lobby.homework import homework
from lobby.lessons import rounds
from lobby.people.models import User
from lobby.schoolyear import refusals, signals
from lobby.schoolyear.models import ClassEnd

Kind = ClassEnd.Kind

UNUSED = timedelta(days=365)
"""After so long without use, teachers are told; a month later the class is erased."""
NOTICE = timedelta(days=30)
LEASE = timedelta(minutes=5)
"""For so long a class belongs to the process that ends it."""
BATCH = 20


@once("class-end", "code")
def end(teacher: User, code: str, kind: str, confirmed: bool, command: str) -> None:
    """Have a class archived or erased soon.

    Args:
        kind: "archive" or "erase".
        confirmed: whether the teacher has said that nobody can undo it.

    Raises:
        ClassError: "unknown-class" or "not-confirmed".
    """
    school_class = classes.taught(teacher, code, lock=True)
    if not confirmed or kind not in (Kind.ARCHIVE, Kind.ERASE):
        raise refusals.NotConfirmed
    now = timezone.now()
    ClassEnd.objects.update_or_create(school_class=school_class, defaults={"kind": Kind(kind), "due": now})
    transaction.on_commit(signals.ends_due, robust=True)


@once("class-keep", "code")
def keep(teacher: User, code: str, command: str) -> None:
    """Keep a class that nobody has used.

    Raises:
        ClassError: "unknown-class".
    """
    school_class = classes.taught(teacher, code, lock=True)
    later = timezone.now() + UNUSED
    ClassEnd.objects.filter(school_class=school_class, kind=Kind.NONE).update(noticed=None, due=later)


# For the keeper


def take(now: datetime) -> list[ClassEnd]:
    """Lease the ends that are due, those of old classes and of classes without a teacher included."""
    teachers = ClassTeacher.objects.filter(school_class=OuterRef("pk"), since__isnull=False)
    alone = SchoolClass.objects.filter(~Exists(teachers))
    waiting = SchoolClass.objects.filter(Q(created__lt=now - UNUSED) | Q(pk__in=alone), ending=None)
    for school_class in waiting[:BATCH]:
        ClassEnd.objects.get_or_create(school_class=school_class, defaults={"due": now})
    # An archived class with new pupils is in use again.
    for ending in ClassEnd.objects.filter(due=None, school_class__pupils__isnull=False).distinct()[:BATCH]:
        ending.kind, ending.due = Kind.NONE, now
        ending.save(update_fields=["kind", "due"])
    # Without a teacher a class is erased, also if somebody has kept or archived it.
    ClassEnd.objects.filter(school_class__in=alone).exclude(kind=Kind.ERASE).update(kind=Kind.ERASE, due=now)
    keys = leases.take(ClassEnd.objects.order_by("due"), "due", now, now + LEASE, BATCH)
    return list(ClassEnd.objects.filter(pk__in=keys).select_related("school_class"))


@transaction.atomic
def look(ending: ClassEnd, now: datetime) -> bool:
    """Decide what becomes of a class that is in use or not; returns whether its teachers are to be told."""
    school_class = SchoolClass.objects.select_for_update().get(pk=ending.pk)
    used = _last_use(school_class)
    if used > now - UNUSED:
        ending.noticed, ending.due = None, used + UNUSED
    elif ending.noticed is None:
        ending.noticed, ending.due = now, now + NOTICE
    elif ending.noticed <= now - NOTICE:
        ending.kind = Kind.ERASE
    ending.save(update_fields=["kind", "noticed", "due"])
    return ending.noticed == now


def _last_use(school_class: SchoolClass) -> datetime:
    """When a pupil was last here, or a teacher last did something for the class."""
    times = (
        school_class.created,
        school_class.pupils.aggregate(last=Max("seen"))["last"],
        school_class.homework.aggregate(last=Max("given"))["last"],
        school_class.class_rounds.aggregate(last=Max("tournament__began"))["last"],
    )
    return max(time for time in times if time is not None)


@transaction.atomic
def stop(school_class: SchoolClass) -> tuple[list[int], list[str]]:
    """Have no more matches begin; returns the pupils, and the matches of rounds that are in play."""
    SchoolClass.objects.select_for_update().get(pk=school_class.pk)
    rounds.annul(school_class)
    playing = Match.objects.filter(pairing__tournament__class_round__school_class=school_class)
    in_play = playing.exclude(status=Match.Status.FINISHED).values_list("pk", flat=True)
    return list(school_class.pupils.values_list("pk", flat=True)), list(in_play)


@transaction.atomic
def finish(ending: ClassEnd) -> None:
    """Archive or erase a class that has no pupils any more."""
    school_class = SchoolClass.objects.select_for_update().get(pk=ending.pk)
    if school_class.pupils.exists():
        # Somebody came meanwhile; the class is still due.
        return
    # A teacher may have chosen otherwise meanwhile.
    ending.refresh_from_db()
    if ending.kind == Kind.ARCHIVE:
        homework.erase(school_class)
        ClassEnd.objects.filter(pk=ending.pk).update(due=None)
    else:
        begin.erase(rounds.erase(school_class))
        classes.erase(school_class)
