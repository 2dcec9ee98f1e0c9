"""What programs are told of the matches of their people."""

from __future__ import annotations

from collections.abc import Collection

import orjson

from games.models import Match
from lobby.news import events, news


def begun(match_id: str) -> None:
    """A match has begun."""
    match = news.matches_in_play().filter(pk=match_id).first()
    if match is not None:
        players = [seating.user_id for seating in match.seatings.all()]
        events.note(players, {"type": "match", "match": news.match_fields(match)})


def over(match: Match, players: Collection[int]) -> None:
    """A match is over."""
    outcome = orjson.loads(match.outcome or "null")
    events.note(players, {"type": "match-over", "match": match.pk, "outcome": outcome})
