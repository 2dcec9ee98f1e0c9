"""Who may meet whom: pupils and the people of their class are among themselves.

A pupil meets the other pupils of the class, its teachers and the site's computer players, and nobody else.
Whoever may not meet a pupil sees nothing of the pupil, and nothing of what the pupil plays. Everything that
brings people together, or shows one to another, asks here; a match of strangers cannot begin at all.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from django.db.models import Q

from games.domain.refusals import Refused
from games.domain.terms import Terms
from games.models import Match
from games.rules.base import gettext_noop
from lobby.classes.models import ClassTeacher, SchoolClass
from lobby.people import naming
from lobby.people.models import User
from lobby.people.spelling import folded


class ClassOnly(Refused):
    """Somebody who is not of the class of a pupil was about to meet the pupil."""

    code, status = "class-only", 403
    sentence = gettext_noop("Pupils play with people of their class only.")


def strangers(user_id: int | None, others: Collection[int]) -> frozenset[int]:
    """Those of some users whom a user, or a visitor, may not meet."""
    concerned = [*others] if user_id is None else [user_id, *others]
    found = User.objects.filter(pk__in=concerned, pupil_of__isnull=False)
    pupils = dict(found.values_list("pk", "pupil_of"))
    if not pupils:
        return frozenset()
    home = pupils.get(user_id) if user_id is not None else None
    if home is not None:
        return frozenset(others).difference(_of_class(home, others))
    taught = ClassTeacher.objects.filter(user=user_id, since__isnull=False)
    known = set(taught.values_list("school_class", flat=True))
    return frozenset(other for other in others if other in pupils and pupils[other] not in known)


def _of_class(school_class: int, users: Collection[int]) -> set[int]:
    """Those of some users who are of a class, and computer players."""
    teaches = Q(teaches__school_class=school_class, teaches__since__isnull=False)
    known = Q(pupil_of=school_class) | teaches | ~Q(computer="")
    return set(User.objects.filter(known, pk__in=users).values_list("pk", flat=True))


def named(name: str, asker: int | None) -> User | None:
    """The user of a name whom a user, or a visitor, may see. Pupils call each other by their first names."""
    mates = [] if asker is None else list(User.objects.filter(pupil_of__pupils=asker))
    for mate in mates:
        if folded(mate.first_name) == folded(name):
            return mate
    found = naming.named(name)
    if found is None or (found.is_public and not mates):
        return found
    return found if may_see(asker, found) else None


def may_see(user_id: int | None, person: User) -> bool:
    """Whether a user, or a visitor, may see somebody."""
    return not strangers(user_id, [person.pk])


def check_stranger(user: Any) -> None:
    """Refuse what pupils have no part in, since people from outside the class are there.

    Raises:
        ClassOnly: the user is a pupil.
    """
    if user.pupil_of_id is not None:
        raise ClassOnly


def terms_of(users: Sequence[Any], terms: Terms) -> Terms:
    """The terms on which users play a match who want these: pupils play casual matches, seen by their class.

    Raises:
        ClassOnly: one of them may not meet another.
    """
    pupil = next((user for user in users if user.pupil_of_id is not None), None)
    if pupil is None:
        return terms
    if strangers(pupil.pk, [user.pk for user in users]):
        raise ClassOnly
    chat = terms.chat and SchoolClass.objects.filter(pk=pupil.pupil_of_id, chat=True).exists()
    return replace(terms, rated=False, watchable=False, delay=0, chat=chat)


def may_watch(match_id: str, user_id: int) -> bool:
    """Whether a user who does not play may watch a private match, since it is one of their class."""
    played = Q(seatings__match=match_id) | Q(pk__in=Match.objects.filter(pk=match_id).values("holder"))
    pupils = set(User.objects.filter(played, pupil_of__isnull=False).values_list("pk", flat=True))
    return bool(pupils) and not strangers(user_id, pupils)
