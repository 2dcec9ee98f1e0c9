"""The queue of positions to evaluate that belong to no match, and their evaluations.

As in `games.store.analysis_queue`, a worker leases due rows, and the first evaluation is final. Nobody waits
for long: what was asked for too long ago is not evaluated until somebody asks again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import NamedTuple

from games.bots.base import Evaluation
from games.domain import codec
from games.domain.position import Position
from games.models import PositionLook
from games.registry import GAMES
from games.store import leases

KEPT = timedelta(days=7)
"""For how long an evaluation is known."""
WAITED_FOR = timedelta(seconds=30)
"""For how long after the last request a position waits for a worker: a lease, and a reader's patience."""
BATCH = 20
"""Old rows deleted with each new one."""


class Asked(NamedTuple):
    """A position to evaluate; `game` is the slug, `state` the stored JSON."""

    digest: str
    game: str
    state: str
    seats: int


def digest_of(position: Position) -> str:
    """The name of a position: the SHA-256 of its game, its seats and its state."""
    return hashlib.sha256(f"{position.game.slug} {position.seats} {_state(position)}".encode()).hexdigest()


def _state(position: Position) -> str:
    return codec.encode_state(position.game.rules, position.state).decode()


def want(position: Position, now: datetime) -> None:
    """Request the evaluation of a position in which a player is to move; once, however many ask."""
    old = PositionLook.objects.filter(at__lt=now - KEPT).order_by("at").values_list("pk", flat=True)
    PositionLook.objects.filter(pk__in=list(old[:BATCH])).delete()
    row = PositionLook(
        digest=digest_of(position),
        game=position.game.slug,
        seats=position.seats,
        state=_state(position),
        due=now,
        at=now,
    )
    PositionLook.objects.bulk_create([row], ignore_conflicts=True)
    PositionLook.objects.filter(pk=row.digest, look=None, at__lt=now).update(at=now)


def look_of(digest: str) -> Evaluation | None:
    """The evaluation of a position by its digest; None if there is none yet."""
    look = PositionLook.objects.filter(pk=digest).values_list("look", flat=True).first()
    return None if look is None else codec.decode(Evaluation, look)


def take(now: datetime, most: int, lease: timedelta, games: Collection[str] = GAMES.keys()) -> list[Asked]:
    """Lease up to `most` due positions of some games for the duration `lease`, the newest first.

    Whoever has asked first may have left.
    """
    waiting = PositionLook.objects.filter(game__in=games, at__gt=now - WAITED_FOR).order_by("-at")
    taken = leases.take(waiting, "due", now, now + lease, most)
    # Polled every second and mostly empty.
    if not taken:
        return []
    rows = PositionLook.objects.filter(pk__in=taken).values_list("digest", "game", "state", "seats")
    return [Asked(*row) for row in rows]


def store(asked: Asked, look: Evaluation) -> None:
    """Store the evaluation of a position, unless one is already stored."""
    rows = PositionLook.objects.filter(pk=asked.digest, look=None)
    rows.update(look=codec.encode(look).decode(), due=None)


def forget(asked: Asked) -> None:
    """Delete a position whose search was stopped; who wants it asks anew."""
    PositionLook.objects.filter(pk=asked.digest, look=None).delete()
