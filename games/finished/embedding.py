"""A finished match for the board on another site, which steps through it without asking the server again."""

from __future__ import annotations

from typing import Any

import orjson

from games.models import Match
from games.store import history


def score(match_id: str) -> dict[str, Any]:
    """The state before the first ply and every ply with its events and the state after it, as JSON values."""
    start = Match.objects.values_list("start", flat=True).get(pk=match_id)
    plies = [
        {"ply": row.number, "events": orjson.loads(row.events), "state": orjson.loads(row.state)}
        for row in history.plies_since(match_id, 0)
    ]
    return {"start": orjson.loads(start), "plies": plies}
