"""Who is at a match right now: which seats are present, since when the others are away, and who watches.

Each process tells the others what it sees (`games.net.gossip`). Of those who watch, people who have signed
in are counted once, however many pages they have open; visitors are counted by their sockets, since nothing
else tells them apart.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import orjson

from games.domain import absence, instants
from games.domain.terms import EVERY_SEAT
from games.net.gossip import FORGOTTEN_AFTER, Gossip, News, Value
from games.net.hub import Hub, TopicListener
from games.net.hub import hub as process_hub
from games.play.matches import Matches, topic
from games.play.matches import matches as process_matches
from games.rules.base import Seat
from games.watch.delay import LATE_ENOUGH
from games.watch.delay import topic as delayed_topic
from games.watch.watcher_counts import WatcherCounts, watcher_counts

SETTLE_SECONDS = 0.1
"""Changes within this time are told as one: a reload is no news."""
SETTLE = int(SETTLE_SECONDS * 1000)
"""The same in milliseconds: who is back within it was never away."""
MOST_NAMES = 20
"""Where more than so many watch, only their number is told."""


@dataclass(frozen=True, slots=True)
class LocalPresence:
    """What one process sees of a match's crowd.

    Attributes:
        people: how many of those who watch have signed in.
        names: theirs, unless they are more than `MOST_NAMES`.
        visitors: sockets of watchers who have not signed in.
        present: the seats whose players are connected there.
    """

    people: int
    names: frozenset[str]
    visitors: int
    present: frozenset[Seat]

    @property
    def watchers(self) -> int:
        return self.people + self.visitors

    def told(self) -> Value:
        """As the other processes are told."""
        return {
            "people": self.people,
            "names": list(self.names),
            "visitors": self.visitors,
            "present": list(self.present),
        }

    @classmethod
    def heard(cls, told: Value) -> Self:
        """What another process told."""
        return cls(told["people"], frozenset(told["names"]), told["visitors"], frozenset(told["present"]))


@dataclass(slots=True)
class MatchCrowd:
    """What this process knows of one match's crowd while somebody here looks at the match.

    Attributes:
        begun: the moment this process began to look, in milliseconds of Unix time.
        present: the seats that are connected anywhere.
        left: the moment each of the others was lost, for those that were ever seen.
        told: the crowd as the sockets of this process were last told.
    """

    begun: int
    present: frozenset[Seat] = frozenset()
    left: dict[Seat, int] = field(default_factory=dict)
    told: dict[str, Any] | None = None
    settling: bool = False

    def note(self, present: frozenset[Seat], lost: int) -> None:
        """Keep account of who has come; those who have gone were lost at the moment `lost`."""
        self.left.update(dict.fromkeys(self.present - present, lost))
        for seat in present:
            self.left.pop(seat, None)
        self.present = present

    def excuse(self, now: int) -> None:
        """Nothing was heard from anywhere: no absence has lasted."""
        self.begun, self.left = now, dict.fromkeys(self.left, now)


class Crowd:
    """The crowd of every match that this process serves."""

    def __init__(
        self, hub: Hub, matches: Matches, counts: WatcherCounts, now: Callable[[], int] = instants.now
    ) -> None:
        self._hub, self._matches, self._counts, self._now = hub, matches, counts, now
        self._crowds: dict[str, MatchCrowd] = {}
        self._gossip = Gossip(hub, "crowd", self._told, self._heard)
        hub.listen("crowd-hidden", self._hear_hidden)

    def begin(self) -> None:
        """Repeat to the other processes, if there may be any, what is seen here; in the event loop."""
        self._gossip.begin()

    def of(self, match_id: str) -> dict[str, Any]:
        """The crowd of a match that somebody here looks at, as it goes over the wire (`messages.Crowd`)."""
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
        """Those who are `lost` for long enough that they do not seem to be on their way back."""
        latest = self._now() - SETTLE
        return {seat: since for seat, since in self.lost(match_id, seats).items() if since <= latest}

    def lost(self, match_id: str, seats: int) -> dict[Seat, int]:
        """Those of `seats` whose players are nowhere connected, and the moment since which.

        It is in milliseconds of Unix time, and as this process knows it: a seat that was never seen is
        lost since somebody here began to look, and all are lost since just now if nobody looks at all.
        """
        crowd = self._crowds.get(match_id)
        if crowd is None:
            return dict.fromkeys(range(seats), self._now())
        seen = {seat: crowd.left.get(seat, crowd.begun) for seat in range(seats)}
        return {seat: since for seat, since in seen.items() if seat not in crowd.present}

    def changed(self, match_id: str, seat: Seat | None) -> None:
        """Somebody came or went, at a seat or to watch: tell everyone, in a moment."""
        crowd = self._crowds.get(match_id)
        if crowd is None:
            crowd = self._crowds[match_id] = MatchCrowd(self._now())
            self._gossip.follow(topic(match_id))
        if seat is not None:
            self._note(match_id, crowd, self._now())
        self._settle(match_id, crowd)

    def hidden(self, match_id: str, hidden_by: Sequence[Seat]) -> None:
        """The players hide who watches, or do so no longer: tell everyone at once."""
        self._tell_sockets(match_id)
        self._hub.tell_processes(topic(match_id), "crowd-hidden", {"hidden_by": hidden_by})

    # What this process sees

    def _sockets(self, match_id: str) -> Iterable[Any]:
        for each in (topic(match_id), delayed_topic(match_id)):
            yield from (socket for socket in self._hub.sockets(each) if not isinstance(socket, TopicListener))

    def _here(self, match_id: str) -> LocalPresence:
        watching = [socket for socket in self._sockets(match_id) if socket.seat is None]
        people = {socket.user_id: socket.name for socket in watching if socket.user_id is not None}
        return LocalPresence(
            people=len(people),
            names=frozenset(people.values()) if len(people) <= MOST_NAMES else frozenset(),
            visitors=sum(socket.user_id is None for socket in watching),
            present=self._present_here(match_id),
        )

    def _present_here(self, match_id: str) -> frozenset[Seat]:
        live = self._matches.in_memory(match_id)
        # A computer player needs no socket to be there.
        computers = frozenset[Seat]() if live is None else frozenset(live.levels)
        here = computers.union(socket.seat for socket in self._sockets(match_id) if socket.seat is not None)
        if EVERY_SEAT in here:
            return frozenset(range(0 if live is None else len(live.names)))
        return here

    def _parts(self, match_id: str) -> list[LocalPresence]:
        return [self._here(match_id), *self._elsewhere(match_id)]

    def _elsewhere(self, match_id: str) -> list[LocalPresence]:
        return [LocalPresence.heard(told) for told in self._gossip.others(topic(match_id))]

    def _note(self, match_id: str, crowd: MatchCrowd, lost: int) -> None:
        elsewhere = (part.present for part in self._elsewhere(match_id))
        crowd.note(self._present_here(match_id).union(*elsewhere), lost)

    # Telling

    def _settle(self, match_id: str, crowd: MatchCrowd) -> None:
        if not crowd.settling:
            crowd.settling = True
            wait = SETTLE_SECONDS + LATE_ENOUGH
            asyncio.get_running_loop().call_later(wait, self._settled, match_id, crowd)

    def _settled(self, match_id: str, crowd: MatchCrowd) -> None:
        crowd.settling = False
        self._gossip.tell_all(topic(match_id), ask=True)
        self._tell_sockets(match_id)
        if not any(self._sockets(match_id)):
            # One process of several misses who comes and goes meanwhile, and forgets at once. The only
            # one misses nobody: somebody who reloads the page finds every absence as long as it is.
            wait = 0 if self._hub.remote else FORGOTTEN_AFTER
            asyncio.get_running_loop().call_later(wait, self._forget, match_id)
        elif any(since > self._now() - SETTLE for since in crowd.left.values()):
            self._settle(match_id, crowd)

    def _forget(self, match_id: str) -> None:
        crowd = self._crowds.get(match_id)
        if crowd is not None and not crowd.settling and not any(self._sockets(match_id)):
            del self._crowds[match_id]
            self._gossip.drop(topic(match_id))

    def _tell_sockets(self, match_id: str) -> None:
        live = self._matches.in_memory(match_id)
        here = self._here(match_id)
        self._counts.changed(match_id, 0 if live is None or live.hidden_by else here.watchers)
        if live is not None and match_id in self._crowds:
            crowd = self._crowds[match_id].told = self.of(match_id)
            for each in (topic(match_id), delayed_topic(match_id)):
                self._hub.tell_here(each, {"type": "crowd", **crowd})

    # What processes tell each other

    def _told(self, of_topic: str) -> Value:
        return self._here(of_topic.partition(".")[2]).told()

    def _heard(self, heard_topic: str, _news: Sequence[News]) -> None:
        match_id = heard_topic.partition(".")[2]
        crowd = self._crowds[match_id]
        if self._hub.deaf:
            crowd.excuse(self._now())
        self._follow(match_id, crowd)

    def _follow(self, match_id: str, crowd: MatchCrowd) -> None:
        """Take in what is known of other processes now, and tell it if it is news."""
        # The process that told of it has waited for that long, in case they came back.
        self._note(match_id, crowd, self._now() - SETTLE)
        live = self._matches.in_memory(match_id)
        if live is not None and crowd.told is not None and self.of(match_id) != crowd.told:
            self._tell_sockets(match_id)

    def _hear_hidden(self, heard_topic: str, payload: bytes) -> None:
        match_id = heard_topic.partition(".")[2]
        live = self._matches.in_memory(match_id)
        if live is not None:
            live.hidden_by = tuple(orjson.loads(payload)["hidden_by"])
            self._tell_sockets(match_id)


def _watchers(parts: Sequence[LocalPresence]) -> tuple[int, list[str]]:
    """How many watch, and their names as far as they are told, in order."""
    names = frozenset[str]().union(*(part.names for part in parts))
    named = all(len(part.names) == part.people for part in parts)
    # Only by their names are those known who watch through two processes.
    people = len(names) if named else sum(part.people for part in parts)
    count = people + sum(part.visitors for part in parts)
    return count, sorted(names, key=str.casefold) if count <= MOST_NAMES else []


crowd = Crowd(process_hub, process_matches, watcher_counts)
"""The crowd as this process knows it."""
