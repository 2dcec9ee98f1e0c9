"""Presence at a match: connected seats, since when the others are away, and the spectators.

Each process shares what it sees with the others (`games.net.shared_state`). Signed-in spectators are counted
once, however many pages they have open. Anonymous ones are counted by sockets, since nothing else tells them
apart.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import orjson

from games.domain import absence, instants
from games.domain.terms import seats_of
from games.net.hub import Hub, TopicListener
from games.net.hub import hub as process_hub
from games.net.process import process
from games.net.shared_state import FORGOTTEN_AFTER, SharedState, Update, Value
from games.play.matches import Matches, topic
from games.play.matches import matches as process_matches
from games.rules.base import Seat
from games.watch.delay import LATE_ENOUGH
from games.watch.delay import topic as delayed_topic
from games.watch.watcher_counts import WatcherCounts, watcher_counts

SETTLE_SECONDS = 0.1
"""Changes within this time are announced together, so that a page reload goes unnoticed."""
SETTLE = int(SETTLE_SECONDS * 1000)
"""The same in milliseconds. A shorter absence does not count."""
MOST_NAMES = 20
"""With more spectators than this, only their number is sent."""


@dataclass(frozen=True, slots=True)
class LocalPresence:
    """The presence at a match as one process sees it.

    Attributes:
        people: number of signed-in spectators.
        names: their names, unless they are more than `MOST_NAMES`.
        visitors: number of sockets of anonymous spectators.
        present: seats whose players are connected to this process.
    """

    people: int
    names: frozenset[str]
    visitors: int
    present: frozenset[Seat]

    @property
    def watchers(self) -> int:
        """How many people and visitors watch in this process."""
        return self.people + self.visitors

    def value(self) -> Value:
        """Encode for other processes."""
        return {
            "people": self.people,
            "names": list(self.names),
            "visitors": self.visitors,
            "present": list(self.present),
        }

    @classmethod
    def heard(cls, value: Value) -> Self:
        """Decode the value of another process."""
        return cls(value["people"], frozenset(value["names"]), value["visitors"], frozenset(value["present"]))


@dataclass(slots=True)
class MatchCrowd:
    """The presence at one match over all processes, kept while it has local viewers.

    Attributes:
        begun: when this process started to track the match, in milliseconds of Unix time.
        present: seats connected to any process.
        left: when each absent seat was last connected, in milliseconds, for seats ever seen here.
        sent: the message last sent to the sockets of this process.
    """

    begun: int
    present: frozenset[Seat] = frozenset()
    left: dict[Seat, int] = field(default_factory=dict)
    sent: dict[str, Any] | None = None
    settling: bool = False

    def note(self, present: frozenset[Seat], lost: int) -> None:
        """Update the connected seats. Seats that are gone were lost at time `lost`."""
        self.left.update(dict.fromkeys(self.present - present, lost))
        for seat in present:
            self.left.pop(seat, None)
        self.present = present

    def reset_timeouts(self, now: int) -> None:
        """Restart all absences: we could not receive anything until now."""
        self.begun, self.left = now, dict.fromkeys(self.left, now)


class Crowd:
    """The presence at every match that this process serves."""

    def __init__(
        self, hub: Hub, matches: Matches, counts: WatcherCounts, now: Callable[[], int] = instants.now
    ) -> None:
        self._hub, self._matches, self._counts, self._now = hub, matches, counts, now
        self._crowds: dict[str, MatchCrowd] = {}
        self._shared = SharedState(hub, "crowd", self._told, self._heard)
        hub.listen("crowd-hidden", self._hear_hidden)

    def begin(self) -> None:
        """Start to share the presence with the other processes, if there are any.

        Call it in the event loop.
        """
        self._shared.begin()

    def of(self, match_id: str) -> dict[str, Any]:
        """The presence at a match with local viewers, as message fields (`messages.Crowd`)."""
        live = self._matches.in_memory(match_id)
        assert live is not None, f"nobody looks at {match_id}"
        watchers, names = (0, []) if live.hidden_by else _watchers(self._parts(match_id))
        return {
            "watchers": watchers,
            "names": names,
            "present": sorted(self._crowds[match_id].present),
            "away": [
                {"seat": seat, "since": since, "due": absence.due(live.absence(), since)}
                for seat, since in self.away(match_id, len(live.names)).items()
            ],
            "hidden": bool(live.hidden_by),
            "hidden_by": list(live.hidden_by),
        }

    def away(self, match_id: str, seats: int) -> dict[Seat, int]:
        """The seats that are `lost` for long enough not to be a page reload."""
        latest = self._now() - SETTLE
        return {seat: since for seat, since in self.lost(match_id, seats).items() if since <= latest}

    def lost(self, match_id: str, seats: int) -> dict[Seat, int]:
        """The disconnected ones of `seats`, each with the time since when, in milliseconds of Unix time.

        The time is what this process knows: since it started to track the match for a seat never seen, and
        now for all seats if the match has no local viewers.
        """
        crowd = self._crowds.get(match_id)
        if crowd is None:
            return dict.fromkeys(range(seats), self._now())
        seen = {seat: crowd.left.get(seat, crowd.begun) for seat in range(seats)}
        return {seat: since for seat, since in seen.items() if seat not in crowd.present}

    def changed(self, match_id: str, seat: Seat | None) -> None:
        """A player (by seat) or spectator connected or disconnected: announce it after `SETTLE_SECONDS`."""
        crowd = self._crowds.get(match_id)
        if crowd is None:
            crowd = self._crowds[match_id] = MatchCrowd(self._now())
            self._shared.follow(topic(match_id))
        if seat is not None:
            self._note(match_id, crowd, self._now())
        self._settle(match_id, crowd)

    def hidden(self, match_id: str, hidden_by: Sequence[Seat]) -> None:
        """The players hide or show the spectators: announce it at once."""
        self._tell_sockets(match_id)
        self._hub.tell_processes(topic(match_id), "crowd-hidden", {"hidden_by": hidden_by})

    # Local sockets

    def _sockets(self, match_id: str) -> Iterable[Any]:
        for each in (topic(match_id), delayed_topic(match_id)):
            yield from (socket for socket in self._hub.sockets(each) if not isinstance(socket, TopicListener))

    def _here(self, match_id: str) -> LocalPresence:
        watching = [socket for socket in self._sockets(match_id) if socket.seat is None]
        people = {socket.user_id: socket.name for socket in watching if _is_named(socket)}
        return LocalPresence(
            people=len(people),
            names=frozenset(people.values()) if len(people) <= MOST_NAMES else frozenset(),
            visitors=sum(not _is_named(socket) for socket in watching),
            present=self._present_here(match_id),
        )

    def _present_here(self, match_id: str) -> frozenset[Seat]:
        live = self._matches.in_memory(match_id)
        # Computer players are always present.
        computers = frozenset[Seat]() if live is None else frozenset(live.levels)
        count = 0 if live is None else len(live.names)
        held = (socket.seat for socket in self._sockets(match_id) if socket.seat is not None)
        return computers.union(*(seats_of(seat, count) for seat in held))

    def _parts(self, match_id: str) -> list[LocalPresence]:
        return [self._here(match_id), *self._elsewhere(match_id)]

    def _elsewhere(self, match_id: str) -> list[LocalPresence]:
        return [LocalPresence.heard(value) for value in self._shared.others(topic(match_id))]

    def _note(self, match_id: str, crowd: MatchCrowd, lost: int) -> None:
        elsewhere = (part.present for part in self._elsewhere(match_id))
        crowd.note(self._present_here(match_id).union(*elsewhere), lost)

    # Announcing

    def _settle(self, match_id: str, crowd: MatchCrowd) -> None:
        if not crowd.settling:
            crowd.settling = True
            wait = SETTLE_SECONDS + LATE_ENOUGH
            asyncio.get_running_loop().call_later(wait, self._settled, match_id, crowd)

    def _settled(self, match_id: str, crowd: MatchCrowd) -> None:
        crowd.settling = False
        self._shared.tell_all(topic(match_id), ask=True)
        self._tell_sockets(match_id)
        if not any(self._sockets(match_id)):
            # With several processes we miss changes while nobody here watches, so drop the state now. A
            # single process keeps it for a while, so that a reload shows the true absence.
            wait = 0 if self._hub.remote else FORGOTTEN_AFTER
            asyncio.get_running_loop().call_later(wait, self._forget, match_id)
        elif any(since > self._now() - SETTLE for since in crowd.left.values()):
            self._settle(match_id, crowd)

    def _forget(self, match_id: str) -> None:
        crowd = self._crowds.get(match_id)
        if crowd is not None and not crowd.settling and not any(self._sockets(match_id)):
            del self._crowds[match_id]
            self._shared.drop(topic(match_id))

    def _tell_sockets(self, match_id: str) -> None:
        live = self._matches.in_memory(match_id)
        here = self._here(match_id)
        self._counts.changed(match_id, 0 if live is None or live.hidden_by else here.watchers)
        if live is not None and match_id in self._crowds:
            crowd = self._crowds[match_id].sent = self.of(match_id)
            for each in (topic(match_id), delayed_topic(match_id)):
                self._hub.tell_here(each, {"type": "crowd", **crowd})

    # Other processes

    def _told(self, of_topic: str) -> Value:
        return self._here(of_topic.partition(".")[2]).value()

    def _heard(self, heard_topic: str, _updates: Sequence[Update]) -> None:
        match_id = heard_topic.partition(".")[2]
        crowd = self._crowds[match_id]
        if self._hub.bus_down:
            crowd.reset_timeouts(self._now())
        self._follow(match_id, crowd)

    def _follow(self, match_id: str, crowd: MatchCrowd) -> None:
        """Merge the values of the other processes, and announce changes."""
        # The sender has already waited that long for the player to return.
        self._note(match_id, crowd, self._now() - SETTLE)
        live = self._matches.in_memory(match_id)
        if live is not None and crowd.sent is not None and self.of(match_id) != crowd.sent:
            self._tell_sockets(match_id)

    def _hear_hidden(self, heard_topic: str, payload: bytes) -> None:
        match_id = heard_topic.partition(".")[2]
        live = self._matches.in_memory(match_id)
        if live is not None:
            live.hidden_by = tuple(orjson.loads(payload)["hidden_by"])
            self._tell_sockets(match_id)


def _watchers(parts: Sequence[LocalPresence]) -> tuple[int, list[str]]:
    """Number of spectators, and their names as far as they are sent, in order."""
    names = frozenset[str]().union(*(part.names for part in parts))
    named = all(len(part.names) == part.people for part in parts)
    # Users who watch through two processes can be recognised only by name.
    people = len(names) if named else sum(part.people for part in parts)
    count = people + sum(part.visitors for part in parts)
    return count, sorted(names, key=str.casefold) if count <= MOST_NAMES else []


def _is_named(socket: Any) -> bool:
    """Whether a spectator is counted as a person with a name; others are as good as anonymous."""
    return socket.user_id is not None and socket.name != ""


crowd = process.part(Crowd, process_hub, process_matches, watcher_counts)
"""The presence at matches as this process knows it."""
