"""Offers between the players of a match: draw, take-back, pause, save, resume, end, and rematch.

`.offer_rules` says what may be offered and who has to agree, `games.domain.offers` how long an offer stays
open. `games.store.match_offers` stores it.
"""

from __future__ import annotations

from collections.abc import Callable

import orjson
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from games.domain import absence, match_actions, offers
from games.domain.absence import Away
from games.domain.match_actions import Act
from games.domain.messages import DeclineCommand, OfferKind
from games.domain.position import of_start
from games.domain.refusals import (
    PlayerGone,
)
from games.models import Match, Seating
from games.net.hub import Hub
from games.net.tasks import spawn
from games.net.threads import in_thread
from games.play import offer_rules, permissions
from games.play.begin import create, create_shared
from games.play.live import LiveMatch, topic
from games.play.match_cache import MatchCache
from games.play.signals import call_changed, rated_rematch_wanted
from games.play.validation import seated
from games.registry import GAMES
from games.rules.base import Seat
from games.store import bot_queue, history, match_offers
from games.store.journal import WriteConflict


class Offers:
    """Executes the offers of people and computer players in the matches of this process."""

    def __init__(self, hub: Hub, now: Callable[[], int], memory: MatchCache) -> None:
        self._hub, self._now, self._memory = hub, now, memory

    async def offer(
        self, live: LiveMatch, command: tuple[Seat, str], kind: OfferKind, away: Away, now: int
    ) -> Act | None:
        """Record an offer or an agreement of a seat. Returns the action once all players needed have agreed.

        Raises `Refused`, `IllegalMove` or `WriteConflict`.
        """
        seat, _ = command
        by = offers.proposer(live.offers, kind, seat, now)
        gone, resting = absence.gone(live.absence(), away, now), absence.resting(away, now)
        needed, act = offer_rules.offered(live, kind, seat, by, gone, resting)
        computers = live.levels.keys() & needed
        agree = in_thread(match_offers.agree)
        open_now, offer = await agree(live.id, live.ply, command, kind, now, needed, computers)
        if offer is not None and offer.by != by:
            raise WriteConflict
        if offer is not None and needed <= set(offer.agreed):
            return act
        if kind == offers.RESUME:
            live.asked_back |= {by}
        self._tell(live, open_now)
        if computers:
            self._hub.publish(bot_queue.TOPIC, bot_queue.WAKE)
        return None

    async def decline(self, live: LiveMatch, seat: Seat, command: DeclineCommand) -> int:
        """Decline or withdraw an offer. Returns the number of the last ply. Raises `WriteConflict`."""
        decline, told = in_thread(match_offers.decline), (seat, command.id)
        self._tell(live, await decline(live.id, live.ply, told, command.kind, self._now()))
        return live.ply

    def _tell(self, live: LiveMatch, open_now: offers.Offers) -> None:
        live.offers = open_now
        self._hub.publish(topic(live.id), live.offers_message(), permissions.offers_for_seats(live))
        if live.flags.halted == match_actions.SAVED:
            spawn(call_changed.together(live.id))

    async def rematch(self, match_id: str, user_id: int | None) -> str | None:
        """Offer or accept a rematch. Returns the id of the new match once every seat wants it.

        Raises `UnknownMatch`, `NotSeated`, `NotOver`, `PlayerGone` or what a listener of
        `rated_rematch_wanted` raises.
        """
        live = await self._memory.get(match_id)
        seat = seated(live, user_id)
        offer_rules.another_match(live)
        assert user_id is not None
        if live.terms.rated:
            await in_thread(rated_rematch_wanted)(user_id)

        async def want(live: LiveMatch) -> str | None:
            live.offered, live.rematch = await in_thread(want_rematch)(match_id, seat)
            if not live.shared:
                spawn(call_changed.together(match_id))
            self._hub.publish(topic(match_id), live.rematch_message())
            return live.rematch

        return await self._memory.act_on(match_id, want)


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
    keepers = {seat: s.keeper_id for seat, s in enumerate(rotated) if s.keeper_id is not None}
    position = of_start(GAMES[match.game], start, len(users))
    begun = create(
        match.game, start.options, users, start.turn, match.terms, match, levels, keepers, position
    )
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
    position = of_start(GAMES[match.game], start, len(names))
    return create_shared(
        match.game, start.options, [*names[1:], names[0]], holder, start.turn, match, position
    )
