"""The worker of the computer players: leases due matches and positions, computes in the pool, stores results.

Any number of workers may run. Moves go through the match service like other moves, with ids that do not
depend on the worker, so no move is played twice.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Callable, Coroutine
from concurrent.futures.process import BrokenProcessPool
from datetime import datetime, timedelta
from functools import partial
from random import Random
from typing import Any

import orjson
from django.conf import settings
from django.db import DatabaseError

from games.bots.base import Evaluation
from games.computers import searches
from games.computers.kernels import Kernels
from games.computers.pool import Pool
from games.domain import codec, instants, offers, pacing
from games.domain.messages import DeclineCommand, MoveCommand, OfferCommand, PlyCommand, server_id
from games.domain.refusals import Refused, SavingUnavailable
from games.net.hub import Frame, Hub, TopicListener
from games.net.hub import hub as process_hub
from games.net.process import process
from games.net.tasks import Wakeup, every, spawn
from games.net.threads import in_thread
from games.play.live import LiveMatch, topic
from games.play.matches import Matches
from games.play.matches import matches as process_matches
from games.rules.base import Seat
from games.store import analysis_queue, bot_queue, position_looks
from games.store.analysis_queue import Wanted
from games.store.bot_queue import Lease
from games.store.position_looks import Asked

logger = logging.getLogger(__name__)

EVERY = 1.0
"""Seconds between polls of the store; messages wake the worker earlier."""
TELL_WAKING = 0.5
"""Seconds between messages that a computer player is starting; later viewers get the next one."""
RENEW = bot_queue.LEASE.total_seconds() / 3
LOOK_LEASE = timedelta(seconds=20)
"""Lease of an evaluation, which takes a second on an idle machine."""
MATCHES_PER_PROCESS = 8
"""Matches handled at once per pool process; most of them wait for a thinking pause to end."""


class WorkListener(TopicListener):
    """Subscriber that wakes the worker."""

    def __init__(self) -> None:
        self.wakeup = Wakeup()

    def write(self, frame: Frame) -> None:
        """Look for work; what the message says does not matter."""
        self.wakeup.wake()


class Computers:
    """The worker of this process.

    Args:
        matches: the match service to play through.
        hub: carries the messages that wake the worker.
        pool: the processes that compute.
        now: returns the time in milliseconds.
        pace: factor of the time taken for a move; 1 is like a human player.
    """

    def __init__(
        self,
        matches: Matches,
        hub: Hub,
        pool: Pool,
        now: Callable[[], int] = instants.now,
        pace: float = settings.BOT_PACE,
    ) -> None:
        self._matches, self._hub, self._pool, self._now, self._pace = matches, hub, pool, now, pace
        self._listener = WorkListener()
        self._moves: set[asyncio.Task[None]] = set()
        self._looks: set[asyncio.Task[None]] = set()
        self._running: list[asyncio.Task[None]] = []
        self._kernels = Kernels(pool)
        hub.listen(searches.LEFT, self._hear_left)

    def begin(self) -> None:
        """Start to process due work, if this process has a pool."""
        if self._pool.processes:
            self._hub.join(bot_queue.TOPIC, self._listener)
            self._kernels.expect()
            self._running = [
                spawn(every(EVERY, self._take_up, self._listener.wakeup)),
                spawn(self._wake_up()),
            ]

    async def close(self) -> None:
        """Stop. Leased work becomes due again soon."""
        self._hub.leave(bot_queue.TOPIC, self._listener)
        tasks = [*self._moves, *self._looks, *self._running]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._pool.close()

    async def _wake_up(self) -> None:
        await self._kernels.load()
        logger.info("computer players are awake")

    async def once(self) -> bool:
        """Lease due work and return once it is done. Returns whether there was any."""
        work = {*await self._take_up(), *self._moves, *self._looks}
        await asyncio.gather(*work)
        return bool(work)

    async def _take_up(self) -> list[asyncio.Task[None]]:
        """Lease as much due work as there is capacity for. Returns what was begun, and may be over."""
        begun: list[asyncio.Task[None]] = []
        room = MATCHES_PER_PROCESS * self._pool.processes - len(self._moves)
        if room > 0:
            leases = await in_thread(bot_queue.take)(self._moment(), room)
            begun.extend(self._begin(self._attend(lease), self._moves) for lease in leases)
        # Only what can be computed now: a move must not wait behind a whole analysis.
        room = self._pool.processes - len(self._looks)
        if room > 0:
            games = self._kernels.games_to_look_at()
            looks = await in_thread(analysis_queue.take)(self._moment(), room, LOOK_LEASE, games)
            begun.extend(self._begin(self._look(wanted), self._looks) for wanted in looks)
            asked = await in_thread(position_looks.take)(self._moment(), room - len(looks), LOOK_LEASE, games)
            begun.extend(self._begin(self._look_at_position(each), self._looks) for each in asked)
        return begun

    def _begin(self, work: Coroutine[Any, Any, None], tasks: set[asyncio.Task[None]]) -> asyncio.Task[None]:
        task = spawn(work)
        tasks.add(task)
        task.add_done_callback(partial(self._ended, tasks))
        return task

    def _ended(self, tasks: set[asyncio.Task[None]], task: asyncio.Task[None]) -> None:
        tasks.discard(task)
        # There is capacity again.
        self._listener.wakeup.wake()

    # Matches

    async def _attend(self, lease: Lease) -> None:
        """Do what a match is due for, and renew its lease meanwhile."""
        keeping = spawn(self._keep(lease))
        try:
            await self._act(lease.match_id)
        except (SavingUnavailable, DatabaseError, BrokenProcessPool):
            # It becomes due again when the lease ends.
            about = {"match": lease.match_id}
            logger.warning("a computer player could not act", exc_info=True, extra=about)
            return
        except Refused:
            pass  # the match was deleted, or another command came first
        finally:
            keeping.cancel()
            self._matches.forget(lease.match_id)
        await in_thread(bot_queue.release)(lease)

    async def _keep(self, lease: Lease) -> None:
        kept = True
        while kept:
            await asyncio.sleep(RENEW)
            with contextlib.suppress(DatabaseError):
                kept = await in_thread(bot_queue.renew)(lease, self._moment())

    async def _act(self, match_id: str) -> None:
        live = await self._matches.up_to_date(match_id)
        asked = _asked_for_a_draw(live, self._now())
        if asked is not None:
            await self._answer(live, asked)
            live = await self._matches.up_to_date(match_id)
        if live.bot_to_move:
            await self._move(live)

    async def _move(self, live: LiveMatch) -> None:
        """Choose a move and play it after a human-like pause, unless the match goes on meanwhile."""
        loop, ply, seat = asyncio.get_running_loop(), live.ply, live.state.turn
        left = live.time_left(self._now())
        seed = pacing.seed_of_a_choice(live.id, ply)
        # Not security-relevant: the position is no secret, so its moves need not be either.
        play_at = loop.time() + self._pace * pacing.pause(Random(seed), left)  # noqa: S311
        level = live.levels.get(seat, _bot_level(live))
        telling = spawn(self._tell_waking(live.id, live.game.slug, level, ply))
        try:
            await self._kernels.for_move(live.game.slug, level)
            move = await self._pool.choose(live.game.slug, live.state_json, level, pacing.effort(left), seed)
        finally:
            telling.cancel()
        await asyncio.sleep(play_at - loop.time())
        if seat in live.flags.caretaken:
            await self._matches.play_for(live.id, ply, move)
            return
        # The id is the same in every worker, so a lease that changed hands causes no second move.
        command = MoveCommand.model_construct(
            type="move", id=server_id("computer", ply), after=ply, move=move
        )
        await self._matches.play(live.id, live.player_at(seat), command)
        await self._offer_a_draw(live.id, seat)

    async def _tell_waking(self, match_id: str, slug: str, level: int, ply: int) -> None:
        """Tell a match repeatedly why it waits, while kernels are compiled or loaded."""
        while self._kernels.lack_for_move(slug, level):
            await asyncio.sleep(TELL_WAKING)
            if self._kernels.lack_for_move(slug, level):
                self._hub.publish(topic(match_id), {"type": "waking", "ply": ply})

    async def _offer_a_draw(self, match_id: str, seat: Seat) -> None:
        live = await self._matches.get(match_id)
        if not (live.running and live.game.draws and pacing.offers_now(live.ply)) or live.state.turn == seat:
            return
        if pacing.offers_draw(await self._look_at(live), seat):
            draw = server_id("computer-draw", live.ply)
            offer = OfferCommand.model_construct(type="offer", id=draw, after=live.ply, kind="draw")
            await self._matches.play(live.id, live.player_at(seat), offer)

    async def _answer(self, live: LiveMatch, seat: Seat) -> None:
        """Accept or decline the open draw offer."""
        ply, answer = live.ply, server_id("computer-answer", secrets.token_hex(8))
        if pacing.accepts_draw(await self._look_at(live), seat, ply):
            command: PlyCommand = OfferCommand.model_construct(
                type="offer", id=answer, after=ply, kind="draw"
            )
        else:
            command = DeclineCommand.model_construct(type="decline", id=answer, after=ply, kind="draw")
        await self._matches.play(live.id, live.player_at(seat), command)

    async def _look_at(self, live: LiveMatch) -> Evaluation:
        await self._kernels.for_look(live.game.slug)
        return await self._pool.look(
            live.game.slug, live.state_json, len(live.names), f"{live.id}.{live.ply}"
        )

    # Evaluations

    async def _look(self, wanted: Wanted) -> None:
        """Evaluate a requested position and store the result."""
        seed = f"{wanted.match_id}.{wanted.ply}"
        try:
            look, cost = await self._pool.timed_look(wanted.game, wanted.state, wanted.seats, seed)
            await in_thread(analysis_queue.store)(wanted, look)
        except (DatabaseError, BrokenProcessPool):
            # It becomes due again when the lease ends.
            about = {"match": wanted.match_id}
            logger.warning("no thought of what was after ply %d", wanted.ply, exc_info=True, extra=about)
            return
        message = {"match": wanted.match_id, "ply": wanted.ply, "milliseconds": cost}
        self._hub.tell_everyone("thought", message)

    async def _look_at_position(self, asked: Asked) -> None:
        """Evaluate a position without a match, tell what each depth finds, and store the result.

        Without anybody who waits the search stops, and the position is forgotten.
        """
        told = partial(self._tell_depth, asked.digest)
        try:
            look, cost = await self._pool.deepen(asked.game, asked.state, asked.seats, asked.digest, told)
            if look is None:
                await in_thread(position_looks.forget)(asked)
            else:
                await in_thread(position_looks.store)(asked, look)
        except (DatabaseError, BrokenProcessPool):
            # It becomes due again when the lease ends.
            logger.warning("no thought of position %s", asked.digest, exc_info=True)
            return
        self._hub.tell_everyone(searches.THOUGHT, {"position": asked.digest, "milliseconds": cost})

    def _tell_depth(self, digest: str, look: Evaluation, cost: float) -> None:
        message = {"position": digest, "milliseconds": cost, "look": codec.plain(look)}
        self._hub.tell_everyone(searches.DEEPER, message)

    def _hear_left(self, _topic: str, payload: bytes) -> None:
        self._pool.stop(orjson.loads(payload)["position"])

    def _moment(self) -> datetime:
        return instants.moment(self._now())


def _asked_for_a_draw(live: LiveMatch, now: int) -> Seat | None:
    """The computer player whose answer to a draw offer is awaited, if any."""
    if live.outcome is not None or live.flags.halted:
        return None
    draws = (offer for offer in offers.standing(live.offers, now) if offer.kind == offers.DRAW)
    return next((seat for offer in draws for seat in live.levels if seat not in offer.agreed), None)


def _bot_level(live: LiveMatch) -> int:
    """A middle level: the bot should hold the player's position, not improve it."""
    return (len(live.game.levels) + 1) // 2


computers = process.part(Computers, process_matches, process_hub, process.part(Pool, settings.BOT_PROCESSES))
"""The worker of this process."""
