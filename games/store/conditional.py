"""The conditional moves of players (`games.domain.conditional`): a row for each seat that has entered any."""

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
    """The lines of a seat, which begin in the position after ply number `after`."""

    after: int
    lines: tuple[Line, ...]


def read(match_id: str, seat: Seat) -> Kept | None:
    """What a seat has entered, if anything."""
    row = ConditionalMoves.objects.filter(match=match_id, seat=seat).first()
    if row is None:
        return None
    return Kept(row.after, tuple(tuple(line) for line in orjson.loads(row.lines)))


def keep(match_id: str, seat: Seat, kept: Kept) -> None:
    """Store the lines of a seat instead of those before; without any, nothing stays."""
    if not kept.lines:
        ConditionalMoves.objects.filter(match=match_id, seat=seat).delete()
        return
    text = orjson.dumps(kept.lines).decode()
    values = {"after": kept.after, "checked": kept.after, "lines": text}
    ConditionalMoves.objects.update_or_create(match_id=match_id, seat=seat, defaults=values)


def drop(match_id: str, seat: Seat, after: int) -> None:
    """Forget the lines of a seat that begin there; others may have been entered meanwhile."""
    ConditionalMoves.objects.filter(match=match_id, seat=seat, after=after).delete()


def checked(match_id: str, seat: Seat, after: int, ply: int) -> None:
    """There was nothing to play for a seat up to a ply."""
    ConditionalMoves.objects.filter(match=match_id, seat=seat, after=after).update(checked=ply)


def played_since(match_id: str, after: int, until: int) -> list[str]:
    """The texts of the plies after one, up to another."""
    rows = Ply.objects.filter(match=match_id, number__gt=after, number__lte=until)
    return list(rows.order_by("number").values_list("action", flat=True))


def due(most: int) -> Sequence[tuple[str, Seat]]:
    """The seats whose lines nobody has looked at since the last ply of their match, or the end of it."""
    last = Ply.objects.filter(match=OuterRef("match")).order_by("-number").values("number")[:1]
    rows = ConditionalMoves.objects.annotate(last=Subquery(last))
    over = ~Q(match__status=Match.Status.PLAYING)
    found = rows.filter(Q(last__gt=F("checked")) | over).order_by("pk")
    return list(found.values_list("match_id", "seat")[:most])


def of(user_id: int) -> list[dict[str, Any]]:
    """All lines of somebody, for the file of their data."""
    rows = ConditionalMoves.objects.filter(_belongs_to(user_id)).order_by("pk")
    return [{"match": row.match_id, "after": row.after, "lines": orjson.loads(row.lines)} for row in rows]


def forget(user_id: int) -> None:
    """Delete all lines of somebody."""
    ConditionalMoves.objects.filter(_belongs_to(user_id)).delete()


def _belongs_to(user_id: int) -> Exists:
    """That somebody sits at the seat of a row."""
    return Exists(Seating.objects.filter(user=user_id, match=OuterRef("match"), seat=OuterRef("seat")))
