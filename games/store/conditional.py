"""Stores conditional moves (`games.domain.conditional`): one row for each seat that has entered any."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import orjson
from django.db.models import Exists, F, OuterRef, Q, Subquery

from games.domain.conditional import Line
from games.models import ConditionalMoves, Match, Ply, Seating
from games.rules.base import Seat


@dataclass(frozen=True, slots=True)
class Kept:
    """The lines of a seat, starting from the position after ply `after`."""

    after: int
    lines: tuple[Line, ...]


def read(match_id: str, seat: Seat) -> Kept | None:
    """The lines of a seat, if it has any."""
    row = ConditionalMoves.objects.filter(match=match_id, seat=seat).first()
    if row is None:
        return None
    return Kept(row.after, tuple(tuple(line) for line in orjson.loads(row.lines)))


def keep(match_id: str, seat: Seat, kept: Kept) -> None:
    """Replace the lines of a seat. Deletes its row if there are no lines."""
    if not kept.lines:
        ConditionalMoves.objects.filter(match=match_id, seat=seat).delete()
        return
    text = orjson.dumps(kept.lines).decode()
    values = {"after": kept.after, "checked": kept.after, "lines": text}
    ConditionalMoves.objects.update_or_create(match_id=match_id, seat=seat, defaults=values)


def drop(match_id: str, seat: Seat, after: int) -> None:
    """Delete the lines of a seat that start after ply `after`; newer ones stay."""
    ConditionalMoves.objects.filter(match=match_id, seat=seat, after=after).delete()


def checked(match_id: str, seat: Seat, after: int, ply: int) -> None:
    """Record that a seat had nothing to play up to ply `ply`."""
    ConditionalMoves.objects.filter(match=match_id, seat=seat, after=after).update(checked=ply)


def played_since(match_id: str, after: int, until: int) -> list[str]:
    """The plies from `after` (exclusive) to `until` (inclusive), as text."""
    rows = Ply.objects.filter(match=match_id, number__gt=after, number__lte=until)
    return list(rows.order_by("number").values_list("action", flat=True))


def due(most: int) -> Sequence[tuple[str, Seat]]:
    """Seats whose lines were not checked since the last ply, or the end, of their match."""
    last = Ply.objects.filter(match=OuterRef("match")).order_by("-number").values("number")[:1]
    rows = ConditionalMoves.objects.annotate(last=Subquery(last))
    over = ~Q(match__status=Match.Status.PLAYING)
    found = rows.filter(Q(last__gt=F("checked")) | over).order_by("pk")
    return list(found.values_list("match_id", "seat")[:most])


def of(user_id: int) -> list[dict[str, Any]]:
    """All lines of a user, for the export of their data."""
    rows = ConditionalMoves.objects.filter(_belongs_to(user_id)).order_by("pk")
    return [{"match": row.match_id, "after": row.after, "lines": orjson.loads(row.lines)} for row in rows]


def forget(user_id: int) -> None:
    """Delete all lines of a user."""
    ConditionalMoves.objects.filter(_belongs_to(user_id)).delete()


def _belongs_to(user_id: int) -> Exists:
    """A condition: the row's seat belongs to the user."""
    return Exists(Seating.objects.filter(user=user_id, match=OuterRef("match"), seat=OuterRef("seat")))
