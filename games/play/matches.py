"""The service: nobody else changes a match.

A process keeps the matches it serves in memory, each behind its own lock. A command is judged there
in microseconds, handed to the journal, and answered and told to everyone once it is durable. The
store decides between processes: if the journal says another one was faster, memory is thrown away,
the match is read again and the command is judged anew.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence, Set
from dataclasses import asdict
from functools import partial
from types import MappingProxyType
from typing import Any, TypeVar

import orjson
from django.contrib.auth.models import AbstractBaseUser
from django.db import DatabaseError, transaction
from django.dispatch import Signal

from games.law import absence, acts, clock, codec, instants, offers
from games.law.absence import Away
from games.law.acts import Act
from games.law.clock import Clocks
from games.law.messages import (
    AbortCommand,
    ClaimCommand,
    DeclineCommand,
    MoveCommand,
    OfferKind,
    PlyCommand,
    ReclaimCommand,
    ResignCommand,
)
from games.law.offers import Offers
from games.law.refusals import (
    GameOver,
    HasLeft,
    NotSeated,
    OutOfTime,
    Refused,
    Stale,
    TryAgain,
)
from games.law.terms import FRIENDLY, Terms
from games.models import Match, Seating
from games.net.hub import Hub
from games.net.hub import hub as process_hub
from games.net.threads import in_thread
from games.play import judge, permissions
from games.play.live import LiveMatch
from games.registry import GAMES
from games.rules.base import Leave, Seat
from games.store import agreements, bot_queue, history
from games.store.heartbeat import Heart
from games.store.history import Stored, UnknownMatch
from games.store.journal import ClockChange, Entry, Journal, Overtaken, PlyRow, Unavailable

logger = logging.getLogger(__name__)

T = TypeVar("T")

CATCH_UP_SECONDS = 1.0
"""How long a ply of another process may stay unknown here when the channel layer lost it."""

TIDY_SECONDS = 60.0
"""How often matches are dropped that were being read or played when the last who looked at them went."""

ALARM_WITHIN = 3600.0
"""Seconds ahead for which a process sets itself an alarm; later deadlines are left to the heartbeat."""

match_begun = Signal()
"""A rematch began; `match_id`. Whoever calls `create` knows of the match already."""
match_over = Signal()
"""A match ended; `match_id`."""
match_saved = Signal()
"""A match was put away for later; `match_id`."""
match_resumed = Signal()
"""A saved match goes on; `match_id`."""
call_changed = Signal()
"""Somebody asks the others back to a match that is saved or over, or no longer does; `match_id`."""
rated_guards: list[Callable[[int], None]] = []
"""Asked in a thread before somebody, by user id, wants a rated rematch; whoever objects raises `Refused`."""
turn_listeners: list[Callable[[str, Mapping[int, Seat], int | None], None]] = []
"""Called when a ply of this process passed the turn on or ended the match.

They are given the id of the match, its seats by user id, and the id of the user who is to move, if any.
No signal, which costs ten times as much on the hottest path there is: they take a note and never fail.
"""


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
    """Begin a match: `users` by seat, `first` moves first, whose clock runs from now on.

    `levels` says at which seats computer players sit, and on which of the game's levels they play.
    Raises `BadOptions` or `BadClock` and stores nothing.
    """
    game = GAMES[game_slug]
    control = clock.parse(terms.clock)
    start = game.rules.setup(options, len(users), first)
    now = instants.now()
    clocks = clock.start(control, len(users), start.turn, now) if control.timed else None
    match = Match.objects.create(
        game=game_slug,
        options=codec.encode(options).decode(),
        start=codec.encode_state(game.rules, start).decode(),
        rematch_of=rematch_of,
        deadline=judge.deadline(control, clocks),
        bot_due=instants.moment(now) if start.turn in levels else None,
        **asdict(terms),
    )
    Seating.objects.bulk_create(
        Seating(match=match, seat=seat, user_id=user.pk, level=levels.get(seat))
        for seat, user in enumerate(users)
    )
    return match


class Matches:
    """The matches this process serves."""

    def __init__(self, hub: Hub, now: Callable[[], int] = instants.now) -> None:
        self._hub = hub
        self._now = now
        self._heart = Heart(now, self.flag, self._clocks_were_paused)
        self._for_ever: list[asyncio.Task[None]] = []
        self._journal = Journal()
        self._live: dict[str, LiveMatch] = {}
        self._loading: dict[str, asyncio.Task[LiveMatch]] = {}
        self._keeping_up = False
        hub.listen("match", self._hear)
        hub.listen("renamed", self._hear_renamed)

    async def get(self, match_id: str) -> LiveMatch:
        """The match in memory, read from the store if need be. Raises `UnknownMatch` or `TryAgain`."""
        live = self._live.get(match_id)
        if live is not None and not live.behind:
            return live
        loading = self._loading.get(match_id)
        if loading is None:
            loading = self._loading[match_id] = asyncio.ensure_future(self._load(match_id))
            loading.add_done_callback(lambda _: self._loading.pop(match_id, None))
        # Several may wait for one reading; one that goes away must not take it from the others.
        return await asyncio.shield(loading)

    async def up_to_date(self, match_id: str) -> LiveMatch:
        """`get`, also where nobody here looks at the match and so nothing is heard of it."""
        live = self._live.get(match_id)
        if live is not None:
            numbers = await in_thread(history.last_numbers)([match_id])
            live.behind = live.behind or numbers.get(match_id, 0) > live.ply
        return await self.get(match_id)

    def in_memory(self, match_id: str) -> LiveMatch | None:
        """The match as it is in memory, which it is for as long as somebody here looks at it."""
        return self._live.get(match_id)

    def forget(self, match_id: str) -> None:
        """Drop a match from memory once nobody here looks at it."""
        live = self._live.get(match_id)
        if live is not None and not live.lock.locked() and not self._hub.sockets(topic(match_id)):
            live.silence()
            # Whoever is about to act on it comes back for the memory that others will look at.
            live.behind = True
            del self._live[match_id]

    def keep_time(self) -> None:
        """Take part in the heartbeat of the site, and tidy up, from now on. Again, it changes nothing."""
        if not self._for_ever:
            self._for_ever = [asyncio.ensure_future(work) for work in (self._heart.run(), self._tidy())]

    async def close(self) -> None:
        """Write what is waiting; nothing is played afterwards."""
        for live in self._live.values():
            live.silence()
        for task in self._for_ever:
            task.cancel()
        await self._journal.close()

    async def _tidy(self) -> None:
        """Drop what `forget` could not drop when it was asked to, for as long as this process runs."""
        while True:
            await asyncio.sleep(TIDY_SECONDS)
            for match_id in tuple(self._live):
                self.forget(match_id)

    # Commands

    async def play(
        self,
        match_id: str,
        user_id: int | None,
        command: PlyCommand,
        lag: int = 0,
        away: Away = MappingProxyType({}),
    ) -> int:
        """Carry a command out and return the number of the last ply, once all of it is durable.

        The same id by the same seat returns the same number, however often and wherever it is sent. `lag`
        is the sender's measured distance in milliseconds, which their clock may be credited with; `away`
        says since when each absent player has been away.
        Raises `UnknownMatch`, `Refused` or `IllegalMove`, and then the command has changed nothing.
        """
        read_again = False

        async def act(live: LiveMatch) -> int:
            nonlocal read_again
            seat = live.seat_of(user_id)
            if seat is None:
                raise NotSeated
            if command.after > live.ply and not read_again:
                # The sender knows more than this process: perhaps another one told them.
                read_again = True
                raise Overtaken
            return await self._act(live, seat, command, lag, away)

        return await self._judge(match_id, act)

    async def _judge(self, match_id: str, act: Callable[[LiveMatch], Awaitable[T]]) -> T:
        """Let `act` decide on the match as the store has it, anew whenever another process was faster."""
        while True:
            live = await self.get(match_id)
            if live.control.live:
                await self._sure()
            async with live.lock:
                if live.behind:
                    continue
                try:
                    return await act(live)
                except Overtaken:
                    live.behind = True
                except Unavailable as error:
                    live.behind = True
                    raise TryAgain from error

    async def leave(self, match_id: str, user_id: int) -> None:
        """Resign whatever has been played meanwhile; nothing happens to who has left or a match that is over.

        Raises `UnknownMatch`, `NotSeated` or `TryAgain`.
        """
        command = ResignCommand(type="resign", id=secrets.token_urlsafe(16), after=0)
        while True:
            live = await self.get(match_id)
            try:
                await self.play(match_id, user_id, command.model_copy(update={"after": live.ply}))
            except Stale:
                continue
            except (GameOver, HasLeft):
                pass
            return

    async def _act(self, live: LiveMatch, seat: Seat, command: PlyCommand, lag: int, away: Away) -> int:
        answer = live.answers.get((seat, command.id))
        if answer is not None:
            return answer
        now = self._now()
        if live.clocks is not None and live.flagged(now):
            late = seat == live.clocks.running and isinstance(command, MoveCommand)
            await self._drop_flag(live, now)
            if late:
                raise OutOfTime
        permissions.under_way(live)
        # Between the bot's plies there is hardly time to press: whoever is back means any position.
        if command.after != live.ply and not isinstance(command, ReclaimCommand):
            raise Stale
        permissions.not_left(live, seat)
        if isinstance(command, DeclineCommand):
            return await self._decline(live, seat, command)
        action = await self._decide(live, seat, command, away, now)
        if action is None:
            return live.ply
        try:
            return await self._write(live, seat, action, command.id, now, lag)
        except clock.OutOfTime:
            await self._drop_flag(live, now)
            raise OutOfTime from None

    async def _decide(
        self, live: LiveMatch, seat: Seat, command: PlyCommand, away: Away, now: int
    ) -> Any | None:
        """The action that a command comes to; None if there is none yet, since others have to agree."""
        match command:
            case MoveCommand(move=text):
                return judge.move(live, seat, text)
            case ResignCommand():
                return Leave(seat, "resigned")
            case AbortCommand():
                permissions.abort(live)
                return Act(acts.ABORTED, seat)
            case ClaimCommand(kind=kind):
                return absence.claimed(live, seat, kind, absence.gone(live.control, away, now))
            case ReclaimCommand():
                permissions.reclaim(live, seat)
                return Act(acts.RECLAIMED, seat)
            case _:
                gone = absence.gone(live.control, away, now)
                return await self._offer(live, (seat, command.id), command.kind, gone, now)

    async def _offer(
        self, live: LiveMatch, command: tuple[Seat, str], kind: OfferKind, gone: Set[Seat], now: int
    ) -> Act | None:
        """Note an offer, or that a seat agrees to one; what is done once nobody is left to ask."""
        seat, _ = command
        by = offers.proposer(live.offers, kind, seat, now)
        needed, act = offers.judged(live, kind, seat, by, gone)
        computers = live.levels.keys() & needed
        open_now, offer = await in_thread(agreements.agree)(live.id, live.ply, command, kind, now, computers)
        if offer is not None and offer.by != by:
            raise Overtaken
        if offer is not None and needed <= set(offer.agreed):
            return act
        self._tell_offers(live, open_now)
        if computers:
            self._hub.publish(bot_queue.TOPIC, bot_queue.WAKE)
        return None

    async def _decline(self, live: LiveMatch, seat: Seat, command: DeclineCommand) -> int:
        decline, told = in_thread(agreements.decline), (seat, command.id)
        self._tell_offers(live, await decline(live.id, live.ply, told, command.kind, self._now()))
        return live.ply

    def _tell_offers(self, live: LiveMatch, open_now: Offers) -> None:
        live.offers = open_now
        self._hub.publish(topic(live.id), live.offers_message(), live.for_seats())
        if live.situation.halted == acts.SAVED:
            self._hub.spawn(_signal(call_changed, live.id))

    def _tell_of_saving(self, live: LiveMatch, halted_before: str) -> None:
        """Signal what the last ply means for saving, `halted_before` being how the match stood before it."""
        if halted_before == acts.SAVED:
            # Whatever the ply is, nothing that was offered before it stands any more.
            self._hub.spawn(_signal(call_changed, live.id))
            if live.running:
                self._hub.spawn(_signal(match_resumed, live.id))
        elif live.situation.halted == acts.SAVED:
            self._hub.spawn(_signal(match_saved, live.id))

    async def _write(
        self, live: LiveMatch, seat: Seat, action: Any, command_id: str | None, now: int, lag: int = 0
    ) -> int:
        """Apply an action and the throws it leads to, and return once all of it is durable."""
        before = await self._state_to_go_back_to(live, action)
        rows, state, clocks, outcome = judge.plies_of(live, seat, action, command_id, now, lag, before)

        def stored() -> None:
            mover_before, halted_before = live.mover(), live.situation.halted
            live.advance(rows, state, outcome, clocks)
            self._set_alarm(live)
            self._tell(live, rows)
            if live.bot_to_move:
                self._hub.publish(bot_queue.TOPIC, bot_queue.WAKE)
            self._tell_of_saving(live, halted_before)
            mover = live.mover()
            if mover != mover_before:
                for listener in turn_listeners:
                    listener(live.id, live.players, mover)

        entry = Entry(
            live.id,
            rows,
            stored,
            words=codec.encode(live.words).decode() if live.ply == 0 and live.game.dice else None,
            outcome=None if outcome is None else codec.encode(outcome).decode(),
            status=judge.status_after(action),
            clock=None if clocks is None else ClockChange(judge.deadline(live.control, clocks), live.paused),
            bots=judge.bot_to_move(live, rows, state, outcome),
        )
        await self._journal.write(entry)
        return rows[-1].number

    async def _state_to_go_back_to(self, live: LiveMatch, action: Any) -> Any | None:
        """The state that a take-back leads to, None for anything else."""
        if not isinstance(action, Act) or action.ply is None:
            return None
        return await in_thread(history.state_after)(live.id, action.ply)

    async def play_for(self, match_id: str, ply: int, move: str) -> None:
        """Play for somebody whose chair a bot keeps, unless the match has gone on since `ply`.

        Raises `UnknownMatch`, `TryAgain`, or `IllegalMove`.
        """

        async def act(live: LiveMatch) -> None:
            if live.ply == ply and live.running and live.state.turn in live.situation.caretaken:
                await self._write(live, live.state.turn, live.game.rules.parse(move), None, self._now())

        try:
            await self._judge(match_id, act)
        except clock.OutOfTime:
            await self.flag(match_id)

    # Time

    async def flag(self, match_id: str) -> None:
        """Let the flag of the seat on turn fall, if its time is up. Raises `UnknownMatch` or `TryAgain`.

        Any process may try: the number of the ply lets one of them write it, and a move that came first
        has taken the number.
        """

        async def act(live: LiveMatch) -> None:
            now = self._now()
            if live.flagged(now):
                await self._drop_flag(live, now)
            else:
                # The store may know of a deadline that this memory does not.
                live.behind = True

        await self._judge(match_id, act)
        self.forget(match_id)

    async def _drop_flag(self, live: LiveMatch, now: int) -> None:
        """The seat on turn loses by time, or never came and the match is aborted."""
        assert live.clocks is not None
        assert live.clocks.running is not None
        seat = live.clocks.running
        action = Act(acts.ABORTED, seat) if seat in live.clocks.fresh else Leave(seat, "time")
        await self._write(live, seat, action, None, now)

    def _set_alarm(self, live: LiveMatch) -> None:
        """Look at a clock again when its time is up. Only a hint: the heartbeat finds every deadline."""
        live.silence()
        due = None if live.clocks is None else clock.deadline(live.control, live.clocks)
        if due is None:
            return
        wait = max(0, due - self._now()) / 1000
        if wait < ALARM_WITHIN:
            ring = partial(self._ring, live.id)
            live.alarm = asyncio.get_running_loop().call_later(wait, ring)

    def _ring(self, match_id: str) -> None:
        live = self._live.get(match_id)
        if live is not None and not live.behind and not live.flagged(self._now()):
            # A busy event loop counts from when it last looked at the time, and rings early.
            self._set_alarm(live)
        else:
            self._hub.spawn(self._flag_or_leave_it(match_id))

    async def _flag_or_leave_it(self, match_id: str) -> None:
        with contextlib.suppress(UnknownMatch, TryAgain):
            await self.flag(match_id)

    async def _sure(self) -> None:
        """Return once it is known for how long the site was away. Raises `TryAgain`."""
        try:
            await self._heart.sure()
        except DatabaseError as error:
            raise TryAgain from error

    def _clocks_were_paused(self) -> None:
        """The site was away: read every live match again and tell those who look at it."""
        for live in self._live.values():
            if live.control.live and live.outcome is None:
                live.behind = True
                if self._hub.sockets(topic(live.id)):
                    self._hub.spawn(self._tell_clocks(live.id))

    async def _tell_clocks(self, match_id: str) -> None:
        with contextlib.suppress(TryAgain):
            live = await self.get(match_id)
            message = {"type": "clocks", "ply": live.ply, **live.clock_fields(self._now())}
            self._hub.tell_here(topic(match_id), message)

    async def rematch(self, match_id: str, user_id: int | None) -> str | None:
        """Offer a rematch or accept one; the id of the new match once every seat wants it.

        Raises `UnknownMatch`, `NotSeated`, `NotOver` or what a guard of rated matches raises.
        """
        live = await self.get(match_id)
        seat = live.seat_of(user_id)
        if user_id is None or seat is None:
            raise NotSeated
        permissions.rematch(live)
        if live.terms.rated:
            for guard in rated_guards:
                await in_thread(guard)(user_id)
        begun, live.offered, live.rematch = await in_thread(_want_rematch)(match_id, seat)
        if begun:
            self._hub.spawn(_signal(match_begun, live.rematch))
        self._hub.spawn(_signal(call_changed, match_id))
        self._hub.publish(topic(match_id), live.rematch_message())
        return live.rematch

    async def add_words(self, match_id: str, user_id: int | None, words: str) -> None:
        """Mix a seat's own words into the dice. Raises `UnknownMatch`, `NotSeated` or `AlreadyBegun`."""
        live = await self.get(match_id)
        async with live.lock:
            seat = live.seat_of(user_id)
            if seat is None:
                raise NotSeated
            permissions.words(live)
            live.words = await in_thread(agreements.add_words)(match_id, seat, words)
            self._hub.publish(topic(match_id), live.words_message())

    async def hide_crowd(self, match_id: str, user_id: int | None, hidden: bool) -> tuple[Seat, ...]:
        """Hide who watches, or do so no longer as far as this seat goes; the seats that want it hidden.

        `games.watch.crowd` tells of it. Raises `UnknownMatch` or `NotSeated`.
        """
        live = await self.get(match_id)
        seat = live.seat_of(user_id)
        if seat is None:
            raise NotSeated
        live.hidden_by = await in_thread(agreements.hide_crowd)(match_id, seat, hidden)
        return live.hidden_by

    # What everyone is told

    def _tell(self, live: LiveMatch, rows: Sequence[PlyRow]) -> None:
        """Tell everyone of plies that are in the store and in memory."""
        message = live.plies_message(rows[0].number - 1, rows)
        if live.clocks is not None:
            message["time"] = self._now()
        self._hub.publish(topic(live.id), message, live.for_seats())
        if live.outcome is not None:
            self._hub.spawn(_signal(match_over, live.id))

    def _hear(self, heard_topic: str, payload: bytes) -> None:
        """Follow what another process wrote, or remember to read it."""
        live = self._live.get(heard_topic.partition(".")[2])
        if live is None:
            return
        message = orjson.loads(payload)
        if message["type"] == "plies":
            self._follow(live, message["after"], [history.row_of(fields) for fields in message["plies"]])
        elif message["type"] in ("words", "rematch", "offers"):
            live.behind = True

    def _follow(self, live: LiveMatch, after: int, rows: Sequence[PlyRow]) -> None:
        if rows[-1].number <= live.ply:
            return
        # The first ply freezes the words of the dice, and the store knows which.
        if after != live.ply or after == 0 or live.lock.locked():
            live.behind = True
            return
        last = rows[-1]
        try:
            state = codec.decode_state(live.game.rules, last.state)
            clocks = None if last.clocks is None else codec.decode(Clocks, last.clocks)
        except codec.Undecodable:
            # Another version of the code wrote it; this one may still understand the whole.
            live.behind = True
            return
        situation = live.situation_after(rows)
        outcome = acts.outcome(live.game.rules, state, last.action, situation.remaining(len(live.names)))
        live.advance(rows, state, outcome, clocks)
        self._set_alarm(live)

    def renamed(self, user_id: int) -> None:
        """Somebody has another name: have every process read their matches anew; from any thread."""
        self._hub.tell_everyone("renamed", {"user": user_id})

    def _hear_renamed(self, _topic: str, payload: bytes) -> None:
        user_id = orjson.loads(payload)["user"]
        for live in self._live.values():
            if user_id in live.players:
                live.behind = True

    # Reading

    async def _load(self, match_id: str) -> LiveMatch:
        old = self._live.get(match_id)
        try:
            live = LiveMatch.of(await self._read(match_id))
            missed = [] if old is None else await self._missed(old.ply, live)
        except DatabaseError as error:
            raise TryAgain from error
        if old is not None:
            # Whoever waits for the old lock finds the old memory marked and comes back for the new.
            old.behind = True
            old.silence()
        self._live[match_id] = live
        self._set_alarm(live)
        if old is not None:
            self._tell_what_was_lost(old, live, missed)
        if self._hub.remote and not self._keeping_up:
            self._keeping_up = True
            self._hub.spawn(self._keep_up())
        return live

    async def _read(self, match_id: str) -> Stored:
        """The match as it is stored, with every gap that its clocks are not charged for."""
        while True:
            gaps = self._heart.gaps
            stored = await in_thread(history.load)(match_id)
            if stored.match.deadline is None or (gaps is not None and gaps == self._heart.gaps):
                return stored
            # The reading may be older than the note of a gap.
            await self._sure()

    async def _keep_up(self) -> None:
        """Find what the channel layer lost, for as long as this process runs."""
        while True:
            await asyncio.sleep(CATCH_UP_SECONDS)
            try:
                await self._catch_up()
            except Exception:
                # The database may be away for a while; this must still run when it is back.
                logger.exception("could not look for what was lost")

    async def _catch_up(self) -> None:
        watched = {t.partition(".")[2] for t in self._hub.topics("match")}
        numbers = await in_thread(history.last_numbers)(watched)
        for match_id, asides in (await in_thread(history.asides)(watched, numbers)).items():
            live = self._live.get(match_id)
            if live is None or live.lock.locked():
                continue
            if live.behind or numbers.get(match_id, 0) > live.ply or asides != live.asides():
                live.behind = True
                await self.get(match_id)

    async def _missed(self, after: int, live: LiveMatch) -> list[PlyRow]:
        """The plies by which reading moves memory on; what came since is told by whoever brings it."""
        if live.ply <= after:
            return []
        rows = await in_thread(history.plies_since)(live.id, after)
        return [row for row in rows if row.number <= live.ply]

    def _tell_what_was_lost(self, old: LiveMatch, live: LiveMatch, missed: Sequence[PlyRow]) -> None:
        """Memory has moved on by reading: tell those who look at the match here what led there."""
        if missed:
            message = live.plies_message(missed[0].number - 1, missed)
            self._hub.tell_here(topic(live.id), message, live.for_seats())
        if (old.offered, old.rematch) != (live.offered, live.rematch):
            self._hub.tell_here(topic(live.id), live.rematch_message())
        if old.offers != live.offers:
            self._hub.tell_here(topic(live.id), live.offers_message(), live.for_seats())
        if old.words != live.words and live.game.dice:
            self._hub.tell_here(topic(live.id), live.words_message())


def topic(match_id: str) -> str:
    """The hub's topic of a match."""
    return f"match.{match_id}"


@transaction.atomic
def _want_rematch(match_id: str, seat: Seat) -> tuple[bool, tuple[Seat, ...], str | None]:
    """Note that a seat wants a rematch; begin it when all do and can.

    Returns whether it began now, who wants it, and the id of the rematch if there is one.
    """
    match = Match.objects.select_for_update().get(pk=match_id)
    offered = agreements.want_rematch(match, seat)
    seatings = list(Seating.objects.filter(match=match).select_related("user"))
    known = Match.objects.filter(rematch_of=match).values_list("pk", flat=True).first()
    # Whoever wanted it may have deleted their account since, or be banned.
    ready = all(s.user.is_active and (s.seat in offered or s.level is not None) for s in seatings)
    if known is not None or not ready:
        return False, offered, known
    start = history.state_after(match_id, 0)
    # Everyone moves one seat on, so that another player has the first move.
    moved_on = seatings[1:] + seatings[:1]
    users = [s.user for s in moved_on]
    levels = {seat: s.level for seat, s in enumerate(moved_on) if s.level is not None}
    begun = create(match.game, start.options, users, start.turn, match.terms, match, levels)
    return True, offered, begun.pk


async def _signal(signal: Signal, match_id: str | None) -> None:
    await signal.asend(sender=Match, match_id=match_id)


matches = Matches(process_hub)
"""The matches of this process."""

__all__ = [
    "Matches",
    "Refused",
    "UnknownMatch",
    "call_changed",
    "create",
    "match_begun",
    "match_over",
    "match_resumed",
    "match_saved",
    "matches",
    "rated_guards",
    "turn_listeners",
]
