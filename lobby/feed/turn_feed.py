"""Whose turn it is, sent to players on all their pages.

The turn passes with almost every ply, and plies are the most frequent writes. So changes are collected and
sent to every process together: one message per `PAUSE`, however fast players move. No queries are made.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import orjson

from games.domain.instants import milliseconds
from games.models import Match
from games.net.hub import Hub
from games.net.hub import hub as process_hub
from games.net.process import process
from games.net.tasks import Debouncer
from games.store import history
from lobby.people.person import topic

PAUSE = 0.5
"""Seconds for which changes are collected before they are sent."""

LISTENER = "turns"


class Turns:
    """Collects the turns that passed in matches of this process."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._passed = Debouncer(PAUSE, self._tell)
        hub.listen(LISTENER, self._hear)

    def passed(
        self, match_id: str, players: Collection[int], mover: int | None, due: datetime | None
    ) -> None:
        """It is the turn of `mover` in a match of `players` until `due`. In the event loop.

        None: the match is over, or has no clock.
        """
        self._passed.note(match_id, (players, mover, due))

    def _tell(self, passed: Mapping[str, tuple[Collection[int], int | None, datetime | None]]) -> None:
        turns = [
            [match_id, list(players), mover, _in_milliseconds(due)]
            for match_id, (players, mover, due) in passed.items()
        ]
        self._hub.tell_everyone(LISTENER, {"turns": turns})

    def _hear(self, _: str, payload: bytes) -> None:
        now = milliseconds(datetime.now(UTC))
        for match_id, players, mover, due in orjson.loads(payload)["turns"]:
            left = None if due is None else max(0, due - now)
            for player in players:
                if self._hub.sockets(topic(player)):
                    mine = player == mover
                    message = {
                        "type": "turn",
                        "match": match_id,
                        "mine": mine,
                        "left": left if mine else None,
                    }
                    self._hub.tell_here(topic(player), message)


turns = process.part(Turns, process_hub)
"""The collector of this process."""


def matches_begun(matches: Sequence[Match]) -> None:
    """Tell the players of new matches who moves first; from any thread."""
    process_hub.tell_everyone(LISTENER, {"turns": [_first_turn(match) for match in matches]})


def _first_turn(match: Match) -> list[Any]:
    players = [seating.user_id for seating in match.seatings.all()]
    mover = players[orjson.loads(match.start)["turn"]]
    return [match.pk, players, mover, _in_milliseconds(match.deadline)]


def left_in(match_ids: Collection[str], now: datetime) -> dict[str, int]:
    """How many milliseconds the player to move has left in each of these matches that has a clock."""
    return {
        match_id: max(0, milliseconds(due) - milliseconds(now))
        for match_id, due in history.deadlines(match_ids).items()
    }


def _in_milliseconds(due: datetime | None) -> int | None:
    return None if due is None else milliseconds(due)
