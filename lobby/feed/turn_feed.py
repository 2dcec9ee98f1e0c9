"""Whose turn it is, sent to players on all their pages.

The turn passes with almost every ply, and plies are the most frequent writes. So changes are collected and
sent to every process together: one message per `PAUSE`, however fast players move. No queries are made.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import orjson

from games.models import Match
from games.net.debounce import Debouncer
from games.net.hub import Hub
from games.net.hub import hub as process_hub
from games.net.process import process
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

    def passed(self, match_id: str, players: Collection[int], mover: int | None) -> None:
        """It is the turn of `mover` in a match of `players`; None: the match is over. In the event loop."""
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


turns = process.part(Turns, process_hub)
"""The collector of this process."""


def matches_begun(matches: Sequence[Match]) -> None:
    """Tell the players of new matches who moves first; from any thread."""
    players = {match.pk: [seating.user_id for seating in match.seatings.all()] for match in matches}
    movers = {match.pk: players[match.pk][orjson.loads(match.start)["turn"]] for match in matches}
    turns = [[match_id, people, movers[match_id]] for match_id, people in players.items()]
    process_hub.tell_everyone(LISTENER, {"turns": turns})
