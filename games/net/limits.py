"""How much one socket, one person and one address may ask for. Time is an argument."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass


@dataclass(slots=True)
class Bucket:
    """A token bucket: `rate` tokens a second flow in, at most `burst` stay.

    A rate of 0 means no limit.
    """

    rate: float
    burst: float
    tokens: float
    since: float

    @classmethod
    def full(cls, rate: float, burst: float, now: float) -> Bucket:
        return cls(rate, burst, burst, now)

    def take(self, now: float) -> bool:
        """Take one token at `now` (seconds on any steady clock); False when there is none."""
        if self.rate == 0:
            return True
        self.tokens = min(self.burst, self.tokens + (now - self.since) * self.rate)
        self.since = now
        if self.tokens < 1:
            return False
        self.tokens -= 1
        return True


class Buckets:
    """One bucket per key, the least recently used forgotten first."""

    def __init__(self, rate: float, burst: float, most: int = 100_000) -> None:
        self._rate, self._burst, self._most = rate, burst, most
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, key: str, now: float) -> bool:
        """Take one token from the bucket of `key`."""
        return self.of(key, now).take(now)

    def of(self, key: str, now: float) -> Bucket:
        """The bucket of `key`."""
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = Bucket.full(self._rate, self._burst, now)
            if len(self._buckets) > self._most:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(key)
        return bucket
