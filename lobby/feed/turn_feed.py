"""Whose turn it is, told to people wherever they are on the site.

A turn passes with almost every ply, and the plies of a match are the busiest thing here. So what
passes is only noted, and told together a moment later, once to every process: however fast people play,
that is one message in `PAUSE` seconds. Nothing is read from the store for it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

import orjson

from games.models import Match
from games.net.debounce import Debouncer
from games.net.hub import Hub
from games.net.hub import hub as process_hub
from lobby.people.person import topic

PAUSE = 0.5
"""Seconds that a turn may pass back and forth before anybody is told."""

LISTENER = "turns"


class Turns:
    """The turns that passed in matches of this process and have not been told yet."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._passed = Debouncer(PAUSE, self._tell)
        hub.listen(LISTENER, self._hear)

    def passed(self, match_id: str, players: Collection[int], mover: int | None) -> None:
        """In a match of `players` it is the turn of `mover`, None when it is over; in the event loop."""
        self._passed.note(match_id, (players, mover))

    def _tell(self, passed: Mapping[str, tuple[Collection[int], int | None]]) -> None:
        turns = [[match_id, list(players), mover] for match_id, (players, mover) in passed.items()]
        self._hub.tell_everyone(LISTENER, {"turns": turns})

    def _hear(self, _: str, payload: bytes) -> None:
        for match_id, players, mover in orjson.loads(payload)["turns"]:
            for player in players:
                if self._hub.sockets(topic(player)):
                    message = {"type": "turn", "match": match_id, "mine": player == mover}
                    self._hub.tell_here(topic(player), message)


turns = Turns(process_hub)
"""The turns of this process."""


def begun(match: Match) -> None:
    """Tell the players of a new match which of them has the first move; from any thread."""
    players = [seating.user_id for seating in match.seatings.all()]
    mover = players[orjson.loads(match.start)["turn"]]
    process_hub.tell_everyone(LISTENER, {"turns": [[match.pk, players, mover]]})
