"""Who has a name, and whether somebody may have it."""

from __future__ import annotations

from django.db.models import Q

from lobby.models import User
from lobby.models.spelling import folded, skeleton


def named(name: str) -> User | None:
    """Whoever has this name, whatever its capitals."""
    return User.objects.filter(folded_name=folded(name)).first()


def is_taken(name: str, by_other_than: User | None = None) -> bool:
    """Whether somebody has this name, or one that looks the same."""
    people = User.objects.filter(Q(folded_name=folded(name)) | Q(skeleton=skeleton(name)))
    return (people.exclude(pk=by_other_than.pk) if by_other_than else people).exists()
