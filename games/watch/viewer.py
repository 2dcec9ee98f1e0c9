"""A viewer of a match, over WebSocket or event stream: what they receive and which commands they send."""

from __future__ import annotations

from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any

import orjson

from games.domain.instants import now
from games.domain.messages import (
    ClaimCommand,
    Command,
    HideCrowdCommand,
    OfferCommand,
    RematchCommand,
    WordsCommand,
)
from games.domain.terms import seat_sent
from games.net.threads import in_thread
from games.play import permissions
from games.play.live import LiveMatch
from games.play.matches import matches, topic
from games.rules.base import Seat
from games.store import history
from games.watch.delay import delays
from games.watch.delay import topic as delayed_topic
from games.watch.match_presence import crowd
from games.watch.visibility import View, admitted, may_see

PLIES_OF_PAGE = 200
"""Most plies in one answer: about 100 KB, encoded in 3 ms."""


@dataclass(frozen=True, slots=True)
class Viewer:
    """One user who views one match, as a player or spectator.

    Attributes:
        match_id: the match.
        view: what the user may see of it.
        live_clock: whether the match has a clock for play in real time.
    """

    match_id: str
    view: View
    live_clock: bool

    @property
    def seat(self) -> Seat | None:
        """The seat of the user; None for spectators."""
        return self.view.seat

    @property
    def topic(self) -> str:
        """The hub topic for this viewer."""
        return (delayed_topic if self.view.late else topic)(self.match_id)

    async def known(self) -> LiveMatch:
        """The match as visible to this user. Commands use `matches`, which has the current state."""
        return await (delays if self.view.late else matches).get(self.match_id)

    def came(self) -> None:
        """Call after subscribing to the topic."""
        crowd.changed(self.match_id, self.seat)

    def went(self) -> None:
        """Call after unsubscribing from the topic."""
        crowd.changed(self.match_id, self.seat)
        self.forget()

    def forget(self) -> None:
        """Remove the match from memory if it has no viewers any more."""
        delays.forget(self.match_id)
        matches.forget(self.match_id)

    async def plies(self, after: int, most: int | None = None) -> dict[str, Any]:
        """The plies since `after`, all or the first `most` of them (`games.domain.messages.Plies`)."""
        rows = await in_thread(history.plies_since)(self.match_id, after, most)
        live = await self.known()
        if self.view.late:
            rows = [row for row in rows if row.number <= live.ply]
        message = live.plies_message(after, rows)
        if live.ends(after, rows):
            message |= permissions.for_seat(live, self.seat)
        return message

    async def page(self, after: int, most: int) -> dict[str, Any]:
        """`plies`, plus `next`: the ply after which the next page starts; None at the end."""
        message = await self.plies(after, most)
        last = message["plies"][-1]["number"] if message["plies"] else after
        return {**message, "next": last if last < (await self.known()).ply else None}

    async def now(self) -> dict[str, Any]:
        """The match without presence (`games.domain.messages.MatchNow`)."""
        live = await self.known()
        return {
            "type": "snapshot",
            "match": _match_fields(live),
            "you": seat_sent(self.seat),
            "start": orjson.Fragment(live.start),
            "outcome": live.outcome_fields(),
            **permissions.standing(live, self.seat),
            "offers": live.offers,
            # Delayed viewers get the delayed time, which matches the delayed clocks.
            **live.clock_fields(now() - self.view.behind * 1000),
        }

    async def snapshot(self) -> dict[str, Any]:
        """The whole match (`games.domain.messages.Snapshot`). Subscribe to the topic first."""
        return {**await self.now(), **crowd.of(self.match_id)}


def _match_fields(live: LiveMatch) -> dict[str, Any]:
    return {
        "id": live.id,
        "game": live.game.slug,
        "options": orjson.Fragment(live.options),
        "from_position": live.from_position,
        "rated": live.terms.rated,
        "draws": live.game.draws,
        "shared": live.shared,
        "absence": live.absence(),
        "seats": live.seats(),
        "offered": live.rematch_offered,
        "rematch": live.rematch,
        "dice": live.dice(),
        "clock": live.control_fields(),
    }


async def view_of(live: LiveMatch, user_id: int | None) -> View:
    """The view of a user on a match in memory."""
    view = may_see(live.terms, live.seat_of(user_id))
    return view if view.allowed else await in_thread(admitted)(view, live.id, user_id)


async def look_at(match_id: str, user_id: int | None) -> Viewer:
    """The viewer for a user and a match. Raises `UnknownMatch`, `PlayersOnly` or `SavingUnavailable`."""
    live = await matches.get(match_id)
    view = await view_of(live, user_id)
    if not view.allowed:
        matches.forget(match_id)
    view.check()
    return Viewer(match_id, view, live.control.live)


def carry_out(match_id: str, user_id: int | None, command: Command, lag: int = 0) -> Coroutine[Any, Any, int]:
    """Execute a command. Returns the number of the last ply.

    Raises what `games.play.matches` raises; then nothing has changed.
    """
    match command:
        case RematchCommand() | HideCrowdCommand() | WordsCommand():
            return _carry_out_beside_plies(match_id, user_id, command)
        case ClaimCommand() | OfferCommand():
            return _carry_out_among_those_there(match_id, user_id, command)
        case _:
            return matches.play(match_id, user_id, command, lag)


async def _carry_out_beside_plies(
    match_id: str, user_id: int | None, command: RematchCommand | HideCrowdCommand | WordsCommand
) -> int:
    match command:
        case RematchCommand():
            await matches.rematch(match_id, user_id)
        case HideCrowdCommand(hidden=hidden):
            hidden_by = await matches.hide_crowd(match_id, user_id, hidden)
            crowd.hidden(match_id, hidden_by)
        case WordsCommand(words=words):
            await matches.add_words(match_id, user_id, words)
    return (await matches.get(match_id)).ply


async def _carry_out_among_those_there(
    match_id: str, user_id: int | None, command: ClaimCommand | OfferCommand
) -> int:
    seats = len((await matches.get(match_id)).names)
    return await matches.play(match_id, user_id, command, away=crowd.lost(match_id, seats))
