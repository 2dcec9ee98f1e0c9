"""What a match did to the ratings of its players, told to each of them once it is settled."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from django.db import transaction

from games.models import Match
from games.rules.base import Outcome
from lobby.models import SURE_ENOUGH, Pool, Result
from lobby.people import person


def tell(match: Match, results: Sequence[Result], outcome: Outcome) -> None:
    """Tell every player whose rating changed, on the pages they have open, after the commit."""
    for result in results:
        if result.rated:
            message = _told(match.pk, result)
            transaction.on_commit(partial(person.tell, result.user_id, message), robust=True)


def change(match_id: str, user_id: int | None) -> dict[str, Any]:
    """The same of a match that somebody asks about, also while nothing is known of it (or ever will be)."""
    rated = Result.objects.filter(match=match_id, user=user_id, rated=True)
    return _told(match_id, rated.first())


def _told(match_id: str, result: Result | None) -> dict[str, Any]:
    message: dict[str, Any] = {"type": "rating", "match": match_id, "change": None}
    if result is None or result.rating_before is None or result.rating_after is None:
        return message
    # What is shown anywhere is rounded, and so is what lies between.
    before, after = round(result.rating_before), round(result.rating_after)
    provisional = (result.deviation_after or 0.0) > SURE_ENOUGH[Pool(result.pool)]
    return {**message, "change": {"before": before, "after": after, "provisional": provisional}}
