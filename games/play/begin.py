"""Creates matches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from types import MappingProxyType
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils import timezone

from games.domain import clock, codec, instants
from games.domain.terms import FRIENDLY, Terms
from games.models import Match, Seating
from games.play.signals import match_begun
from games.play.writer import deadline
from games.registry import GAMES
from games.rules.base import Seat


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


def forget_held(user_id: int) -> None:
    """Delete the hot-seat matches of a host. No other user has them."""
    Match.objects.filter(holder=user_id).delete()
