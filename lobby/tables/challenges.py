"""Challenges: tables for two, reserved for one player, who is notified on all pages and devices."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.conf import settings
from django.db import transaction

from games.domain.position import Position
from games.net.limits import limiter
from lobby.people import preferences, relationships
from lobby.people.models import Relationship, User
from lobby.ratings.rated import may_have_rating
from lobby.tables import refusals, signals, tables
from lobby.tables.models import Table
from lobby.tables.terms import TableTerms

of_host = limiter(settings.CHALLENGE_LIMIT)
"""Rate limit of challenges per host."""
of_pair = limiter(settings.CHALLENGE_PAIR_LIMIT)
"""Rate limit per host and opponent, since each challenge notifies all pages and devices of the opponent."""


@transaction.atomic
def challenge(  # noqa: PLR0913 - as of `set_table`
    host: User,
    other: User,
    game: str,
    options: Any,
    first: str,
    terms: TableTerms,
    position: Position | None = None,
) -> Table:
    """Set up a table for two that is reserved for `other`.

    Raises:
        TableError: "yourself", "computer", "bot", "no-challenges", "challenged-already",
            "challenge-range", "too-many-challenges" or what `tables.set_table` raises.
        NotRated: why the match cannot be rated.
    """
    if host == other:
        raise refusals.Yourself
    if other.computer:
        raise refusals.Computer(name=other.name_in_words())
    if not _may_challenge(host, other):
        raise refusals.NoChallenges(name=other.get_username())
    if Table.objects.filter(host=host, invited=other, match=None).exists():
        raise refusals.ChallengedAlready(name=other.get_username())
    if (terms.lowest_rating, terms.highest_rating) != (None, None):
        raise refusals.ChallengeRange
    casual = may_have_rating(other) if terms.rated else None
    if casual is not None:
        raise casual
    count(host, other)
    terms = replace(terms, listed=False)
    table = tables.set_table(host, game, options, 2, first, terms, invited=other, position=position)
    signals.challenged(table)
    return table


def count(host: User, other: User) -> None:
    """Count a challenge of any kind, of one person by another. Raises TableError "too-many-challenges"."""
    now = time.monotonic()
    if not of_pair.take(f"{host.pk} {other.pk}", now) or not of_host.take(str(host.pk), now):
        raise refusals.TooManyChallenges


@transaction.atomic
def accept(user: User, table_id: str) -> Table:
    """Accept a challenge: sit down, which begins the match.

    Raises:
        TableError: "not-challenged" or what `tables.sit_down` raises.
    """
    if tables.locked(table_id, coming=user).invited_id != user.pk:
        raise refusals.NotChallenged
    return tables.sit_down(user, table_id)


@transaction.atomic
def decline(user: User, table_id: str) -> None:
    """Decline a challenge: delete the table and notify its host.

    Raises:
        TableError: "gone", "begun" or "not-challenged".
    """
    table = tables.locked(table_id)
    if table.match_id is not None:
        raise refusals.BegunForYou
    if table.invited_id != user.pk:
        raise refusals.NotChallenged
    signals.challenge_declined(table)
    tables.cancel(table)


def _may_challenge(host: User, other: User) -> bool:
    if not other.is_active or relationships.apart(host.pk, other.pk):
        return False
    return other.pk in welcoming(host.pk, [other])


def welcoming(host_id: int | None, people: Sequence[User]) -> frozenset[int]:
    """The ids of the players whose preferences let a host (None: a visitor) challenge them."""
    wanted = {person.pk: preferences.of(person)["challenges"] for person in people}
    followed = [pk for pk, by_whom in wanted.items() if by_whom == preferences.FOLLOWED]
    following = Relationship.objects.filter(user__in=followed, other=host_id, kind=Relationship.Kind.FOLLOW)
    by_follow = set(following.values_list("user", flat=True)) if followed and host_id is not None else set()
    by_all = {pk for pk, by_whom in wanted.items() if by_whom == preferences.EVERYONE}
    return frozenset(by_all | by_follow)
