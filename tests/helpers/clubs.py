"""Clubs for tests."""

from __future__ import annotations

from typing import Any

from lobby.clubs import clubs, lookup, members
from lobby.clubs.clubs import Charter
from lobby.clubs.models import Club, Membership
from lobby.people.models import User
from tests.helpers.tournaments import command

Role = Membership.Role


def club_of(owner: User, *others: User, organisers: tuple[User, ...] = (), **charter: Any) -> Club:
    """A club with its members; the organisers come in their order, before the others."""
    club = clubs.found(owner, Charter(**{"name": "Harbour club", **charter}), command())
    for person in (*organisers, *others):
        members.join(person, club.pk, command(), club.token)
    for person in organisers:
        members.set_role(owner, club.pk, person.username, Role.ORGANISER, command())
    return club


def roles(club: Club) -> dict[str, str]:
    """The roles of the members, by name."""
    return {each.user.username: each.role for each in lookup.members(club)}
