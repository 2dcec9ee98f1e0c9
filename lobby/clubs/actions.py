"""The log of what is done in clubs, which makes each action idempotent. The only writer of `ClubAction`.

It outlives accounts, so it knows people by their ids and no names.
"""

from __future__ import annotations

from typing import Any

from django.db import IntegrityError, transaction

from lobby.clubs import refusals
from lobby.models import Club, ClubAction, User


def earlier(user: User, command: str, action: str) -> ClubAction | None:
    """What a command has done before; None if it is new.

    Raises:
        ClubError: "command-used": it did something else.
    """
    known = ClubAction.objects.filter(user=user, command=command).select_related("club").first()
    if known is not None and known.action != action:
        raise refusals.CommandUsed
    return known


def done(club: Club, user: User, command: str, action: str) -> bool:
    """Whether a command was carried out before in this club, which is locked.

    Raises:
        ClubError: "command-used": it did something else, or this in another club.
    """
    known = earlier(user, command, action)
    if known is not None and known.club_id != club.pk:
        raise refusals.CommandUsed
    return known is not None


def log(club: Club, user: User, command: str, action: str, **details: Any) -> None:
    """Note what a command has done.

    Raises:
        ClubError: "command-used": the same command was carried out in another club at the same moment.
    """
    try:
        with transaction.atomic():
            ClubAction.objects.create(club=club, user=user, command=command, action=action, details=details)
    except IntegrityError:
        raise refusals.CommandUsed from None
