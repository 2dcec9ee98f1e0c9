"""The events of webhooks; docs/reference/webhooks.md has each with an example.

The end of a match is stored in the transaction that settles it, which happens even if the process that saw
the end dies. A turn is stored a moment after the ply, outside its transaction: plies are the most frequent
writes and must not wait for webhooks.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

import orjson
from django.db import DatabaseError, transaction
from django.utils import timezone

from games.models import Match
from games.net.process import process
from games.net.tasks import Debouncer, spawn
from games.net.threads import in_thread
from games.rules.base import Seat
from games.store import history
from games.store.prepared import PreparedQuery
from lobby.ratings.models import Result
from lobby.ratings.signals import Settled
from lobby.tournaments.models import Pairing, PairingSeat, Tournament
from lobby.webhooks import deliveries, signals
from lobby.webhooks.deliveries import OutgoingEvent
from lobby.webhooks.models import Hook

FINISHED = "match.finished"
TURN = "turn.mine"
PING = "ping"
"""Sent only when the owner requests it."""
TOURNAMENT_STARTED = "tournament.started"
TOURNAMENT_ROUND = "tournament.round"
TOURNAMENT_FINISHED = "tournament.finished"
EVENTS = (FINISHED, TURN, TOURNAMENT_STARTED, TOURNAMENT_ROUND, TOURNAMENT_FINISHED)
"""The events that a webhook can subscribe to."""

PAUSE = 1.0
"""Seconds for which turns are collected before they are stored together."""

_hooks = PreparedQuery(
    lambda *users: Hook.objects.filter(user__in=users, stopped="").order_by().values_list("pk")[:1]
)

logger = logging.getLogger(__name__)


def wanting(user_ids: Collection[int], event: str) -> list[Hook]:
    """The webhooks of users that subscribe to an event; in a transaction.

    They are locked until it ends: if one were deleted meanwhile, the transaction would fail.
    """
    if not user_ids or not _hooks(*user_ids):
        return []  # hardly anybody has one
    hooks = Hook.objects.filter(user__in=user_ids, user__is_active=True, stopped="")
    locked = hooks.select_for_update(of=("self",), no_key=True).order_by("pk")
    return [hook for hook in locked if event in hook.events]


# A match that ended


def finished(settled: Sequence[Settled]) -> None:
    """Store the end of matches, in the transaction that stores their results."""
    players = {result.user_id for each in settled for result in each.results}
    # All at once, so that rows are always locked in the same order.
    hooks = wanting(players, FINISHED)
    if hooks:
        outgoing_events = [event for each in settled for event in _finished_events(each, hooks)]
        deliveries.enqueue(outgoing_events, timezone.now())


def _finished_events(settled: Settled, hooks: Sequence[Hook]) -> list[OutgoingEvent]:
    """The events of one match, for the webhooks of its players."""
    match, outcome, results = settled
    by_player = {result.user_id: seat for seat, result in enumerate(results)}
    theirs = [hook for hook in hooks if hook.user_id in by_player]
    told = _match(match) if theirs else {}
    return [
        OutgoingEvent(
            hook,
            FINISHED,
            f"{match.pk}.finished",
            {
                "match": {**told, "url": _address(hook, match), "ended": match.ended},
                **_result(by_player[hook.user_id], results[by_player[hook.user_id]]),
                "winners": outcome.winners,
                "scores": outcome.scores,
            },
        )
        for hook in theirs
    ]


def _result(seat: Seat, result: Result) -> dict[str, Any]:
    rating = {"before": _whole(result.rating_before), "after": _whole(result.rating_after)}
    return {
        "seat": seat,
        "result": result.score,
        "reason": result.reason,
        "rating": None if result.rating_after is None else rating,
    }


def _whole(rating: float | None) -> int | None:
    return None if rating is None else round(rating)


# A turn that came


def _tell_turns(noted: Mapping[str, int], now: datetime) -> None:
    """Store turn events and notify other listeners; both are idempotent, so a retry is safe."""
    turns_came(noted, now)
    signals.turns_came(noted, now)


def turns_came(noted: Mapping[str, int], now: datetime) -> None:
    """Store turn events, given as user id by match, for players who have not moved since; in a thread."""
    # Check first: SQLite serializes writers, and few users have webhooks.
    if Hook.objects.filter(user__in=set(noted.values()), stopped="").exists():
        _note_all_turns(noted, now)


@transaction.atomic
def _note_all_turns(noted: Mapping[str, int], now: datetime) -> None:
    hooks = wanting(set(noted.values()), TURN)
    for user_id in sorted({hook.user_id for hook in hooks}):
        waiting = set(history.waiting_for(user_id))
        came = [match_id for match_id, mover in noted.items() if mover == user_id and match_id in waiting]
        _note_turns([hook for hook in hooks if hook.user_id == user_id], came, now)


def _note_turns(hooks: Sequence[Hook], match_ids: Collection[str], now: datetime) -> None:
    """Store turn events for the webhooks of one user."""
    numbers = history.last_numbers(match_ids)
    matches = Match.objects.filter(pk__in=match_ids).order_by("pk").prefetch_related("seatings__user")
    outgoing_events = [_turn(hook, match, numbers.get(match.pk, 0)) for match in matches for hook in hooks]
    deliveries.enqueue(outgoing_events, now)


def _turn(hook: Hook, match: Match, ply: int) -> OutgoingEvent:
    """The event of a turn; `ply` is the number of the ply before it, 0 at the start of a match."""
    (seat,) = (seating.seat for seating in match.seatings.all() if seating.user_id == hook.user_id)
    body = {
        "match": {**_match(match), "url": _address(hook, match), "ply": ply},
        "seat": seat,
        "deadline": match.deadline,
    }
    return OutgoingEvent(hook, TURN, f"{match.pk}.turn.{ply}", body)


@transaction.atomic
def matches_begun(matches: Sequence[Match]) -> None:
    """Store the first turns of new matches."""
    first = {match.pk: _first(match) for match in matches}
    signals.turns_came(first, timezone.now())
    hooks = wanting(set(first.values()), TURN)
    outgoing_events = [
        _turn(hook, match, 0) for match in matches for hook in hooks if hook.user_id == first[match.pk]
    ]
    deliveries.enqueue(outgoing_events, timezone.now())


def _first(match: Match) -> int:
    """The user who moves first."""
    seat: Seat = orjson.loads(match.start)["turn"]
    user_id = match.seatings.all()[seat].user_id
    assert user_id is not None
    return user_id


class PendingTurnEvents:
    """Collects the turns that passed in matches of this process."""

    def __init__(self) -> None:
        self._noted = Debouncer(PAUSE, self._flush)

    def passed(
        self, match_id: str, _players: Mapping[int, Seat], mover: int | None, _due: datetime | None
    ) -> None:
        """It is the turn of `mover` in a match, or of nobody (None). In the event loop; never raises."""
        if mover is not None:
            self._noted.note(match_id, mover)

    def _flush(self, noted: Mapping[str, int]) -> None:
        spawn(self._note(noted))

    async def _note(self, noted: Mapping[str, int]) -> None:
        try:
            await in_thread(_tell_turns)(noted, timezone.now())
        except DatabaseError:
            # The database may be down for a while; try again, with newer turns if there are any.
            logger.warning("could not note whose turn it is", exc_info=True)
            for match_id, mover in noted.items():
                if match_id not in self._noted:
                    self._noted.note(match_id, mover)


pending_turns = process.part(PendingTurnEvents)
"""The collector of this process."""


# Tournaments


def tournament_started(tournament: Tournament) -> None:
    """Store that a tournament has begun, for its players and its organiser; in its transaction."""
    _note_of_tournament(tournament, TOURNAMENT_STARTED)


def tournament_finished(tournament: Tournament) -> None:
    """Store that a tournament is over or was cancelled, for its players and its organiser."""
    _note_of_tournament(tournament, TOURNAMENT_FINISHED)


def _note_of_tournament(tournament: Tournament, event: str) -> None:
    concerned = set(tournament.entrants.values_list("user", flat=True)) | {tournament.organiser_id}
    told = [
        OutgoingEvent(hook, event, f"{tournament.pk}.{event}", {"tournament": _tournament(hook, tournament)})
        for hook in wanting(concerned, event)
    ]
    deliveries.enqueue(told, timezone.now())


def tournament_paired(tournament: Tournament, paired: Sequence[Pairing]) -> None:
    """Store the pairings of a round for their players, once their matches have begun."""
    seats: defaultdict[int, list[tuple[Pairing, PairingSeat]]] = defaultdict(list)
    for pairing in paired:
        for seat in pairing.seats.all():
            seats[seat.entrant.user_id].append((pairing, seat))
    told = [
        _paired(hook, tournament, *each)
        for hook in wanting(seats.keys(), TOURNAMENT_ROUND)
        for each in seats[hook.user_id]
    ]
    deliveries.enqueue(told, timezone.now())


def _paired(hook: Hook, tournament: Tournament, pairing: Pairing, seat: PairingSeat) -> OutgoingEvent:
    match = pairing.match
    body = {
        "tournament": _tournament(hook, tournament),
        "round": pairing.round,
        "table": pairing.table,
        "kind": pairing.kind,
        "match": None if match is None else {**_match(match), "url": _address(hook, match)},
        "seat": seat.seat,
    }
    id = f"{tournament.pk}.round.{pairing.round}.{pairing.table}.{pairing.replay}"
    return OutgoingEvent(hook, TOURNAMENT_ROUND, id, body)


def _tournament(hook: Hook, tournament: Tournament) -> dict[str, Any]:
    return {
        "id": tournament.pk,
        "name": tournament.title_in_words,
        "game": tournament.game,
        "format": tournament.format,
        "state": tournament.state,
        "url": f"{hook.site}/api/v1/tournaments/{tournament.pk}",
    }


# A ping


def ping(hook: Hook, token: str) -> OutgoingEvent:
    """A test event; `token` makes its id unique."""
    return OutgoingEvent(hook, PING, f"ping.{token}", {"events": hook.events})


def _match(match: Match) -> dict[str, Any]:
    """The fields of a match that every event has; players by seat."""
    return {
        "id": match.pk,
        "game": match.game,
        "clock": match.clock,
        "rated": match.rated,
        "players": [seating.get_name() for seating in match.seatings.select_related("user")],
        "begun": match.created,
    }


def _address(hook: Hook, match: Match) -> str:
    return hook.site + match.get_absolute_url()
