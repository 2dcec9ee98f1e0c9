"""Remarks of moderators on users (`lobby.moderation.moderation`). Only moderators see them.

The data export of the user has them too, without their authors: the GDPR grants access to all data about a
person, but not to data about others.
"""

from __future__ import annotations

from typing import Any

from lobby.accounts.models import Remark
from lobby.people.models import User


def add(author: User, about: User, text: str) -> Remark:
    """Store a remark; the caller checks it."""
    return Remark.objects.create(author=author, about=about, text=text)


def export(user: User) -> list[dict[str, Any]]:
    """The remarks on a user, for the data export."""
    return [{"text": each.text, "created": each.created} for each in Remark.objects.filter(about=user)]


def forget(user_id: int) -> None:
    """Delete the remarks on a user whose account is deleted."""
    Remark.objects.filter(about=user_id).delete()
