"""Challenges: a table for two that is kept for one person, who is told of it wherever they are."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from lobby import announcements
from lobby.models import Table, Tie, User
from lobby.people import ties
from lobby.ratings.rated import may_have_rating
from lobby.tables import tables
from lobby.tables.terms import TableError, TableTerms

EVERYONE, FOLLOWED, NOBODY = "everyone", "followed", "nobody"
"""Who may challenge somebody: the values of their preference "challenges"."""


@transaction.atomic
def challenge(host: User, other: User, game: str, options: Any, first: str, terms: TableTerms) -> Table:
    """Set a table for two that only `other` may sit down at.

    Raises:
        TableError: "yourself", "computer", "bot", "no-challenges", "challenged-already",
            "challenge-range", "guest" or what `tables.set_table` raises.
    """
    if host == other:
        raise TableError("yourself", _("You cannot challenge yourself."))
    if other.computer:
        sentence = _("%(name)s is a computer player, and plays whenever you like.")
        raise TableError("computer", sentence % {"name": other.get_username()})
    if not _may_challenge(host, other):
        # One sentence for every reason, so that nobody learns who blocked them.
        sentence = _("%(name)s takes no challenges from you at the moment.")
        raise TableError("no-challenges", sentence % {"name": other.get_username()})
    if Table.objects.filter(host=host, invited=other, match=None).exists():
        sentence = _("%(name)s has not answered your last challenge yet.")
        raise TableError("challenged-already", sentence % {"name": other.get_username()})
    if (terms.lowest_rating, terms.highest_rating) != (None, None):
        raise TableError("challenge-range", _("A challenge is for one person, whatever their rating."))
    casual = may_have_rating(other) if terms.rated else None
    if casual is not None:
        raise TableError(*casual)
    table = tables.set_table(host, game, options, 2, first, replace(terms, listed=False), invited=other)
    announcements.challenged(table)
    return table


@transaction.atomic
def accept(user: User, table_id: str) -> Table:
    """Sit down at the table of a challenge, which begins the match.

    Raises:
        TableError: "not-challenged" or what `tables.sit_down` raises.
    """
    if tables.locked(table_id).invited_id != user.pk:
        raise TableError("not-challenged", _("This challenge is not for you."))
    return tables.sit_down(user, table_id)


@transaction.atomic
def decline(user: User, table_id: str) -> None:
    """Say no to a challenge: the table is cleared away, and its host is told.

    Raises:
        TableError: "gone", "begun" or "not-challenged".
    """
    table = tables.locked(table_id)
    if table.match_id is not None:
        raise TableError("begun", _("The match has begun. You can resign it at the board."))
    if table.invited_id != user.pk:
        raise TableError("not-challenged", _("This challenge is not for you."))
    announcements.challenge_declined(table)
    tables.cancel(table)


def _may_challenge(host: User, other: User) -> bool:
    if ties.blocked_between(host.pk, other.pk):
        return False
    wanted = other.preferences.get("challenges", EVERYONE)
    if wanted == FOLLOWED:
        return Tie.objects.filter(user=other, other=host, kind=Tie.Kind.FOLLOW).exists()
    return bool(wanted == EVERYONE)
