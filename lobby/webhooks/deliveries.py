"""The deliveries of webhooks: what waits, who has taken it up, and what came of it.

A delivery is taken up (`games.store.leases`) for longer than a try can last. So every delivery is tried at
least once, and twice at the same time by nobody.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from operator import attrgetter
from typing import Any

import orjson
from django.db import transaction
from django.db.models import Count, Q

from games.store import leases
from games.store.leases import Share
from lobby.models import Delivery, Device, Hook

LEASE = timedelta(seconds=30)
"""For how long a delivery is left to whoever took it up: a try is over long before."""
WAITS = (10, 60, 5 * 60, 30 * 60, 2 * 3600, 6 * 3600, 24 * 3600)
"""Seconds after each try that failed until the next; after the last of them it is given up."""
JITTER = 0.2
"""The part by which a wait may be shorter or longer, so that those that failed together come apart."""
FAILING = timedelta(days=3)
"""A webhook at which nothing arrives for longer is switched off."""

SHARE = 4
"""Deliveries of one person that are under way at a time in one process."""
MOST_WAITING = 1000
"""Of a webhook; what happens while so many wait is not told to it."""
MOST_KEPT = 100
"""Deliveries of a webhook in its log, without those that wait."""
KEPT_FOR = timedelta(days=30)

DEVICE_WAITS = WAITS[:4]
"""The same for devices: what happened hours ago is no news on a phone."""

GONE = 410
NO_DEVICE = frozenset({404, GONE})
"""What push services answer for a device that listens no more (RFC 8030)."""


@dataclass(frozen=True, slots=True)
class OutgoingEvent:
    """An event for a webhook, before it is stored; `id` is the same however often it is noted."""

    hook: Hook
    event: str
    id: str
    body: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ClaimedDelivery:
    """A delivery that somebody has taken up, until that moment."""

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
    """The browser whose push service it goes to, None for a program."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a try: the status of the answer, or None and why there was none (`outgoing.Unsent`)."""

    status: int | None
    problem: str = ""

    @property
    def arrived(self) -> bool:
        """Whether the receiver says that it has it."""
        return self.status is not None and 200 <= self.status < 300


def enqueue(events: Sequence[OutgoingEvent], now: datetime) -> None:
    """Store events, to be told at once. Those that are stored already change nothing."""
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
    """The webhooks that have as much waiting as they may."""
    waiting = Delivery.objects.filter(hook__in=hooks, due__isnull=False).values("hook")
    counted = waiting.annotate(count=Count("pk")).filter(count__gte=MOST_WAITING)
    return frozenset(counted.values_list("hook", flat=True))


def take(now: datetime, most: int, under_way: Collection[ClaimedDelivery] = ()) -> list[ClaimedDelivery]:
    """Take up at most so many of the deliveries that are due, the longest due first; nobody else gets them.

    One at a time for each webhook and `SHARE` for each person, those `under_way` included, so that slow
    receivers hold up nobody else's.
    """
    until = now + LEASE
    of_person = Counter(each.owner for each in under_way)
    busy = [person for person, count in of_person.items() if count >= SHARE]
    waiting = Delivery.objects.exclude(hook__in=[each.hook for each in under_way])
    waiting = waiting.exclude(hook__user__in=busy).select_related("hook").order_by("due", "pk")
    shares = [Share(attrgetter("hook_id"), 1), Share(attrgetter("hook.user_id"), SHARE, of_person)]
    taken = leases.take(waiting, "due", now, until, most, shares)
    rows = Delivery.objects.filter(pk__in=taken).select_related("hook__device").order_by("pk")
    return [_claimed(delivery, until) for delivery in rows]


def overdue(now: datetime) -> int:
    """How many are due that nobody has taken up."""
    return Delivery.objects.filter(due__lte=now).count()


def _claimed(delivery: Delivery, until: datetime) -> ClaimedDelivery:
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
    )


@transaction.atomic
def note(claimed: ClaimedDelivery, answer: Answer, now: datetime, chance: float) -> None:
    """Store what came of a try, and when the next is due if one is; `chance` from 0 to 1 spreads them.

    Nothing changes if somebody else has taken the delivery up since, or the webhook was switched off. A
    device that listens no more is forgotten.
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
    """How long to wait after so many tries failed, None to try no more; `chance` lies between 0 and 1."""
    if tries > len(waits):
        return None
    return timedelta(seconds=waits[tries - 1] * (1 - JITTER + 2 * JITTER * chance))


def _note_of_hook(hook_id: int, answer: Answer, now: datetime) -> None:
    hooks = Hook.objects.filter(pk=hook_id)
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
    """Switch a webhook off: nothing that waits is sent."""
    Hook.objects.filter(pk=hook_id).update(stopped=why, failing_since=None)
    Delivery.objects.filter(hook=hook_id, due__isnull=False).update(due=None)


def send_again(delivery_id: int, now: datetime) -> bool:
    """Have a delivery sent at once, with the id it had, and tried as often as a new one.

    False if it is on its way.
    """
    at_rest = Q(due__isnull=True) | Q(due__gt=now + LEASE)
    return bool(Delivery.objects.filter(at_rest, pk=delivery_id).update(due=now, tries=0, done=None))


def trim(now: datetime) -> None:
    """Forget what is too old or too much for the logs; what waits is kept."""
    settled = Delivery.objects.filter(due__isnull=True)
    settled.filter(created__lt=now - KEPT_FOR).delete()
    long = settled.values("hook").annotate(count=Count("pk")).filter(count__gt=MOST_KEPT)
    for hook_id in list(long.values_list("hook", flat=True)):
        of_hook = settled.filter(hook=hook_id)
        _keep(of_hook.order_by("-pk").values_list("pk", flat=True)[:MOST_KEPT], hook_id)


def _keep(newest: Iterable[int], hook_id: int) -> None:
    Delivery.objects.filter(hook=hook_id, due__isnull=True, pk__lt=min(newest)).delete()
