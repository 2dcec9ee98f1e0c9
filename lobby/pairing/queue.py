"""Quick pairing: the queue of people who wait for any opponents. Nobody else writes seeks.

Every process runs `tick` now and then (`lobby.pairing.loop`). Several may do so at once: each pairs only
rows that it has locked and skips those that another one holds. On SQLite a transaction is alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.db import transaction
from django.utils import timezone

from games.domain.refusals import Refused
from games.domain.terms import Terms
from games.models import Match, Ply, Seating
from games.play import begin
from games.registry import GAMES
from games.rules.base import gettext_noop
from games.store.prepared import PreparedQuery
from lobby.models import Pool, Rating, Seek, Tie, User
from lobby.pairing import offer
from lobby.pairing.matching import Couple, Waiting, couple, groups
from lobby.pairing.pairing_options import Tile
from lobby.people import person
from lobby.ratings import first_move
from lobby.ratings.glicko2 import AVERAGE
from lobby.ratings.rated import can_be_rated

REFRESH_AFTER = timedelta(seconds=3)
"""How old the note that somebody is there may become."""
AWAY_AFTER = timedelta(seconds=8)
"""After this long without a sign somebody is not paired for now: they would not come."""
GONE_AFTER = timedelta(seconds=15)
"""After this long they have left the queue."""
JUST_NOW = timedelta(seconds=10)
"""Pressing again within this time after being paired is the same press."""
FETCHED_WITHIN = timedelta(minutes=10)
"""How long somebody who has not moved yet is told that they were paired."""
MOST = 50
"""How many of a pool are looked at in one transaction, which holds up the lobby's other news."""


class PairingError(Refused):
    """Something that quick pairing does not do."""


class NoSuchTile(PairingError):
    code, status = "no-such-tile", 422
    sentence = gettext_noop("Quick pairing does not offer this.")


class ForPeople(PairingError):
    code, status = "bot", 403
    sentence = gettext_noop("Quick pairing is for people. Computer players set tables and challenge.")


class NotWaiting(PairingError):
    code, status = "not-waiting", 409
    sentence = gettext_noop("You are not looking for an opponent any more.")


@transaction.atomic
def enter(user: User, tile: Tile | None) -> Seek:
    """Wait for others; somebody who waits already waits for this from now on.

    Returns the seek, which has a match already if its person was paired a moment ago.

    Raises:
        PairingError: "no-such-tile", or "bot" for a computer player.
        NotRated: why the match cannot be rated (`lobby.ratings.rated.can_be_rated`).
    """
    if tile is None or not tile.is_offered:
        raise NoSuchTile
    if user.is_bot:
        raise ForPeople
    game = GAMES[tile.game]
    casual = can_be_rated(game, game.rules.PRESETS[tile.preset], user) if tile.rated else None
    if casual is not None:
        raise casual
    now = timezone.now()
    seek, _made = Seek.objects.select_for_update().get_or_create(
        user=user, defaults={**tile._asdict(), "rating": _rating(user, tile), "created": now, "present": now}
    )
    match = seek.match
    if match is not None and match.status == Match.Status.PLAYING and match.created > now - JUST_NOW:
        return seek
    if match is not None or tile_of(seek) != tile:
        fields = {**tile._asdict(), "rating": _rating(user, tile), "created": now, "match": None}
        for name, value in fields.items():
            setattr(seek, name, value)
    seek.present = now
    seek.save()
    _tell(user.pk, _situation(seek=seek))
    return seek


@transaction.atomic
def cancel(users: Iterable[int]) -> None:
    """Take people out of the queue: they want no more, or they sit somewhere else now.

    Call it before anything that locks the lobby's news or a user, as `_pair` does.
    """
    waiting = Seek.objects.select_for_update().filter(user__in=list(users), match=None).order_by("pk")
    for seek in list(waiting):
        seek.delete()
        _tell(seek.user_id, _situation())


def held(user_id: int) -> Seek:
    """What somebody waits for, or was found already; nobody else pairs them until this transaction ends.

    Raises:
        PairingError: "not-waiting".
    """
    # Its match is read afterwards: joined, it would be the one from before the lock was waited for.
    seek = Seek.objects.select_for_update().filter(user=user_id).first()
    if seek is None or (seek.match is not None and not _is_news(seek.match, user_id)):
        raise NotWaiting
    return seek


def found(seeks: Iterable[Seek], match: Match) -> None:
    """End the wait of people, whose match has begun."""
    for seek in seeks:
        seek.match = match
        seek.save(update_fields=["match"])
        _tell(seek.user_id, _situation(paired=_paired_fields(match, seek.user_id)))


@transaction.atomic
def forget(user_id: int) -> None:
    """Take somebody who leaves out of the queue, and what they were paired for out of the store."""
    cancel([user_id])
    Seek.objects.filter(user=user_id).delete()


def cancel_players(match_id: str) -> None:
    """Take the players of a match out of the queue."""
    cancel(Seating.objects.filter(match=match_id).values_list("user", flat=True))


def tile_of(seek: Seek) -> Tile:
    """What somebody waits for."""
    return Tile(seek.game, seek.preset, seek.clock, seek.rated, seek.seats)


_seeks = PreparedQuery(lambda user: Seek.objects.filter(user=user).order_by("pk"))


def situation(user_id: int) -> dict[str, Any]:
    """What somebody waits for (`seek`), or the match they were paired for and may not know of (`paired`)."""
    # Most people wait for nothing: the match is asked for where there is one.
    seek = _seeks.first(user_id)
    if seek is None:
        return _situation()
    if seek.match is None:
        return _situation(seek=seek)
    return _situation(paired=_paired_fields(seek.match, user_id) if _is_news(seek.match, user_id) else None)


def waiting() -> list[dict[str, Any]]:
    """How many people wait for what (`lobby.sockets.messages.SeekersFields`), in the order of their tiles."""
    seeks = Seek.objects.filter(match=None, game__in=GAMES)
    people = Counter(tile_of(seek) for seek in seeks)
    return [
        {"game": tile.game, "tile": tile.name, "rated": tile.rated, "people": people[tile]}
        for tile in sorted(people)
        if tile.is_offered
    ]


def seen(user_id: int) -> None:
    """Somebody in the queue has shown that they are there."""
    Seek.objects.filter(user=user_id, match=None).update(present=timezone.now())


def tick(here: Collection[int], now: datetime) -> int:
    """Pair those who can be paired, and drop from the queue those who are gone.

    Args:
        here: ids of the people this process sees.
        now: the time, which the seeks are compared with.

    Returns how many matches began.
    """
    waiting = list(Seek.objects.filter(match=None).order_by("created"))
    old = [seek.pk for seek in waiting if seek.user_id in here and seek.present < now - REFRESH_AFTER]
    if old:
        _refresh(old, now)
    gone = [seek.user_id for seek in waiting if seek.user_id not in here and seek.present < now - GONE_AFTER]
    if gone:
        _drop(gone, now)
    pools = Counter(tile_of(seek) for seek in waiting)
    full = [tile for tile, number in pools.items() if number >= tile.seats and tile.is_offered]
    return sum(_pair_all(tile, now) for tile in full)


def _pair_all(tile: Tile, now: datetime) -> int:
    begun = 0
    while matches := len(_pair(tile, now)):
        begun += matches
    return begun


@transaction.atomic
def _refresh(seeks: Sequence[int], now: datetime) -> None:
    # Locked first: two processes that update the same rows in different orders would wait for ever.
    rows = Seek.objects.select_for_update(skip_locked=True).filter(pk__in=seeks, match=None)
    Seek.objects.filter(pk__in=list(rows.values_list("pk", flat=True))).update(present=now)


def _drop(users: Sequence[int], now: datetime) -> None:
    # Judged again under the lock of each row: another process may have seen them since.
    with transaction.atomic():
        still = Seek.objects.select_for_update(skip_locked=True).filter(
            user__in=users, match=None, present__lt=now - GONE_AFTER
        )
        cancel([seek.user_id for seek in still])


@transaction.atomic
def _pair(tile: Tile, now: datetime) -> list[Match]:
    """Begin a match for all of a pool who go together.

    Rows are locked in the order seeks, users, news; so does everything else that needs several of them.
    """
    waiting = Seek.objects.select_for_update(skip_locked=True, of=("self",)).filter(
        **tile._asdict(), match=None, present__gte=now - AWAY_AFTER, user__is_active=True
    )
    seeks = {seek.user_id: seek for seek in waiting.select_related("user").order_by("created")[:MOST]}
    queue = [Waiting(user, seek.rating, seek.created.timestamp()) for user, seek in seeks.items()]
    met = groups(queue, tile.seats, _blocks(seeks), now.timestamp())
    return [_begin(tile, [seeks[user] for user in users]) for users in met]


def _begin(tile: Tile, seeks: Sequence[Seek]) -> Match:
    options = GAMES[tile.game].rules.PRESETS[tile.preset]
    terms = Terms(clock=tile.clock, rated=tile.rated)
    game, paired = GAMES[tile.game], [seek.user for seek in seeks]
    nth = first_move.of_rated(game, paired) if tile.rated else first_move.by_lot(paired)
    users, first = first_move.seated(game, paired, nth)
    match = begin.create(tile.game, options, users, first, terms)
    found(seeks, match)
    return match


def _blocks(users: Collection[int]) -> set[Couple]:
    """The couples of which one blocks the other."""
    ties = Tie.objects.filter(kind=Tie.Kind.BLOCK, user__in=users, other__in=users)
    return {couple(user, other) for user, other in ties.values_list("user", "other")}


def _rating(user: User, tile: Tile) -> float:
    pool = Pool.TWO if tile.seats == 2 else Pool.MANY
    ratings = Rating.objects.filter(user=user, game=tile.game, family=tile.preset, pool=pool)
    return ratings.values_list("rating", flat=True).first() or AVERAGE


def _is_news(match: Match, user_id: int) -> bool:
    """Whether somebody may not know of their match yet: they have not acted in it."""
    if match.status != Match.Status.PLAYING or match.created < timezone.now() - FETCHED_WITHIN:
        return False
    seat = match.seatings.filter(user=user_id).values("seat")
    return not Ply.objects.filter(match=match, seat__in=seat).exists()


def _situation(seek: Seek | None = None, paired: dict[str, Any] | None = None) -> dict[str, Any]:
    return {"seek": None if seek is None else _seek_fields(seek), "paired": paired}


def _seek_fields(seek: Seek) -> dict[str, Any]:
    waited = (timezone.now() - seek.created).total_seconds()
    computer = offer.to(seek.user_id, GAMES.get(seek.game))
    return {**tile_of(seek)._asdict(), "waited": max(0.0, round(waited, 1)), "computer": computer}


def _paired_fields(match: Match, user_id: int) -> dict[str, Any]:
    others = match.seatings.exclude(user=user_id).select_related("user").order_by("seat")
    return {"match": match.pk, "opponents": [other.get_name() for other in others]}


def _tell(user_id: int, now: dict[str, Any]) -> None:
    transaction.on_commit(partial(person.tell, user_id, {"type": "pairing", **now}), robust=True)
