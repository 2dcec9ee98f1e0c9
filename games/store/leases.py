"""Leases on rows that wait to be processed, each by one process at a time.

Each row stores when it is due. A process leases the row by moving that time into the future. If the process
dies, the row is due again when the lease ends. Concurrent processes get different rows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from operator import itemgetter
from typing import Any, TypeVar

from django.db import transaction
from django.db.models import Model, QuerySet

M = TypeVar("M", bound=Model)

WINDOW = 200
"""How many due rows are examined to find a share for each of several owners."""


@dataclass(frozen=True)
class Share:
    """Limits how many rows of one owner may be leased, and lets owners take turns.

    Attributes:
        owner: returns the owner of a row.
        most: how many rows of an owner may be leased at once.
        taken: how many rows each owner has already.
    """

    owner: Callable[[Any], Any]
    most: int
    taken: Counter[Any] = field(default_factory=Counter)


def take(
    rows: QuerySet[M], column: str, now: datetime, until: datetime, most: int, share: Share | None = None
) -> list[Any]:
    """Lease up to `most` due rows until `until`. Returns their primary keys.

    Args:
        rows: all candidates, in order of priority.
        column: the column with the due time; null for never.
        now: the current time.
        until: when the lease ends.
        most: maximum number of rows.
        share: the limit per owner; those with fewer rows come first.
    """
    due = rows.filter(**{f"{column}__lte": now})
    # A cheap read first: on SQLite the transaction would queue for the write lock.
    if most <= 0 or not due.exists():
        return []
    with transaction.atomic():
        free = due.select_for_update(skip_locked=True, of=("self",))
        if share is None:
            keys = [row.pk for row in free.only("pk")[:most]]
        else:
            keys = _shared(free[:WINDOW], share)[:most]
        rows.model._default_manager.filter(pk__in=keys).update(**{column: until})
    return keys


def held(rows: QuerySet[M], column: str, key: Any, until: datetime) -> QuerySet[M]:
    """The row leased until `until`; none if it is due for another reason, or leased again."""
    return rows.filter(pk=key, **{column: until})


def _shared(rows: Iterable[M], share: Share) -> list[Any]:
    """The keys of the rows that keep every owner within the limit, by turns."""
    turns = []
    for row in rows:
        owner = share.owner(row)
        if share.taken[owner] < share.most:
            turns.append((share.taken[owner], row.pk))
            share.taken[owner] += 1
    return [key for _, key in sorted(turns, key=itemgetter(0))]
