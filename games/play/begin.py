"""Creates matches and rematches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from types import MappingProxyType
from typing import Any

import orjson
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils import timezone

from games.domain import clock, codec, instants, match_actions
from games.domain.refusals import PlayerGone
from games.domain.terms import FRIENDLY, Terms
from games.models import Match, Seating
from games.play.signals import match_begun
from games.play.writer import deadline
from games.registry import GAMES
from games.rules.base import Seat
from games.store import history, match_offers


@transaction.atomic
def create(
    game_slug: str,
    options: Any,
    users: Sequence[AbstractBaseUser],
    first: Seat = 0,
    terms: Terms = FRIENDLY,
    rematch_of: Match | None = None,
    levels: Mapping[Seat, int] = MappingProxyType({}),
) -> Match:
    """Begin a match, and start the clock of the first player.

    Args:
        users: by seat.
        first: the seat that moves first.
        levels: levels of the computer players, by seat.

    Announces the match by `match_begun`. Raises `BadOptions` or `BadClock`, and then stores nothing.
    """
    seatings = [
        Seating(seat=seat, user_id=user.pk, level=levels.get(seat)) for seat, user in enumerate(users)
    ]
    return _begin(game_slug, options, seatings, first, terms, rematch_of)


@transaction.atomic
def create_shared(
    game_slug: str,
    options: Any,
    names: Sequence[str],
    holder: AbstractBaseUser,
    first: Seat = 0,
    rematch_of: Match | None = None,
) -> Match:
    """Begin a hot-seat match: all players share the device of the host.

    Args:
        names: of the players, by seat.
        holder: the host.
        first: the seat that moves first.

    The match is casual, has no clock and is not announced. Raises `BadOptions`, and then stores nothing.
    """
    seatings = [Seating(seat=seat, name=name) for seat, name in enumerate(names)]
    return _begin(game_slug, options, seatings, first, FRIENDLY, rematch_of, holder)


def _begin(
    game_slug: str,
    options: Any,
    seatings: Sequence[Seating],
    first: Seat,
    terms: Terms,
    rematch_of: Match | None,
    holder: AbstractBaseUser | None = None,
) -> Match:
    game = GAMES[game_slug]
    control = clock.parse(terms.clock)
    start = game.rules.setup(options, len(seatings), first)
    now = timezone.now()
    clocks = None
    if control.timed:
        clocks = clock.start(control, len(seatings), start.turn, instants.milliseconds(now))
    match = Match.objects.create(
        game=game_slug,
        options=codec.encode(options).decode(),
        start=codec.encode_state(game.rules, start).decode(),
        rematch_of=rematch_of,
        created=now,
        deadline=deadline(control, clocks),
        bot_due=None if seatings[start.turn].level is None else now,
        holder_id=None if holder is None else holder.pk,
        **asdict(terms),
    )
    for seating in seatings:
        seating.match = match
    Seating.objects.bulk_create(seatings)
    if holder is None:
        transaction.on_commit(partial(_announce, match.pk), robust=True)
    return match


def _announce(match_id: str) -> None:
    match_begun(Match.objects.prefetch_related(Seating.with_people()).get(pk=match_id))


@transaction.atomic
def want_rematch(match_id: str, seat: Seat) -> tuple[tuple[Seat, ...], str | None]:
    """Record that a seat wants a rematch, and begin it when all seats do.

    Returns the seats that want it, and the id of the rematch if it exists. Raises `PlayerGone` if one of the
    players can never agree.
    """
    match = Match.objects.select_for_update().get(pk=match_id)
    if match.holder is not None:
        return (), _shared_rematch(match, match.holder).pk
    seatings = list(Seating.objects.filter(match=match).select_related("user"))
    known = Match.objects.filter(rematch_of=match).values_list("pk", flat=True).first()
    # A player who agreed may have been deleted or banned since.
    if known is None and not all(s.user and s.user.is_active for s in seatings):
        raise PlayerGone
    offered = match_offers.want_rematch(match, seat)
    if known is not None or not all(s.seat in offered or s.level is not None for s in seatings):
        return offered, known
    start = history.state_after(match_id, 0)
    # Seats rotate, so that another player has the first move; not after an aborted rated match, or players
    # would abort to get the first move.
    same_seats = match.rated and _without_result(match)
    rotated = seatings if same_seats else seatings[1:] + seatings[:1]
    users = [s.user for s in rotated if s.user is not None]
    levels = {seat: s.level for seat, s in enumerate(rotated) if s.level is not None}
    begun = create(match.game, start.options, users, start.turn, match.terms, match, levels)
    return offered, begun.pk


def _without_result(match: Match) -> bool:
    return match.outcome is not None and orjson.loads(match.outcome)["reason"] in match_actions.WITHOUT_RESULT


def _shared_rematch(match: Match, holder: AbstractBaseUser) -> Match:
    """Begin the rematch of a hot-seat match, which needs no agreement."""
    known = Match.objects.filter(rematch_of=match).first()
    if known is not None:
        return known
    start = history.state_after(match.pk, 0)
    names = list(Seating.objects.filter(match=match).values_list("name", flat=True))
    # Seats rotate, as in any rematch.
    return create_shared(match.game, start.options, [*names[1:], names[0]], holder, start.turn, match)


def forget_held(user_id: int) -> None:
    """Delete the hot-seat matches of a host. No other user has them."""
    Match.objects.filter(holder=user_id).delete()
