"""Creates matches."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils import timezone

from games.domain import clock, codec, instants
from games.domain.position import Position, check_start
from games.domain.refusals import Refused
from games.domain.terms import FRIENDLY, Terms
from games.models import Match, Seating
from games.play import vacations
from games.play.signals import match_wanted, matches_begun
from games.registry import GAMES
from games.rules.base import Seat, check_field, gettext_noop


class RatedPosition(Refused):
    """A rated match was to begin elsewhere than at the start."""

    code, status = "rated-position", 409
    sentence = gettext_noop("Matches that begin at a position are casual.")


class Seated(NamedTuple):
    """A match to begin, by seat: its players, its terms, the levels of its computer players, and its keepers.

    A keeper is the user, by id, at whose device a player without one plays. `names` has the players who are
    called otherwise in this match than on the site.
    """

    users: Sequence[AbstractBaseUser]
    terms: Terms
    levels: Mapping[Seat, int] = MappingProxyType({})
    keepers: Mapping[Seat, int] = MappingProxyType({})
    names: Mapping[Seat, str] = MappingProxyType({})


@transaction.atomic
def create(  # noqa: PLR0913 - all but three have defaults that most matches have
    game_slug: str,
    options: Any,
    users: Sequence[AbstractBaseUser],
    first: Seat = 0,
    terms: Terms = FRIENDLY,
    rematch_of: Match | None = None,
    levels: Mapping[Seat, int] = MappingProxyType({}),
    keepers: Mapping[Seat, int] = MappingProxyType({}),
    position: Position | None = None,
) -> Match:
    """Begin a match, and start the clock of the first player.

    Args:
        users: by seat.
        first: the seat that moves first.
        levels: levels of the computer players, by seat.
        keepers: by seat, the id of the user at whose device a player without one plays.
        position: where a casual match begins if not at the start; it says who moves first.

    Announces the match by `matches_begun`. Raises `BadOptions`, `BadClock`, `BadPosition`,
    `RatedPosition` or what `match_wanted` raises, and then stores nothing.
    """
    terms = _allowed(users, terms)
    match = _match(game_slug, options, seats := _seatings(users, levels, keepers), first, terms, position)
    match.rematch_of = rematch_of
    _store([match], seats)
    return match


@transaction.atomic
def create_many(game_slug: str, options: Any, tables: Sequence[Seated]) -> list[Match]:
    """Begin a match at each of some tables, seat 0 first, and announce all of them together.

    Raises `BadOptions`, `BadClock` or what `match_wanted` raises, and then stores nothing.
    """
    matches, seatings = [], []
    for users, terms, levels, keepers, names in tables:
        seats = _seatings(users, levels, keepers, names)
        matches.append(_match(game_slug, options, seats, 0, _allowed(users, terms)))
        seatings += seats
    _store(matches, seatings)
    return matches


@transaction.atomic
def create_shared(  # noqa: PLR0913 - as above
    game_slug: str,
    options: Any,
    names: Sequence[str],
    holder: AbstractBaseUser,
    first: Seat = 0,
    rematch_of: Match | None = None,
    position: Position | None = None,
) -> Match:
    """Begin a hot-seat match: all players share the device of the host.

    Args:
        names: of the players, by seat.
        holder: the host.
        first: the seat that moves first.
        position: where the match begins if not at the start.

    The match is casual, has no clock and is not announced. Raises `BadOptions` or `BadPosition`, and then
    stores nothing.
    """
    seatings = [Seating(seat=seat, name=name) for seat, name in enumerate(names)]
    match = _match(game_slug, options, seatings, first, _allowed([holder], FRIENDLY), position)
    match.rematch_of, match.holder_id = rematch_of, holder.pk
    _store([match], seatings)
    return match


def _allowed(users: Sequence[AbstractBaseUser], terms: Terms) -> Terms:
    """The terms on which users may play who want these (`match_wanted`)."""
    for allowed in match_wanted(users, terms):
        terms = allowed
    return terms


def _seatings(
    users: Sequence[AbstractBaseUser],
    levels: Mapping[Seat, int],
    keepers: Mapping[Seat, int],
    names: Mapping[Seat, str] = MappingProxyType({}),
) -> list[Seating]:
    return [
        Seating(
            seat=seat,
            user_id=user.pk,
            name=names.get(seat, ""),
            level=levels.get(seat),
            keeper_id=keepers.get(seat),
        )
        for seat, user in enumerate(users)
    ]


def _match(
    game_slug: str,
    options: Any,
    seatings: Sequence[Seating],
    first: Seat,
    terms: Terms,
    position: Position | None = None,
) -> Match:
    game = GAMES[game_slug]
    control = clock.parse(terms.clock)
    if position is None:
        start = game.rules.setup(options, len(seatings), first)
    else:
        check_position(position, game_slug, len(seatings), terms.rated)
        start = position.state
    now = timezone.now()
    clocks = None
    if control.timed:
        clocks = clock.start(control, len(seatings), start.turn, instants.milliseconds(now))
    match = Match(
        game=game_slug,
        options=codec.encode(start.options).decode(),
        start=codec.encode_state(game.rules, start).decode(),
        created=now,
        deadline=instants.deadline(control, clocks),
        bot_due=None if seatings[start.turn].level is None else now,
        **asdict(terms),
    )
    for seating in seatings:
        seating.match = match
    return match


def check_position(position: Position, game_slug: str, seats: int, rated: bool) -> None:
    """Refuse a position at which no match can begin. Raises `BadPosition` or `RatedPosition`."""
    if rated:
        raise RatedPosition
    check_field(position.game.slug == game_slug, "game")
    check_field(seats == position.seats, "seats")
    check_start(position)


def _store(matches: Sequence[Match], seatings: Sequence[Seating]) -> None:
    """Store new matches, and announce those that are not hot-seat matches after the commit."""
    Match.objects.bulk_create(matches)
    Seating.objects.bulk_create(seatings)
    public = [match.pk for match in matches if match.holder_id is None]
    if public:
        transaction.on_commit(partial(_announce, public), robust=True)


def _announce(match_ids: Sequence[str]) -> None:
    begun = Match.objects.filter(pk__in=match_ids).select_related("table")
    matches = list(begun.prefetch_related(Seating.with_people()))
    for match in matches:
        if clock.parse(match.clock).per_move:
            vacations.refresh(match.pk)
    matches_begun(matches)


def erase(match_ids: Collection[str]) -> None:
    """Delete matches with everything about them, as if they had never been."""
    Match.objects.filter(pk__in=match_ids).delete()


def rename(user_id: int, name: str) -> None:
    """Rename a user in the matches in which they are called otherwise than on the site.

    Args:
        name: "" to call them as on the site there, too.
    """
    Seating.objects.filter(user=user_id).exclude(name="").update(name=name)


def forget_held(user_id: int) -> None:
    """Delete the hot-seat matches of a host. No other user has them."""
    Match.objects.filter(holder=user_id).delete()
