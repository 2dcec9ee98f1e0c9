"""Takes the next step of every tournament: begins it, pairs, makes the matches, and ends it.

Every process runs a director. Each takes due tournaments under a lease (`games.store.leases`). A step is a
few short transactions; each holds the row of the tournament and reads what is to be done, so a process may
die between any two of them and another goes on from there. Nothing is announced before it is stored.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Collection, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

from django.db import DatabaseError, transaction
from django.db.models import F, Max, Q
from django.db.models.functions import Coalesce
from django.utils import timezone

from games.domain.refusals import NotSeated, UnknownMatch
from games.models import Match
from games.net.measures import measures
from games.net.process import process
from games.net.tasks import Wakeup, every, spawn
from games.net.threads import in_thread
from games.play.matches import matches
from games.registry import GAMES
from games.store import leases
from lobby.pairing import queue
from lobby.people.presence import Presence
from lobby.people.presence import presence as process_presence
from lobby.ratings.signals import Settled
from lobby.tournaments import entries, pairings, sheet, signals, tournaments
from lobby.tournaments.formats import FORMATS, base
from lobby.tournaments.formats.base import BadRounds, Kind, PlayerId, TooFewPlayers
from lobby.tournaments.formats.simul import TooManyPlayers
from lobby.tournaments.models import Entrant, Pairing, PairingSeat, Tournament

TICK_SECONDS = 1.0
"""Maximum time between two looks for due tournaments."""
LEASE = timedelta(seconds=4)
"""After this time another process goes on with the tournaments of a process that has died."""
RENEW_SECONDS = LEASE.total_seconds() / 3
STEP_AFTER = timedelta(seconds=3)
"""After this time a running tournament is looked at again, whatever happens: an arena pairs this often. So is
a tournament whose step has failed."""
MATCHES_AT_ONCE = 20
"""Maximum matches made in one transaction, since a long one would delay moves."""
RETURN_SECONDS = 15.0
"""For so long after its start a process is not sure who is away."""
PATIENCE = timedelta(seconds=20)
"""After this wait two players of an arena may meet again at once."""
State = Tournament.State

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Lease:
    """A tournament that a director looks at, and when its lease ends."""

    tournament_id: str
    until: datetime


def take(now: datetime) -> Lease | None:
    """Lease the tournament that has been due for longest; None if none is due."""
    rows = Tournament.objects.filter(game__in=GAMES, format__in=FORMATS).order_by("due")
    taken = leases.take(rows, "due", now, now + LEASE, 1)
    return Lease(taken[0], now + LEASE) if taken else None


def renew(lease: Lease, now: datetime) -> bool:
    """Renew a lease; False if the tournament has become due meanwhile, or another process has taken it."""
    kept = Tournament.objects.filter(pk=lease.tournament_id, due=lease.until).update(due=now + LEASE)
    lease.until = now + LEASE
    return bool(kept)


def step(tournament_id: str, now: datetime, online: Set[int], *, sure: bool = True) -> bool:
    """Do all that can be done in a tournament now. Safe to repeat, and in several processes at once.

    Returns whether a round, or a wave of an arena, was paired.

    Args:
        now: the current time.
        online: the ids of the users online, whom an arena pairs.
        sure: whether everybody else is away; otherwise nobody loses a match by that.
    """
    _begin_on_time(tournament_id, now)
    _note_absence(tournament_id, now)
    _forfeit(tournament_id, now, online if sure else None)
    make_matches(tournament_id)
    paired = pair(tournament_id, now, online)
    if paired:
        make_matches(tournament_id)
    return paired


def rest(lease: Lease, now: datetime, *, failed: bool = False) -> None:
    """End a lease: note when the tournament is due again, unless it has become due meanwhile.

    Args:
        failed: whether a step has failed; then it is tried again soon.
    """
    tournament_id = lease.tournament_id
    tournament = Tournament.objects.filter(pk=tournament_id).first()
    if tournament is None:
        return
    again = {State.OPEN: tournament.starts, State.RUNNING: now + STEP_AFTER}.get(State(tournament.state))
    if failed or _to_stop(tournament_id) or _to_leave(tournament_id):
        again = now + STEP_AFTER
    Tournament.objects.filter(pk=tournament_id, due=lease.until).update(due=again)


def _begin_on_time(tournament_id: str, now: datetime) -> None:
    """Begin a tournament at its time, or cancel it if there are too few players."""
    if not _is_due(tournaments.find(tournament_id), now):
        return
    with transaction.atomic():
        tournament = tournaments.locked(tournament_id)
        if not _is_due(tournament, now):
            return
        try:
            tournaments.begin(tournament, now)
        except (TooFewPlayers, BadRounds, TooManyPlayers):
            tournaments.call_off(tournament, now)


def _is_due(tournament: Tournament, now: datetime) -> bool:
    return tournament.state == State.OPEN and tournament.starts is not None and tournament.starts <= now


def _note_absence(tournament_id: str, now: datetime) -> None:
    """Note who missed a match: they are not paired until they are back."""
    if not pairings.unnoted(tournaments.find(tournament_id)).exists():
        return
    with transaction.atomic():
        tournament = tournaments.locked(tournament_id)
        ended = list(pairings.unnoted(tournament))
        pairings.note(ended)
        if tournament.state == State.RUNNING and sheet.form_of(tournament).GOES_ON:
            attended = [pairings.attendance(pairing) for pairing in ended]
            if entries.note_absence(tournament, attended, now):
                tournaments.note_change(tournament)


def _forfeit(tournament_id: str, now: datetime, online: Set[int] | None) -> None:
    """Decide the pairings of players who are gone, and the matches to which nobody came."""
    tournament = tournaments.find(tournament_id)
    unattended = [] if online is None else pairings.unattended(tournament, online, now)
    if tournament.state != State.RUNNING or not (unattended or pairings.with_gone(tournament).exists()):
        return
    with transaction.atomic():
        tournament = tournaments.locked(tournament_id)
        if tournament.state == State.RUNNING:
            pairings.forfeit_gone(tournament, now)
            for pairing in unattended:
                zeros = [0.0] * len(pairings.players(pairing))
                pairings.decide(pairing, Kind.FORFEIT, zeros, "", now)
            tournaments.note_change(tournament)


def make_matches(tournament_id: str) -> None:
    """Make the matches of all pairings that have none, some in each transaction."""
    while pairings.without_match(tournaments.find(tournament_id)).exists():
        if not _make_some_matches(tournament_id):
            return


@transaction.atomic
def _make_some_matches(tournament_id: str) -> int:
    """Make the matches of some pairings that have none; returns how many."""
    waiting = pairings.without_match(tournaments.find(tournament_id))[:MATCHES_AT_ONCE]
    # Lock order: seeks before tournaments.
    queue.cancel(entrant.user_id for pairing in waiting for entrant in pairings.players(pairing))
    tournament = tournaments.locked(tournament_id)
    waiting_still = pairings.without_match(tournament).filter(pk__in=[pairing.pk for pairing in waiting])
    if tournament.state != State.RUNNING:
        return 0
    ready = list(waiting_still)
    if ready:
        pairings.begin_matches(tournament, ready)
        tournaments.note_change(tournament)
        signals.tournament_paired(tournament, ready)
        transaction.on_commit(partial(announce, [pairing.pk for pairing in ready]), robust=True)
    return len(ready)


def announce(pairing_ids: Sequence[int]) -> None:
    """Tell players of their matches, on all their pages, and note that it was done."""
    rows = Pairing.objects.filter(pk__in=pairing_ids).select_related(
        "tournament__class_round__school_class", "match"
    )
    for pairing in rows.prefetch_related("seats__entrant__user"):
        signals.next_match(pairing)
    pairings.told(pairing_ids)


def pair(tournament_id: str, now: datetime, online: Collection[int]) -> bool:
    """Pair what can be paired now, or end the tournament; returns whether there are new pairings.

    Pairing takes seconds in a large Swiss, so nothing is locked meanwhile. What has changed then is noticed
    when the pairings are stored, and they are computed again by the next step.
    """
    tournament = tournaments.find(tournament_id)
    if tournament.state != State.RUNNING:
        return False
    if sheet.form_of(tournament).ARENA:
        return _pair_arena(tournament, now, online)
    return False if pairings.undecided(tournament).exists() else _pair_round(tournament, now)


def _pair_arena(tournament: Tournament, now: datetime, online: Collection[int]) -> bool:
    # Who was withdrawn for missing matches may come back until the end.
    left = tournament.entrants.filter(Q(withdrawn=None) | Q(away__isnull=False), user__computer="")
    if now >= ends(tournament) or not left.exists():
        _end_arena(tournament.pk, now)
        return False
    if tournament.paused:
        return False
    waiting = _waiting(tournament, online)
    if len(waiting) < (1 if tournament.computer else 2):
        return False
    patient = [entrant for entrant, since in waiting.items() if since < now - PATIENCE]
    known = sheet.read(tournament)
    players = sheet.kept_apart(known)
    new = known.form.pair(players, known.pairings, known.options, tuple(waiting), patient)
    return bool(new) and _store_wave(tournament.pk, known.round, new, now)


def _waiting(tournament: Tournament, online: Collection[int]) -> dict[PlayerId, datetime]:
    """Since when the players of an arena wait who are online and free, the longest wait first.

    Who plays at the device of somebody else is there when that person is.
    """
    playing = {entrant.pk for entrant in _in_play(tournament)}
    there = Entrant.objects.filter(tournament=tournament, withdrawn=None, away=None, seed__isnull=False)
    entered = there.order_by("seed").values_list("pk", Coalesce("keeper", "user"), "created")
    free = {pk: at for pk, user, at in entered if user in online and pk not in playing}
    seats = PairingSeat.objects.filter(entrant__tournament=tournament, entrant__withdrawn=None).order_by()
    ends = seats.values_list("entrant").annotate(Max("pairing__match__ended"), Max("pairing__decided"))
    for entrant, *times in ends:
        if entrant in free:
            free[entrant] = max([free[entrant], *(time for time in times if time is not None)])
    return dict(sorted(free.items(), key=lambda each: each[1]))


def _in_play(tournament: Tournament) -> list[Entrant]:
    return [entrant for pairing in pairings.undecided(tournament) for entrant in pairings.players(pairing)]


@transaction.atomic
def _store_wave(tournament_id: str, round: int, new: Sequence[base.Pairing], now: datetime) -> bool:
    """Store a wave of an arena, unless another process has stored one or a player is not free any more."""
    tournament = tournaments.locked(tournament_id)
    seats = [entrant for pairing in new for entrant in pairing.seats]
    playing = {entrant.pk for entrant in _in_play(tournament) if not entrant.user.computer}
    taken = playing | _gone(tournament)
    if tournament.state != State.RUNNING or tournaments.last_round(tournament) != round:
        return False
    return taken.isdisjoint(seats) and _store(tournament, new, now)


def _gone(tournament: Tournament) -> set[PlayerId]:
    return set(tournament.entrants.exclude(withdrawn=None, away=None).values_list("pk", flat=True))


@transaction.atomic
def _end_arena(tournament_id: str, now: datetime) -> None:
    """End an arena once its last match has ended."""
    tournament = tournaments.locked(tournament_id)
    if tournament.state == State.RUNNING and not pairings.undecided(tournament).exists():
        _finish(tournament, now)


def _pair_round(tournament: Tournament, now: datetime) -> bool:
    known = sheet.read(tournament)
    resting = tournament.paused or (tournament.next_round is not None and now < tournament.next_round)
    if resting and not _may_be_over(known):
        return False
    new = known.form.pair(known.players, known.pairings, known.options)
    if resting and new:
        return False
    return _store_round(tournament.pk, tournament.version, known.round, new, now)


def _may_be_over(known: sheet.Sheet) -> bool:
    """Whether a tournament may have nothing left to pair: a pause delays rounds, but not the end.

    Pairing takes seconds in a large Swiss, so it is not computed again and again during a pause.
    """
    there = [player for player in known.players if not player.withdrawn]
    return len(there) < 2 or known.round >= known.form.rounds(len(known.players), known.options)


@transaction.atomic
def _store_round(
    tournament_id: str, version: int, last: int, new: Sequence[base.Pairing], now: datetime
) -> bool:
    """Store a round, begin the pause before it, or end the tournament, unless it has changed meanwhile."""
    tournament = tournaments.locked(tournament_id)
    if tournament.version != version or tournament.state != State.RUNNING:
        return False
    if not new:
        _finish(tournament, now)
        return False
    if last and tournament.pause and new[0].round > last and tournament.next_round is None:
        tournament.next_round = now + timedelta(minutes=tournament.pause)
        tournaments.note_change(tournament, "next_round")
        return False
    tournament.next_round = None
    return _store(tournament, new, now)


def _store(tournament: Tournament, new: Sequence[base.Pairing], now: datetime) -> bool:
    rows = pairings.store(tournament, new, now)
    byes = Pairing.objects.filter(pk__in=[row.pk for row in rows if row.decided is not None])
    signals.tournament_paired(tournament, list(byes.prefetch_related("seats__entrant__user")))
    tournaments.note_change(tournament, "next_round")
    return True


def ends(tournament: Tournament) -> datetime:
    """When an arena that has begun stops to pair."""
    assert tournament.began is not None
    return tournament.began + timedelta(minutes=tournament.minutes)


def _finish(tournament: Tournament, now: datetime) -> None:
    tournament.state, tournament.ended = State.FINISHED, now
    tournaments.note_change(tournament, "state", "ended")
    signals.tournament_finished(tournament)


def _to_stop(tournament_id: str) -> list[str]:
    """The unfinished matches of decided pairings."""
    decided = Pairing.objects.filter(tournament=tournament_id, decided__isnull=False, match__isnull=False)
    unfinished = decided.exclude(match__status=Match.Status.FINISHED)
    return list(unfinished.values_list("match", flat=True))


def _to_leave(tournament_id: str) -> list[tuple[str, int]]:
    """The open matches of three or more that a player who is gone still plays, and that user's id."""
    tournament = Tournament.objects.filter(pk=tournament_id).first()
    if tournament is None or tournament.seats == 2:
        return []
    return [
        (str(pairing.match_id), entrant.user_id)
        for pairing in pairings.undecided(tournament).filter(match__isnull=False)
        for entrant in pairings.players(pairing)
        if sheet.gone(entrant)
    ]


def _untold(tournament_id: str, now: datetime) -> list[int]:
    """The pairings whose matches were made by a process that died before it told the players."""
    made = Pairing.objects.filter(tournament=tournament_id, told=False, match__created__lt=now - STEP_AFTER)
    return list(made.values_list("pk", flat=True))


class Director:
    """Runs the tournaments of the site, and at once those whose matches end in this process."""

    def __init__(self, presence: Presence) -> None:
        self._presence = presence
        self._wakeup = Wakeup()
        self._sure_from = 0.0
        self._failing: set[str] = set()

    def begin(self) -> None:
        """Start, in the event loop."""
        # After a restart, give people time to reconnect before anybody counts as absent.
        self._sure_from = time.monotonic() + RETURN_SECONDS
        spawn(every(TICK_SECONDS, self.once, self._wakeup))

    def wake(self) -> None:
        """Run now; from any thread. Other processes notice at their next run."""
        self._wakeup.wake()

    async def once(self) -> None:
        """Take the next step of every tournament that is due."""
        while (lease := await in_thread(take)(timezone.now())) is not None:
            await self._attend(lease)

    async def _attend(self, lease: Lease) -> None:
        """Take the next step of a tournament, and renew its lease meanwhile.

        A step that fails delays no other tournament.
        """
        tournament_id, over = lease.tournament_id, asyncio.Event()
        keeping = spawn(_keep(lease, over))
        failed = True
        try:
            await self.direct(tournament_id, timezone.now())
            failed = False
        except Exception:
            if tournament_id not in self._failing:
                logger.exception("a step of the tournament %s failed, and is tried again", tournament_id)
        finally:
            self._note(tournament_id, failed)
            over.set()
            await keeping
            await in_thread(rest)(lease, timezone.now(), failed=failed)

    def _note(self, tournament_id: str, failed: bool) -> None:
        if failed:
            self._failing.add(tournament_id)
        elif tournament_id in self._failing:
            self._failing.discard(tournament_id)
            logger.warning("the tournament %s goes on again", tournament_id)

    async def direct(self, tournament_id: str, now: datetime) -> None:
        """Take the next step of a tournament."""
        sure = time.monotonic() >= self._sure_from
        if await in_thread(step)(tournament_id, now, self._presence.online(), sure=sure):
            measures.waves += 1
        await self._end_matches(tournament_id)
        untold = await in_thread(_untold)(tournament_id, now)
        if untold:
            await in_thread(announce)(untold)

    async def _end_matches(self, tournament_id: str) -> None:
        """End the matches that were decided, and have players who are gone leave theirs."""
        for match_id in await in_thread(_to_stop)(tournament_id):
            await matches.stop(match_id)
        for match_id, user_id in await in_thread(_to_leave)(tournament_id):
            try:
                await matches.leave(match_id, user_id)
            except (UnknownMatch, NotSeated):
                continue


async def _keep(lease: Lease, over: asyncio.Event) -> None:
    """Renew a lease until the work is over, or until the tournament is leased no more."""
    kept = True
    while kept and not over.is_set():
        with suppress(TimeoutError):
            async with asyncio.timeout(RENEW_SECONDS):
                await over.wait()
                return
        with suppress(DatabaseError):
            kept = await in_thread(renew)(lease, timezone.now())


director = process.part(Director, process_presence)
"""The director of this process."""


def changed(_tournament: Tournament) -> None:
    """Look now for what is to be done, after the commit."""
    transaction.on_commit(director.wake, robust=True)


def settled(ended: Sequence[Settled]) -> None:
    """Look soon at the tournaments whose matches have ended. In the transaction that settles them."""
    ids = [each.match.pk for each in ended]
    concerned = Pairing.objects.filter(match__in=ids).values_list("tournament", flat=True)
    tournament_ids = sorted(set(concerned))
    if tournament_ids:
        # After the commit: the transaction holds rows that others lock after that of the tournament.
        transaction.on_commit(partial(_look_at, tournament_ids), robust=True)


def _look_at(tournament_ids: Sequence[str]) -> None:
    now = timezone.now()
    running = Tournament.objects.filter(pk__in=tournament_ids, state=State.RUNNING)
    running.update(version=F("version") + 1)
    # An arena is looked at every few seconds anyway, since somebody is free nearly always.
    if running.filter(format__in=[key for key, form in FORMATS.items() if not form.ARENA]).update(due=now):
        director.wake()
