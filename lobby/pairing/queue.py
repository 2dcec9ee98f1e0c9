"""The queue of quick pairing. The only module that writes `Seek`.

Every process runs `tick` (`lobby.pairing.loop`), also concurrently: each pairs only rows it has locked and
skips rows locked by another. On SQLite transactions are serial.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from games.domain.refusals import Refused
from games.domain.terms import Terms
from games.models import Match, Ply, Seating
from games.play import begin
from games.registry import GAMES
from games.rules.base import gettext_noop
from games.store.prepared import PreparedQuery
from lobby.pairing import offer
from lobby.pairing.matching import Couple, Waiting, couple, groups
from lobby.pairing.models import Seek
from lobby.pairing.pairing_options import Tile
from lobby.people import circles, person
from lobby.people.models import Relationship, User
from lobby.ratings import first_move
from lobby.ratings.glicko2 import AVERAGE
from lobby.ratings.models import Pool, Rating
from lobby.ratings.rated import can_be_rated

REFRESH_AFTER = timedelta(seconds=3)
"""Maximum age of the note that a player is online."""
AWAY_AFTER = timedelta(seconds=8)
"""After this long without a sign of life a player is not paired: they would not come."""
GONE_AFTER = timedelta(seconds=15)
"""After this long a player is dropped from the queue."""
JUST_NOW = timedelta(seconds=10)
"""Entering again within this time after being paired counts as a double click."""
FETCHED_WITHIN = timedelta(minutes=10)
"""How long a player who has not moved yet is told of the new match."""
MAX_SEEKS = 50
"""Maximum rows of a pool per transaction, which blocks other changes of the lobby."""


class PairingError(Refused):
    """Quick pairing refused a request."""


class NoSuchTile(PairingError):
    """The site offers no quick pairing with these settings."""

    code, status = "no-such-tile", 422
    sentence = gettext_noop("Quick pairing does not offer these rules or this clock.")


class PairingBot(PairingError):
    """Computer players cannot use quick pairing."""

    code, status = "bot", 403
    sentence = gettext_noop("Quick pairing is for people. Computer players create tables or send challenges.")


class NotWaiting(PairingError):
    """The search has ended: paired, cancelled, or not renewed in time."""

    code, status = "not-waiting", 409
    sentence = gettext_noop("Your search for an opponent has ended.")


@transaction.atomic
def enter(user: User, tile: Tile | None) -> Seek:
    """Enter the queue. A player who waits already changes to the new tile.

    Returns the seek; it has a match if the player was just paired.

    Raises:
        PairingError: "no-such-tile", or "bot" for a computer player.
        ClassOnly: the user is a pupil.
        NotRated: why the match cannot be rated (`lobby.ratings.rated.can_be_rated`).
    """
    if tile is None or not tile.is_offered:
        raise NoSuchTile
    if user.is_bot:
        raise PairingBot
    circles.check_stranger(user)
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
    """Remove users from the queue, because they cancelled or sit somewhere else now.

    Lock order: call it before anything that locks the row of `News` or a user, as `_pair` does.
    """
    waiting = Seek.objects.select_for_update().filter(user__in=list(users), match=None).order_by("pk")
    for seek in list(waiting):
        seek.delete()
        _tell(seek.user_id, _situation())


def hold(users: Iterable[int]) -> None:
    """Lock the seeks of users, which may be cancelled after something else is locked."""
    list(Seek.objects.select_for_update().filter(user__in=list(users), match=None).order_by("pk"))


def held(user_id: int) -> Seek:
    """The user's seek, waiting or just paired, locked until the transaction ends.

    Raises:
        PairingError: "not-waiting".
    """
    # Read the match afterwards: a join would return its state from before we waited for the lock.
    seek = Seek.objects.select_for_update().filter(user=user_id).first()
    if seek is None or (seek.match is not None and not _is_news(seek.match, user_id)):
        raise NotWaiting
    return seek


def found(seeks: Iterable[Seek], match: Match) -> None:
    """End the wait of players whose match has begun."""
    for seek in seeks:
        seek.match = match
        seek.save(update_fields=["match"])
        _tell(seek.user_id, _situation(paired=_paired_fields(match, seek.user_id)))


@transaction.atomic
def forget(user_id: int) -> None:
    """Delete the seek of a user whose account is deleted."""
    cancel([user_id])
    Seek.objects.filter(user=user_id).delete()


def matches_begun(matches: Sequence[Match]) -> None:
    """Remove the players of rematches from the queue. Who begins another match leaves the queue before."""
    for match in matches:
        if match.rematch_of_id is not None:
            cancel_players(match.pk)


def cancel_players(match_id: str, _terms: Terms | None = None) -> None:
    """Remove the players of a match that goes on from the queue."""
    cancel(Seating.objects.filter(match=match_id).values_list("user", flat=True))


def tile_of(seek: Seek) -> Tile:
    """The tile that was chosen."""
    return Tile(seek.game, seek.preset, seek.clock, seek.rated, seek.seats)


def seek_of(user: int | OuterRef) -> QuerySet[Seek]:
    """The last seek of a user."""
    return Seek.objects.filter(user=user)


_seeks = PreparedQuery(lambda user: seek_of(user).order_by("pk"), Seek)


def situation(user_id: int) -> dict[str, Any]:
    """What a user waits for (`seek`), or the new match they may not know of yet (`paired`)."""
    # Most users have no seek, so the match is loaded separately.
    return _situation_of(_seeks.first(user_id), user_id)


def _situation_of(seek: Seek | None, user_id: int) -> dict[str, Any]:
    if seek is None:
        return _situation()
    if seek.match is None:
        return _situation(seek=seek)
    return _situation(paired=_paired_fields(seek.match, user_id) if _is_news(seek.match, user_id) else None)


_in_queue = PreparedQuery(
    lambda user: Seek.objects.filter(Q(match=None, game__in=GAMES) | Q(user=user)).order_by("pk"), Seek
)
NOBODY = 0
"""The id of no user."""


def overview(user_id: int | None) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """`waiting` and the `situation` of a user, in one query if they are not paired; None is a visitor."""
    seeks = _in_queue(user_id or NOBODY)
    mine = next((seek for seek in seeks if seek.user_id == user_id), None)
    here = [seek for seek in seeks if seek.match_id is None and seek.game in GAMES]
    return _counted(here), _situation_of(mine, user_id or NOBODY)


def waiting() -> list[dict[str, Any]]:
    """How many players wait for which tile (`lobby.sockets.messages.SeekersFields`), sorted by tile."""
    return overview(None)[0]


def _counted(seeks: Iterable[Seek]) -> list[dict[str, Any]]:
    people = Counter(tile_of(seek) for seek in seeks)
    return [
        {"game": tile.game, "tile": tile.name, "rated": tile.rated, "people": people[tile]}
        for tile in sorted(people)
        if tile.is_offered
    ]


def seen(user_id: int) -> None:
    """Note that a player in the queue is online."""
    Seek.objects.filter(user=user_id, match=None).update(present=timezone.now())


def tick(here: Collection[int], now: datetime) -> int:
    """Pair waiting players, and drop players who have gone offline.

    Args:
        here: ids of the users online in this process.
        now: the current time.

    Returns:
        How many matches began.
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
    # Lock first: two processes that update the same rows in different orders would deadlock.
    rows = Seek.objects.select_for_update(skip_locked=True).filter(pk__in=seeks, match=None)
    Seek.objects.filter(pk__in=list(rows.values_list("pk", flat=True))).update(present=now)


def _drop(users: Sequence[int], now: datetime) -> None:
    # Check again under the row lock: another process may have seen the player since.
    with transaction.atomic():
        still = Seek.objects.select_for_update(skip_locked=True).filter(
            user__in=users, match=None, present__lt=now - GONE_AFTER
        )
        cancel([seek.user_id for seek in still])


@transaction.atomic
def _pair(tile: Tile, now: datetime) -> list[Match]:
    """Begin the matches of a pool. Locks rows in the order seeks, users, news, as all other code must."""
    waiting = Seek.objects.select_for_update(skip_locked=True, of=("self",)).filter(
        **tile._asdict(), match=None, present__gte=now - AWAY_AFTER, user__is_active=True
    )
    seeks = {seek.user_id: seek for seek in waiting.select_related("user").order_by("created")[:MAX_SEEKS]}
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
    """The pairs of which one blocks the other."""
    blocks = Relationship.objects.filter(kind=Relationship.Kind.BLOCK, user__in=users, other__in=users)
    return {couple(user, other) for user, other in blocks.values_list("user", "other")}


def _rating(user: User, tile: Tile) -> float:
    pool = Pool.TWO if tile.seats == 2 else Pool.MANY
    ratings = Rating.objects.filter(user=user, game=tile.game, family=tile.preset, pool=pool)
    return ratings.values_list("rating", flat=True).first() or AVERAGE


def _is_news(match: Match, user_id: int) -> bool:
    """Whether a player may not know of the match yet: it is recent, and the player has not acted in it."""
    if match.status != Match.Status.PLAYING or match.created < timezone.now() - FETCHED_WITHIN:
        return False
    seat = match.seatings.filter(user=user_id).values("seat")
    return not Ply.objects.filter(match=match, seat__in=seat).exists()


def _situation(seek: Seek | None = None, paired: dict[str, Any] | None = None) -> dict[str, Any]:
    return {"seek": None if seek is None else _seek_fields(seek), "paired": paired}


def _seek_fields(seek: Seek) -> dict[str, Any]:
    waited = (timezone.now() - seek.created).total_seconds()
    game = GAMES.get(seek.game)
    return {
        **tile_of(seek)._asdict(),
        # A game may have been removed while people waited for it.
        "title": seek.game if game is None else _(game.title),
        "waited": max(0.0, round(waited, 1)),
        "computer": offer.to(seek.user_id, game),
    }


def _paired_fields(match: Match, user_id: int) -> dict[str, Any]:
    others = match.seatings.exclude(user=user_id).select_related("user").order_by("seat")
    return {"match": match.pk, "opponents": [other.get_name() for other in others]}


def _tell(user_id: int, now: dict[str, Any]) -> None:
    transaction.on_commit(partial(person.tell, user_id, {"type": "pairing", **now}), robust=True)
