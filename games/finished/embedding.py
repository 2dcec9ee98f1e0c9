"""A finished match for embedded boards, which replay it without further requests."""

from __future__ import annotations

from typing import Any

import orjson

from games.models import Match
from games.store import history


def score(match_id: str) -> dict[str, Any]:
    """The initial state, and every ply with its events and resulting state, as JSON values."""
    start = Match.objects.values_list("start", flat=True).get(pk=match_id)
    plies = [
        {"ply": row.number, "events": orjson.loads(row.events), "state": orjson.loads(row.state)}
        for row in history.plies_since(match_id, 0)
    ]
    return {"start": orjson.loads(start), "plies": plies}
