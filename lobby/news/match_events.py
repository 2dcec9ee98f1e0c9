"""What programs are told of the matches of their people."""

from __future__ import annotations

from collections.abc import Collection

import orjson

from games.models import Match
from lobby.news import events, news


def begun(match: Match) -> None:
    """A match has begun."""
    players = [seating.user_id for seating in match.seatings.all()]
    events.note(players, {"type": "match", "match": news.match_fields(match)})


def over(match: Match, players: Collection[int]) -> None:
    """A match is over."""
    outcome = orjson.loads(match.outcome or "null")
    events.note(players, {"type": "match-over", "match": match.pk, "outcome": outcome})
