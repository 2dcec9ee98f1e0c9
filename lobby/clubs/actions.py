"""The log of what is done in clubs. The only writer of `ClubAction`.

It outlives accounts, so it knows people by their ids and no names.
"""

from __future__ import annotations

from typing import Any

from lobby.clubs.models import Club, ClubAction
from lobby.people.models import User


def log(club: Club, user: User, action: str, **details: Any) -> None:
    """Note what a user has done in a club."""
    ClubAction.objects.create(club=club, user=user, action=action, details=details)
