"""Whatever seats do, in any order and at any time: every viewer ends up knowing the same, to the millisecond.

Commands are drawn at random, sensible or not, with time passing between them. A viewer comes at any moment,
hears some messages and misses others. Time is the test's own.
"""

import asyncio
from collections import Counter
from dataclasses import dataclass, field

import orjson
import pytest
from asgiref.sync import async_to_sync
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.computers.worker import Computers
from games.domain import clock, codec, instants
from games.domain.clock import BUDGET, CREDIT, REFILL
from games.domain.match_actions import MatchFlags
from games.domain.messages import parse
from games.domain.refusals import Refused
from games.domain.terms import Terms
from games.models import Heartbeat, Ply
from games.net.hub import Hub
from games.net.tasks import tasks
from games.net.threads import in_thread
from games.play import begin, matches, permissions, signals
from games.play.live import ply_fields
from games.play.matches import Matches
from games.registry import GAMES
from games.rules.base import IllegalMove
from games.store import history
from lobby.people.models import User
from tests.helpers.samples import sample
from tools.harness.timed import Time

pytestmark = pytest.mark.django_db(transaction=True)

SEATS = {"kalah": 2, "morris": 2, "aces": 3, "cantstop": 3}
LONG_AGO = -10_000_000

seats = st.integers(0, 3)
kinds = st.sampled_from(["draw", "take-back", "pause", "save", "resume", "end"])
commands = st.one_of(
    st.tuples(st.just("move"), seats, st.integers(0, 20)),
    st.tuples(st.just("play-on"), st.just(0), st.integers(0, 20)),
    st.tuples(st.just("offer"), seats, kinds),
    st.tuples(st.just("everybody"), seats, kinds),
    st.tuples(st.just("decline"), seats, kinds),
    st.tuples(st.sampled_from(["resign", "abort", "reclaim", "stale"]), seats, st.none()),
    st.tuples(st.just("claim"), seats, st.sampled_from(["win", "draw", "caretaker"])),
)
waits = st.sampled_from([0, 0, 0, 0, 1, 1, 250, 250, 999, 999, 4_321, 61_000])
lags = st.sampled_from([0, 0, 80, 700])
# Most of the time somebody simply plays on, or nothing would ever be under way.
steps = st.tuples(
    st.one_of(commands, st.tuples(st.just("play-on"), st.just(0), st.integers(0, 20))), waits, lags
)


def standing(live):
    """What a snapshot tells of where a match stands, as JSON."""
    fields = {
        **permissions.standing(live, None),
        "offers": live.offers,
        "outcome": live.outcome_fields(),
        "clocks": live.clocks,
    }
    return orjson.loads(orjson.dumps(fields))


@dataclass(eq=False)
class Viewer:
    """Somebody who took a snapshot, and what they make of the messages since."""

    rules: object
    known: dict
    seat: None = None
    heard: list = field(default_factory=list)

    def write(self, frame):
        self.heard.append(orjson.loads(frame.payload))

    async def close(self, code): ...

    def follow(self, plies, outcome):
        known = self.known
        flags = MatchFlags(
            known["halted"] or "", *(frozenset(known[part]) for part in ("acted", "left", "caretaken"))
        )
        for ply in plies:
            if ply["number"] <= known["ply"]:
                continue
            assert ply["number"] == known["ply"] + 1, "a hole"
            flags = flags.after(ply["seat"], ply["action"])
            known |= {"ply": ply["number"], "state": ply["state"], "offers": [], "clocks": ply.get("clocks")}
            known["outcome"] = outcome if ply is plies[-1] else None
        known |= {
            "halted": flags.halted or None,
            "acted": sorted(flags.acted),
            "left": sorted(flags.left),
            "caretaken": sorted(flags.caretaken),
        }

    def take_in(self):
        for message in self.heard:
            if message["type"] == "plies":
                self.follow(message["plies"], message["outcome"])
                self.known["idle_due"] = message["idle_due"]
            elif message["type"] == "offers" and message["ply"] == self.known["ply"]:
                self.known["offers"] = message["offers"]
        return self.known


class Play:
    """A match, and the wall clock beside it."""

    def __init__(self, match, users, seats, wall, thinkers):
        self.match, self.users, self.seats, self.wall = match, users, seats, wall
        hub = Hub()
        self.service = Matches(hub, wall)
        self.computers = Computers(self.service, hub, thinkers, wall, pace=0)
        self.sent = 0

    async def live(self):
        return await self.service.get(self.match.pk)

    async def settle(self):
        # A computer's move leaves tasks as well, and they must not outlive the loop of an example.
        while (running := list(tasks.running)) or await self.computers.once():
            await asyncio.gather(*running)

    async def wait(self, milliseconds):
        """The process lives through it: its heart beats, with no gap to speak of, and flags fall."""
        end = self.wall.now + milliseconds
        while self.wall.now < end:
            self.wall.now = min(end, self.wall.now + 1500)
            await self.service._heartbeat.once()
            await self.settle()

    async def send(self, kind, seat, detail, lag):
        live = await self.live()
        fields = {"type": kind, "id": f"command-{self.sent}", "after": live.ply}
        self.sent += 1
        if kind in ("move", "play-on"):
            legal = live.legal() or ["?"]
            seat = live.state.turn if kind == "play-on" else seat
            fields |= {"type": "move", "move": legal[detail % len(legal)]}
        elif kind == "stale":
            fields |= {"type": "resign", "after": max(0, live.ply - 1)}
        elif kind in ("offer", "decline", "claim"):
            fields["kind"] = detail
        command = parse(orjson.dumps(fields).decode())
        away = dict.fromkeys(range(len(live.names)), LONG_AGO)
        try:
            ply = await self.service.play(self.match.pk, self.users[seat].pk, command, lag, away)  # type: ignore[arg-type]
            again = await self.service.play(self.match.pk, self.users[seat].pk, command, lag, away)  # type: ignore[arg-type]
            assert again == ply, "the same command again"
        except (Refused, IllegalMove):
            # It was no command for this moment, and has changed nothing, or the viewers would differ.
            pass
        await self.settle()

    async def do(self, kind, seat, detail, lag):
        if kind != "everybody":
            await self.send(kind, seat, detail, lag)
            return
        for other in {seat, *range(self.seats)}:
            await self.send("offer", other, detail, lag)


def charged(control, start, rows, lags):
    """What each seat must have left by the log, worked out ply by ply from nothing but moments and texts."""
    left, budget = list(start.left), Counter(dict.fromkeys(range(len(start.left)), BUDGET))
    fresh, running, since = set(start.fresh), start.running, start.at
    for row, after in rows:
        moment = instants.milliseconds(row.at)
        moved = row.seat is not None and ":" not in row.action
        elapsed = moment - since
        if moved and running in fresh:
            fresh.discard(running)
        elif moved:
            credit = max(0, min(lags.get(row.command, 0), elapsed, CREDIT, budget[running]))
            left[running] += credit - elapsed + control.increment
            budget[running] = min(BUDGET, budget[running] - credit + REFILL)
        elif running is not None and after.running != running and running not in fresh:
            left[running] = max(0, left[running] - elapsed)
        if moved or after.running != running:
            since = moment
        running = after.running
        yield row.number, left, after


@settings(max_examples=sample(60, 20), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    game=st.sampled_from(sorted(SEATS)),
    notation=st.sampled_from(["", "1+2", "3d"]),
    rated=st.booleans(),
    computer=st.booleans(),
    script=st.lists(steps, max_size=16),
    cut=st.integers(0, 16),
)
def test_every_viewer_ends_up_knowing_the_same(
    django_user_model, monkeypatch, thinkers, game, notation, rated, computer, script, cut
):
    monkeypatch.setattr(signals.match_over, "listeners", ())
    users = [User.objects.get_or_create(username=name)[0] for name in ("Ulno", "Artjom", "Third", "Onlooker")]
    # Otherwise the time since the last example is one in which the site was away.
    Heartbeat.objects.all().delete()
    rules = GAMES[game].rules
    seated = users[: SEATS[game]]
    levels = {0: 1} if computer else {}
    terms = Terms(clock=notation, rated=rated)
    match = begin.create(game, rules.Options(), seated, terms=terms, levels=levels)
    async_to_sync(run)(match, [*seated, *[users[-1]] * 4][:4], len(seated), script, cut, thinkers)


async def run(match, users, count, script, cut, thinkers):
    wall = Time(instants.milliseconds(match.created))
    play = Play(match, users, count, wall, thinkers)
    rules, lags, viewer = GAMES[match.game].rules, {}, None
    for number, ((kind, seat, detail), wait, lag) in enumerate([*script, (("stale", 0, None), 0, 0)]):
        if number == min(cut, len(script)):
            live = await play.live()
            viewer, late = (Viewer(rules, standing(live)) for _ in range(2))
            play.service._hub.join(matches.topic(match.pk), viewer)  # type: ignore[arg-type]
        lags |= {f"command-{play.sent + each}": lag for each in range(count + 2)}
        await play.wait(wait)
        await play.do(kind, seat, detail, lag)
    fresh_service = Matches(Hub(), wall)
    fresh = standing(await fresh_service.get(match.pk))
    live = standing(await play.live())
    assert live == fresh, "memory and store"
    assert viewer.take_in() == fresh, "a snapshot and what was heard since"
    rows = await in_thread(history.plies_since)(match.pk, late.known["ply"])
    late.follow(orjson.loads(orjson.dumps([ply_fields(row) for row in rows])), fresh["outcome"])
    late.known |= {"offers": fresh["offers"], "idle_due": fresh["idle_due"]}
    assert late.known == fresh, "a snapshot and the plies since"
    if match.clock:
        await in_thread(check_clocks)(match, rules, count, lags)
    await play.service.close()
    await fresh_service.close()


def check_clocks(match, rules, count, lags):
    control = clock.parse(match.clock)
    if not control.live:
        return
    state = codec.decode_state(rules, match.start)
    start = clock.start(control, count, state.turn, instants.milliseconds(match.created))
    rows = [
        (row, codec.decode(clock.Clocks, row.clocks))
        for row in Ply.objects.filter(match=match).order_by("number")
    ]
    for number, left, after in charged(control, start, rows, lags):
        assert list(after.left) == left, f"ply {number}"
