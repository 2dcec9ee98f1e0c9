"""What a process knows of the others of its site: who listens to what, and whether all they said was heard.

Pure: times are seconds of any clock that never goes back. Whoever says something numbers it, for each
channel from one on, so that a number that is missing is a message that was lost.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

SILENT_AFTER = 6.0
"""Seconds without a word after which nobody waits for a process."""
FORGOTTEN_AFTER = 60.0
"""Seconds without a word after which a process is gone. One that stood still for a while is not."""


@dataclass(slots=True)
class _Peer:
    """Another process: when it was heard, the last numbers, its topics, and whether it said who it is."""

    heard_at: float
    numbers: dict[str, int]
    topics: set[str] = field(default_factory=set)
    introduced: bool = False


class Peers:
    """The other processes. `own` is the channel on which they speak to this process alone."""

    def __init__(self, own: str) -> None:
        self._own = own
        self._peers: dict[str, _Peer] = {}
        self._listening: dict[str, set[str]] = {}

    def __len__(self) -> int:
        return len(self._peers)

    def listening(self, topic: str) -> Collection[str]:
        """The other processes that are on a topic."""
        return self._listening.get(topic, ())

    def heard(self, peer: str, channel: str, number: int, now: float) -> bool:
        """Note that a process said something; False if it said something before that was lost."""
        known = self._known(peer, now)
        last, known.numbers[channel] = known.numbers.get(channel), number
        return last is None or number == last + 1

    def all_heard(self, peer: str, number: int) -> bool:
        """Whether all was heard that a process said to this one alone, which it says were so many."""
        numbers = self._peers[peer].numbers
        last, numbers[self._own] = numbers.get(self._own), number
        return last is None or last == number

    def introduced(self, peer: str) -> bool:
        """Note that a process said who it is; whether it had done so before."""
        before, self._peers[peer].introduced = self._peers[peer].introduced, True
        return before

    def expect_anything(self) -> None:
        """Nothing was heard for a while: what others say next has whatever number."""
        for peer in self._peers.values():
            peer.numbers.clear()

    def changes_topics(self, peer: str, joined: Iterable[str], left: Iterable[str], whole: bool) -> None:
        """A process joined some topics and left others; if `whole`, it is on no other than it joined."""
        topics = self._peers[peer].topics
        for topic in (*topics,) if whole else left:
            self._leave(peer, topic)
        for topic in joined:
            topics.add(topic)
            self._listening.setdefault(topic, set()).add(peer)

    def silent(self, now: float) -> Collection[str]:
        """Those from whom nothing comes, though they may be there."""
        return {name for name, peer in self._peers.items() if peer.heard_at + SILENT_AFTER < now}

    def speaking(self, now: float) -> Collection[str]:
        """All others."""
        return self._peers.keys() - self.silent(now)

    def forget(self, now: float) -> Collection[str]:
        """Let go of those who are gone; who they were."""
        gone = [name for name, peer in self._peers.items() if peer.heard_at + FORGOTTEN_AFTER < now]
        for name in gone:
            self.changes_topics(name, (), (), whole=True)
            del self._peers[name]
        return gone

    def _known(self, peer: str, now: float) -> _Peer:
        # Nobody speaks to this process alone before they have met.
        known = self._peers.setdefault(peer, _Peer(now, {self._own: 0}))
        known.heard_at = now
        return known

    def _leave(self, peer: str, topic: str) -> None:
        self._peers[peer].topics.discard(topic)
        listening = self._listening.get(topic, set())
        listening.discard(peer)
        if not listening:
            self._listening.pop(topic, None)


class Announcement:
    """Something said to all that each of them confirms: done when it is known that all have heard of it.

    Args:
        waited_for: the processes that are known, and speak.
        silent: how many more are known, who may be there without saying a word.
    """

    def __init__(self, waited_for: Collection[str], silent: int) -> None:
        self._waited_for, self._silent = set(waited_for), silent
        self._confirmed: set[str] = set()
        self._receivers: int | None = None

    def confirmed(self, peer: str) -> None:
        self._confirmed.add(peer)

    def reached(self, others: int) -> None:
        """It went to so many others, known or not."""
        self._receivers = others

    @property
    def done(self) -> bool:
        if self._receivers is None:
            return False
        if len(self._confirmed) >= self._receivers:
            return True
        return self._confirmed >= self._waited_for and len(self._confirmed) >= self._receivers - self._silent
