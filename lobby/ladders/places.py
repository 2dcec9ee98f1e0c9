"""Places on a ladder: 1 is the first. Writes `Rung`, in transactions whose caller holds the ladder."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from lobby.ladders.models import ClubLadder, Rung


def rung(ladder: ClubLadder, user_id: int) -> Rung | None:
    """The place of a user."""
    return Rung.objects.filter(ladder=ladder, user=user_id).first()


def add(ladder: ClubLadder, user_id: int, now: datetime) -> None:
    """Put a user on the last place, once."""
    last = Rung.objects.filter(ladder=ladder).count() + 1
    due = _falls(ladder, now)
    Rung.objects.get_or_create(
        ladder=ladder, user_id=user_id, defaults={"place": last, "joined": now, "due": due}
    )


def remove(ladder: ClubLadder, user_id: int) -> bool:
    """Take a user off the ladder; everybody below moves up. Returns whether there was one."""
    gone, _by_model = Rung.objects.filter(ladder=ladder, user=user_id).delete()
    _number(list(Rung.objects.filter(ladder=ladder)))
    return bool(gone)


def overtake(ladder: ClubLadder, winner_id: int, loser_id: int) -> None:
    """Give the winner the place of the loser, who moves down one with all between them.

    Nothing changes if the winner is above by then, or one of them is gone.
    """
    order = list(Rung.objects.filter(ladder=ladder))
    winner = next((each for each in order if each.user_id == winner_id), None)
    loser = next((each for each in order if each.user_id == loser_id), None)
    if winner is None or loser is None or order.index(winner) < order.index(loser):
        return
    order.remove(winner)
    order.insert(order.index(loser), winner)
    _number(order)


def fall(found: Rung, now: datetime) -> None:
    """Let somebody who has played nothing fall by one place."""
    order = list(Rung.objects.filter(ladder=found.ladder))
    at = next(place for place, each in enumerate(order) if each.pk == found.pk)
    order[at : at + 2] = order[at : at + 2][::-1]
    _number(order)
    Rung.objects.filter(pk=found.pk).update(due=_falls(found.ladder, now))


def note_active(ladder: ClubLadder, user_ids: Sequence[int], now: datetime) -> None:
    """Note that these users do not fall for now."""
    Rung.objects.filter(ladder=ladder, user__in=user_ids).update(due=_falls(ladder, now))


def renew(ladder: ClubLadder, now: datetime) -> None:
    """Count the days anew until somebody falls, because the organisers have changed them."""
    Rung.objects.filter(ladder=ladder).update(due=_falls(ladder, now))


def _falls(ladder: ClubLadder, now: datetime) -> datetime | None:
    return now + timedelta(days=ladder.idle_days) if ladder.idle_days else None


def _number(order: Sequence[Rung]) -> None:
    moved = []
    for place, each in enumerate(order, 1):
        if each.place != place:
            each.place = place
            moved.append(each)
    Rung.objects.bulk_update(moved, ["place"])
