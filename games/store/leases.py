"""Rows that wait to be worked on, each taken up by one process at a time.

The moment at which a row is due is stored in it. Whoever takes the row up moves that moment into the
future, so that nobody else finds it due; a process that is killed moves it no more, and the row is due
again when the lease is over. Two processes that look at the same time get different rows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeVar

from django.db import transaction
from django.db.models import Model, QuerySet

M = TypeVar("M", bound=Model)

WINDOW = 200
"""How many of the rows that are due are looked at to find a share for each of several owners."""


@dataclass(frozen=True)
class Share:
    """How many rows of one owner may be taken.

    Attributes:
        owner: whom a row belongs to.
        most: how many of theirs may be taken at once.
        taken: how many each of them has already.
    """

    owner: Callable[[Any], Any]
    most: int
    taken: Counter[Any] = field(default_factory=Counter)


def take(
    rows: QuerySet[M], column: str, now: datetime, until: datetime, most: int, shares: Sequence[Share] = ()
) -> list[Any]:
    """Take up at most so many of those rows that are due, until that moment; their primary keys.

    Args:
        rows: all rows that may be taken, in the order in which they are to be.
        column: the one that says when a row is due, None for never.
        now: what is due.
        until: when they are due again.
        most: how many rows.
        shares: what no owner may have more of.
    """
    due = rows.filter(**{f"{column}__lte": now})
    # Writers queue up on SQLite; whoever only looks should not.
    if most <= 0 or not due.exists():
        return []
    with transaction.atomic():
        free = due.select_for_update(skip_locked=True, of=("self",))
        keys = _shared(free[:WINDOW], shares)[:most] if shares else [row.pk for row in free.only("pk")[:most]]
        rows.model._default_manager.filter(pk__in=keys).update(**{column: until})
    return keys


def held(rows: QuerySet[M], column: str, key: Any, until: datetime) -> QuerySet[M]:
    """The row that was taken up until that moment; none if it is due for another reason, or taken again."""
    return rows.filter(pk=key, **{column: until})


def _shared(rows: Iterable[M], shares: Sequence[Share]) -> list[Any]:
    """The keys of those rows that leave every owner within their share."""
    keys = []
    for row in rows:
        if all(share.taken[share.owner(row)] < share.most for share in shares):
            keys.append(row.pk)
            for share in shares:
                share.taken[share.owner(row)] += 1
    return keys
