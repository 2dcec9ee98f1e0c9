"""Rating changes of a match, sent to its players once it is settled."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from django.db import transaction

from games.store.prepared import PreparedQuery
from lobby.people import person
from lobby.people.models import User
from lobby.ratings.models import SURE_ENOUGH, Pool, Result
from lobby.ratings.signals import Settled

_names = PreparedQuery(lambda *users: User.objects.filter(pk__in=users).values_list("pk", "username"))


def tell(settled: Sequence[Settled]) -> None:
    """Send the players whose ratings changed a message on their open pages, after the commit."""
    for match, _outcome, results in settled:
        rated = [result for result in results if result.rated]
        for result in rated:
            message = _told(match.pk, result.user_id, rated)
            transaction.on_commit(partial(person.tell, result.user_id, message), robust=True)


def change(match_id: str, user_id: int | None) -> dict[str, Any]:
    """The same message on request; without a change if the match has not (or never) been rated."""
    return _told(match_id, user_id, Result.objects.filter(match=match_id, rated=True).order_by("pk"))


def _told(match_id: str, user_id: int | None, rated: Iterable[Result]) -> dict[str, Any]:
    """The message to one player, with the opponents' changes, which their profiles show publicly."""
    changes = {result.user_id: change for result in rated if (change := _change(result))}
    message: dict[str, Any] = {"type": "rating", "match": match_id, "change": None, "others": []}
    if user_id not in changes:
        return message
    mine = changes.pop(user_id)
    names = dict(_names(*changes))
    others = [{"name": names[other], **change} for other, change in changes.items()]
    return {**message, "change": mine, "others": others}


def _change(result: Result) -> dict[str, Any] | None:
    if result.rating_before is None or result.rating_after is None:
        return None
    # Difference of the rounded numbers, since only those are shown.
    before, after = round(result.rating_before), round(result.rating_after)
    provisional = (result.deviation_after or 0.0) > SURE_ENOUGH[Pool(result.pool)]
    return {"before": before, "after": after, "provisional": provisional}
