"""Rate limits and concurrency limits, by socket, user and address. The current time is an argument."""

from __future__ import annotations

import math
import re
from collections import Counter, OrderedDict
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any

from django.conf import settings

from games.net.process import process

NETWORK_BITS = 64
"""Bits of an IPv6 address that identify a household, which can use every address below them."""


def network(address: str) -> str:
    """The key to limit an address by: itself, or its /64 network if it is IPv6."""
    parsed = _parsed(address)
    if isinstance(parsed, IPv6Address):
        return str(ip_network((parsed.packed, NETWORK_BITS), strict=False).network_address)
    return address if parsed is None else str(parsed)


def _parsed(address: str) -> IPv4Address | IPv6Address | None:
    """An address, as IPv4 where IPv6 only wraps it; None for other texts."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return None
    return getattr(parsed, "ipv4_mapped", None) or parsed


CROWD = "crowd of "
"""Marks the keys of networks that stand for many people. `Buckets` and `Places` do not limit these."""


def address_key(address: str) -> str:
    """The key to limit an address by, marked if it is in `CROWDED_NETWORKS`."""
    parsed, key = _parsed(address), network(address)
    crowded = parsed is not None and any(parsed in crowd for crowd in settings.CROWDED_NETWORKS)
    return CROWD + key if crowded else key


def network_of(request: Any) -> str:
    """The key to limit an anonymous request by."""
    return address_key(request.META.get("REMOTE_ADDR", ""))


def limit_keys(user_id: int | None, network: str) -> list[str]:
    """The keys to limit a request by: that of its address, and that of its user if it has one."""
    return [f"address {network}"] + ([] if user_id is None else [f"user {user_id}"])


DURATIONS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


@dataclass(frozen=True, slots=True)
class Rate:
    """`count` events in `seconds`, in one burst if need be. A count of 0 means no limit."""

    count: int
    seconds: int

    @classmethod
    def parse(cls, text: str) -> Rate:
        """Read `5/15s`, `60/m` or `0` (units: s, m, h, d). Raises `ValueError`."""
        read = re.fullmatch(r"(\d+)(?:/([1-9]\d*)?([smhd]))?", text.strip())
        if read is None or (read[3] is None and int(read[1])):
            raise ValueError(text)
        return cls(int(read[1]), int(read[2] or 1) * DURATIONS[read[3] or "s"])

    @property
    def per_second(self) -> float:
        """Tokens per second."""
        return self.count / self.seconds

    @property
    def retry_after(self) -> dict[str, str]:
        """The Retry-After header of a refusal: the seconds until one more request is allowed."""
        return {"Retry-After": str(math.ceil(self.seconds / self.count) if self.count else 1)}


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
        """A bucket with `burst` tokens at the time `now`, which gains `rate` tokens a second."""
        return cls(rate, burst, burst, now)

    @classmethod
    def at(cls, rate: Rate, now: float) -> Bucket:
        """A full bucket for a rate: its burst is `count`, and it refills in `seconds`."""
        return cls.full(rate.per_second, rate.count, now)

    def _refill(self, now: float) -> None:
        self.tokens = min(self.burst, self.tokens + (now - self.since) * self.rate)
        self.since = now

    def spend(self, tokens: float, now: float) -> None:
        """Take tokens for something already used. The balance may become negative."""
        if self.rate:
            self._refill(now)
            self.tokens -= tokens

    def wait(self, now: float) -> float:
        """Seconds until the balance is no longer negative; 0 if it is not."""
        if self.rate == 0:
            return 0.0
        self._refill(now)
        return max(0.0, -self.tokens / self.rate)

    def take(self, now: float) -> bool:
        """Take one token at `now` (seconds on any steady clock); False when there is none."""
        if self.rate == 0:
            return True
        self._refill(now)
        if self.tokens < 1:
            return False
        self.tokens -= 1
        return True


class Buckets:
    """One bucket per key, with least-recently-used eviction."""

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
            rate = 0 if CROWD in key else self._rate
            bucket = self._buckets[key] = Bucket.full(rate, self._burst, now)
            if len(self._buckets) > self._most:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(key)
        return bucket


def limiter(rate: Rate) -> Buckets:
    """The rate limit of something in this process, with buckets as in `Bucket.at`."""
    return process.part(Buckets, rate.per_second, rate.count)


class Places:
    """Counts what each key uses at once, at most `most`; 0 means no limit."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._taken: Counter[str] = Counter()

    def take(self, key: str, number: int = 1) -> bool:
        """Take places. False when too few are left; who has none gets any number."""
        taken = self._taken[key]
        if self._most and CROWD not in key and taken and taken + number > self._most:
            return False
        self._taken[key] += number
        return True

    @property
    def taken(self) -> int:
        """How many places all keys take together."""
        return sum(self._taken.values())

    def give_back(self, key: str, number: int = 1) -> None:
        """Return places."""
        self._taken[key] -= number
        if not self._taken[key]:
            del self._taken[key]
