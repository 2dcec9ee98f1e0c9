"""The delivery queue of webhooks: pending deliveries, leases and results.

A delivery is leased (`games.store.leases`) for longer than a try can last. So each is tried at least once,
and never by two processes at the same time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import Enum
from operator import attrgetter
from typing import Any

import orjson
from django.db import transaction
from django.db.models import Count, Min, Q

from games.store import leases
from games.store.leases import Share
from lobby.notices.models import Device
from lobby.webhooks.models import Delivery, Hook

LEASE = timedelta(seconds=30)
"""Lease of a delivery; a try takes less than a third of it."""
WAITS = (10, 60, 5 * 60, 30 * 60, 2 * 3600, 6 * 3600, 24 * 3600)
"""Seconds from each failed try to the next; after the last it is given up."""
JITTER = 0.2
"""Random part of a wait, so that deliveries that failed together spread out."""
FAILING = timedelta(days=3)
"""A webhook whose deliveries have failed for longer is stopped."""

SHARE = 4
"""Maximum concurrent deliveries per user and lane in one process."""
QUICK = 1.0
"""Seconds after which a delivery counts as slow."""
SLOW_FOR = timedelta(minutes=10)
"""How long a webhook counts as slow after a slow delivery."""
MOST_WAITING = 1000
"""Maximum pending deliveries per webhook; further events are dropped."""
MOST_KEPT = 100
"""Maximum entries in a webhook's log, without pending ones."""
KEPT_FOR = timedelta(days=30)

DEVICE_WAITS = WAITS[:4]
"""The same for devices: a notification that is hours late is useless."""

GONE = 410
NO_DEVICE = frozenset({404, GONE})
"""Statuses of a push service for a subscription that no longer exists (RFC 8030)."""


class Lane(Enum):
    """The lanes of deliveries. Each has its own places, so that none waits for another."""

    WEBHOOKS = "webhooks"
    DEVICES = "devices"
    SLOW = "slow"


@dataclass(frozen=True, slots=True)
class OutgoingEvent:
    """An event for a webhook, before it is stored; `id` is its idempotency key."""

    hook: Hook
    event: str
    id: str
    body: Mapping[str, Any]


@dataclass(slots=True, eq=False)
class ClaimedDelivery:
    """A delivery that a process has leased, until `until`. Once it turns out to be slow, its lane changes."""

    delivery: int
    hook: int
    owner: int
    until: datetime
    url: str
    event: str
    event_id: str
    body: bytes
    secret: str = field(repr=False)
    site: str
    device: Device | None = field(repr=False)
    """The browser, if it goes to a push service."""
    lane: Lane


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of a try: the HTTP status, or None and the reason (`outgoing.Unsent`).

    `seconds` is how long the try took.
    """

    status: int | None
    problem: str = ""
    seconds: float = 0.0

    @property
    def arrived(self) -> bool:
        """Whether the receiver returned a 2xx."""
        return self.status is not None and 200 <= self.status < 300


def enqueue(events: Sequence[OutgoingEvent], now: datetime) -> None:
    """Store events for immediate delivery; events that are stored already are ignored."""
    full = _full({event.hook.pk for event in events})
    Delivery.objects.bulk_create(
        [
            Delivery(
                hook=event.hook,
                event=event.event,
                event_id=event.id,
                body=_body(event, now),
                created=now,
                due=now,
            )
            for event in events
            if event.hook.pk not in full
        ],
        ignore_conflicts=True,
    )


def _body(event: OutgoingEvent, now: datetime) -> str:
    told = {"id": event.id, "event": event.event, "time": now, **event.body}
    return orjson.dumps(told, option=orjson.OPT_UTC_Z).decode()


def _full(hooks: Collection[int]) -> frozenset[int]:
    """The webhooks with the maximum of pending deliveries."""
    waiting = Delivery.objects.filter(hook__in=hooks, due__isnull=False).values("hook")
    counted = waiting.annotate(count=Count("pk")).filter(count__gte=MOST_WAITING)
    return frozenset(counted.values_list("hook", flat=True))


def take(
    now: datetime, most: int, under_way: Collection[ClaimedDelivery] = (), lane: Lane = Lane.WEBHOOKS
) -> list[ClaimedDelivery]:
    """Lease at most `most` of the due deliveries of a lane.

    One at a time per webhook and `SHARE` per user, including those `under_way`. Users take turns: whoever has
    fewest under way comes first, then what has been due for longest.
    """
    until = now + LEASE
    of_person = Counter(each.owner for each in under_way if each.lane is lane)
    busy = [person for person, count in of_person.items() if count >= SHARE]
    waiting = Delivery.objects.filter(_of_lane(lane, now), due__lte=now)
    waiting = waiting.exclude(hook__in=[each.hook for each in under_way]).exclude(hook__user__in=busy)
    first = waiting.order_by().values("hook").annotate(first=Min("pk")).values("first")
    rows = Delivery.objects.filter(pk__in=first).select_related("hook").order_by("due", "pk")
    taken = leases.take(rows, "due", now, until, most, Share(attrgetter("hook.user_id"), SHARE, of_person))
    claimed = Delivery.objects.filter(pk__in=taken).select_related("hook__device").order_by("pk")
    return [_claimed(delivery, until, lane) for delivery in claimed]


def _of_lane(lane: Lane, now: datetime) -> Q:
    slow = Q(hook__slow_until__gt=now)
    # Not `~slow`, which would not be true of null.
    quick = Q(hook__slow_until=None) | Q(hook__slow_until__lte=now)
    return {
        Lane.WEBHOOKS: quick & Q(hook__device=None),
        Lane.DEVICES: quick & Q(hook__device__isnull=False),
        Lane.SLOW: slow,
    }[lane]


def overdue(now: datetime) -> int:
    """Number of due deliveries that no process has leased."""
    return Delivery.objects.filter(due__lte=now).count()


def _claimed(delivery: Delivery, until: datetime, lane: Lane) -> ClaimedDelivery:
    hook = delivery.hook
    return ClaimedDelivery(
        delivery=delivery.pk,
        hook=hook.pk,
        owner=hook.user_id,
        until=until,
        url=hook.url,
        event=delivery.event,
        event_id=delivery.event_id,
        body=delivery.body.encode(),
        secret=hook.secret,
        site=hook.site,
        device=getattr(hook, "device", None),
        lane=lane,
    )


@transaction.atomic
def note(claimed: ClaimedDelivery, answer: Answer, now: datetime, chance: float) -> None:
    """Store the result of a try and schedule the next one, if any.

    Does nothing if the lease has passed to another process or the webhook was stopped. A device whose
    subscription no longer exists is deleted.

    Args:
        claimed: the leased delivery.
        answer: the result.
        now: the current time.
        chance: a random number from 0 to 1, for the jitter.
    """
    rows = Delivery.objects.select_for_update()
    delivery = leases.held(rows, "due", claimed.delivery, claimed.until).first()
    if delivery is None:
        return
    if claimed.device is not None and answer.status in NO_DEVICE:
        Hook.objects.filter(pk=claimed.hook).delete()
        return
    delivery.tries += 1
    delivery.tried, delivery.status, delivery.problem = now, answer.status, answer.problem
    delivery.done = now if answer.arrived else None
    waits = WAITS if claimed.device is None else DEVICE_WAITS
    wait = None if answer.arrived else wait_after(delivery.tries, chance, waits)
    delivery.due = None if wait is None else now + wait
    delivery.save()
    _note_of_hook(claimed.hook, answer, now)


def wait_after(tries: int, chance: float, waits: Sequence[int] = WAITS) -> timedelta | None:
    """The wait after so many failed tries, None to give up; `chance` from 0 to 1 is the jitter."""
    if tries > len(waits):
        return None
    return timedelta(seconds=waits[tries - 1] * (1 - JITTER + 2 * JITTER * chance))


def _note_of_hook(hook_id: int, answer: Answer, now: datetime) -> None:
    hooks = Hook.objects.filter(pk=hook_id)
    if answer.seconds > QUICK:
        hooks.update(slow_until=now + SLOW_FOR)
    else:
        hooks.filter(slow_until__isnull=False).update(slow_until=None)
    if answer.arrived:
        hooks.filter(failing_since__isnull=False).update(failing_since=None)
    elif answer.status == GONE:
        stop(hook_id, Hook.Stopped.GONE)
    elif hooks.filter(failing_since__lte=now - FAILING).exists():
        stop(hook_id, Hook.Stopped.FAILING)
    else:
        hooks.filter(failing_since__isnull=True).update(failing_since=now)


@transaction.atomic
def stop(hook_id: int, why: Hook.Stopped) -> None:
    """Stop a webhook and drop its pending deliveries."""
    Hook.objects.filter(pk=hook_id).update(stopped=why, failing_since=None)
    Delivery.objects.filter(hook=hook_id, due__isnull=False).update(due=None)


def send_again(delivery_id: int, now: datetime) -> bool:
    """Send a delivery again, with its event id and all retries.

    False if it is being sent now.
    """
    at_rest = Q(due__isnull=True) | Q(due__gt=now + LEASE)
    return bool(Delivery.objects.filter(at_rest, pk=delivery_id).update(due=now, tries=0, done=None))


def trim(now: datetime) -> None:
    """Delete old and surplus log entries; pending deliveries stay."""
    settled = Delivery.objects.filter(due__isnull=True)
    settled.filter(created__lt=now - KEPT_FOR).delete()
    long = settled.values("hook").annotate(count=Count("pk")).filter(count__gt=MOST_KEPT)
    for hook_id in list(long.values_list("hook", flat=True)):
        of_hook = settled.filter(hook=hook_id)
        _keep(of_hook.order_by("-pk").values_list("pk", flat=True)[:MOST_KEPT], hook_id)


def _keep(newest: Iterable[int], hook_id: int) -> None:
    Delivery.objects.filter(hook=hook_id, due__isnull=True, pk__lt=min(newest)).delete()
