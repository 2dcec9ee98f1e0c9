"""The life of a match in the service: offers, endings, halts, absence, each rule and each refusal by name."""

import asyncio
import threading

import orjson
import pytest
from asgiref.sync import async_to_sync, sync_to_async
from channels.db import database_sync_to_async

from games.computers.worker import Computers
from games.domain import absence, instants, match_actions, offers
from games.domain.messages import (
    AbortCommand,
    ClaimCommand,
    DeclineCommand,
    Malformed,
    MoveCommand,
    OfferCommand,
    ReclaimCommand,
    ResignCommand,
    parse,
)
from games.domain.plies import heard_ply
from games.domain.refusals import PlayerGone, Refused, RematchConduct
from games.domain.terms import Terms
from games.models import Match, Ply
from games.net.hub import Hub
from games.net.threads import in_thread
from games.play import begin, matches, permissions, signals
from games.play import offers as play_offers
from games.play.live import LiveMatch, ply_fields
from games.play.matches import Matches
from games.registry import GAMES
from games.rules.base import IllegalMove, Outcome, Roll
from games.store import history, idle, match_offers
from games.store.journal import Unavailable
from games.watch import visibility
from lobby.people.models import User
from tests.helpers.waiting import eventually
from tools.harness.patience import patience
from tools.harness.timed import Time

pytestmark = pytest.mark.django_db(transaction=True)

LIVE = "5+3"


class Viewer:
    """A socket that keeps what it is sent."""

    seat = None

    def __init__(self):
        self.heard = []
        self.told_offers = asyncio.Event()

    def write(self, frame):
        self.heard.append(orjson.loads(frame.payload))
        if self.heard[-1]["type"] == "offers":
            self.told_offers.set()

    async def close(self, code): ...


class Table:
    """A match, the people at it, and a process that serves it."""

    def __init__(self, service, match, players):
        self.service, self.id, self.players = service, match.pk, players
        self.commands = 0

    async def live(self):
        return await self.service.get(self.id)

    async def do(self, seat, what, service=None, away=None, after=None, **fields):
        """A command by a seat; the number of the last ply then, or the code of the refusal."""
        service = service or self.service
        self.commands += 1
        live = await service.get(self.id)
        command = COMMANDS[what](
            type=what,
            id=fields.pop("id", f"command-{self.commands}"),
            after=live.ply if after is None else after,
            **fields,
        )
        try:
            return await service.play(self.id, self.players[seat].pk, command, away=away or {})
        except (Refused, IllegalMove) as error:
            return error.code

    async def offer(self, seat, kind, **more):
        return await self.do(seat, "offer", kind=kind, **more)

    async def move(self, *texts):
        for text in texts:
            live = await self.live()
            assert isinstance(await self.do(live.state.turn, "move", move=text), int)

    async def texts(self):
        return await stored_texts(self.id)

    async def passes(self, milliseconds):
        """Time passes, and the process lives through it: its heart beats every second."""
        wall = self.service._heartbeat._now
        end = wall.now + milliseconds
        while wall.now < end:
            wall.now = min(end, wall.now + 1000)
            await self.service._heartbeat.once()

    async def row(self):
        return await database_sync_to_async(Match.objects.get)(pk=self.id)


COMMANDS = {
    "move": MoveCommand,
    "resign": ResignCommand,
    "offer": OfferCommand,
    "decline": DeclineCommand,
    "abort": AbortCommand,
    "claim": ClaimCommand,
    "reclaim": ReclaimCommand,
}


@database_sync_to_async
def stored_texts(match_id):
    return list(Ply.objects.filter(match=match_id).order_by("number").values_list("action", flat=True))


@pytest.fixture
def players():
    return [User.objects.create_user(name) for name in ("Ulno", "Artjom", "Third")]


@pytest.fixture
def wall():
    return Time(instants.now())


@pytest.fixture
async def hub():
    return Hub()


@pytest.fixture
async def service(hub, wall):
    service = Matches(hub, wall)
    yield service
    await service.close()


@pytest.fixture
async def computers(service, hub, wall, thinkers):
    return Computers(service, hub, thinkers, wall, pace=0)


async def settle(computers):
    """Let bots play until it is the turn of somebody else."""
    while await computers.once():
        pass


@pytest.fixture
async def second(wall):
    """Another process, as far as the store can tell."""
    service = Matches(Hub(), wall)
    yield service
    await service.close()


@pytest.fixture
async def set_up(service, players):
    """`await set_up(game, seats, **terms)`: a new match, Kalah by default."""

    @database_sync_to_async
    def set_up(game="kalah", seats=2, **terms):
        rules = GAMES[game].rules
        options = rules.PRESETS.get("circle", rules.Options())
        return Table(service, begin.create(game, options, players[:seats], terms=Terms(**terms)), players)

    return set_up


@pytest.fixture
async def table(set_up):
    return await set_up()


class TestAbort:
    async def test_abort_before_both_moved(self, table):
        await table.move("1")
        assert await table.do(0, "abort") == 2
        live = await table.live()
        assert (live.outcome.winners, live.outcome.reason) == ((), "aborted")
        assert (await table.row()).status == Match.Status.FINISHED

    async def test_abort_after_both_moved_refused(self, table):
        await table.move("1", "1")
        assert await table.do(0, "abort") == "too-late"
        assert await table.texts() == ["1", "1"]

    async def test_the_same_command_again_is_the_same_abort(self, table):
        assert await table.do(0, "abort", id="only-once") == 1
        assert await table.do(0, "abort", id="only-once", after=0) == 1

    async def test_abort_rated_match_after_own_throw_refused(self, set_up):
        table = await set_up(game="cantstop", rated=True)
        await table.move("roll")
        assert await table.do(0, "abort") == "too-late"
        assert await table.do(1, "abort") == (await table.live()).ply

    async def test_abort_casual_match_after_throw(self, set_up):
        table = await set_up(game="cantstop")
        await table.move("roll")
        assert await table.do(0, "abort") == (await table.live()).ply


class TestDraw:
    async def test_both_agree(self, table):
        await table.move("1", "1")
        assert await table.offer(0, "draw") == 2
        assert await table.offer(1, "draw") == 3
        live = await table.live()
        assert (live.outcome.winners, live.outcome.reason) == ((0, 1), "agreed")
        assert await table.texts() == ["1", "1", "agreed:0"]

    async def test_one_alone_is_not_enough_however_often_they_ask(self, table):
        for _ in range(3):
            assert await table.offer(1, "draw") == 0
        assert (await table.live()).offers[0].agreed == (1,)

    async def test_draw_in_game_without_draws_refused(self, set_up):
        table = await set_up("aces", 2)
        assert await table.offer(0, "draw") == "no-draws"


class TestOffers:
    async def test_offer_announced_to_all(self, table, hub):
        viewer = Viewer()
        hub.join(matches.topic(table.id), viewer)
        await table.offer(1, "draw")
        (message,) = viewer.heard
        assert (message["type"], message["ply"]) == ("offers", 0)
        assert [(o["kind"], o["by"], o["agreed"]) for o in message["offers"]] == [("draw", 1, [1])]

    async def test_the_next_ply_ends_them(self, table):
        await table.offer(1, "draw")
        await table.move("1")
        assert (await table.live()).offers == ()
        assert await table.offer(0, "draw") == 1, "this is a new one, which nobody has agreed to"
        assert (await table.live()).offers[0].by == 0

    async def test_offer_expired_cannot_be_agreed_to(self, table, wall):
        await table.offer(0, "draw")
        wall.now += offers.OPEN_FOR
        assert await table.offer(1, "draw") == 0
        assert [(o.by, o.agreed) for o in (await table.live()).offers] == [(1, (1,))]

    async def test_a_moment_before_they_can(self, table, wall):
        await table.offer(0, "draw")
        wall.now += offers.OPEN_FOR - 1
        assert await table.offer(1, "draw") == 1

    async def test_declined_or_withdrawn_it_is_gone(self, table):
        for proposer in (0, 1):
            await table.offer(proposer, "draw")
            assert await table.do(0, "decline", kind="draw") == 0
            assert (await table.live()).offers == ()

    @pytest.mark.parametrize("kind", ["draw", "take-back"])
    @pytest.mark.parametrize("decliner", [0, 1])
    async def test_offer_declined_repeated_after_two_plies(self, table, wall, second, kind, decliner):
        await table.move("1", "1")
        await table.offer(0, kind)
        await table.do(decliner, "decline", kind=kind)
        wall.now += 2 * offers.AGAIN_AFTER
        assert await table.offer(0, kind) == "asked-already"
        assert await table.offer(0, kind, service=second) == "asked-already"
        await table.move("2")
        assert await table.offer(0, kind) == "asked-already"
        await table.move("2")
        assert await table.offer(0, kind) == 4

    async def test_offer_unanswered_repeated_after_a_minute(self, table, wall):
        await table.offer(0, "draw")
        wall.now += offers.OPEN_FOR
        assert await table.offer(0, "draw") == "asked-already"
        wall.now += offers.AGAIN_AFTER - offers.OPEN_FOR
        assert await table.offer(0, "draw") == 0

    async def test_the_other_player_may_make_one_that_was_declined(self, table):
        await table.offer(0, "draw")
        await table.do(1, "decline", kind="draw")
        assert await table.offer(1, "draw") == 0

    async def test_offer_agreed_to_repeated_at_once(self, table):
        await table.move("1", "1", "2", "2")
        for seat in (0, 1, 0, 1):
            assert isinstance(await table.offer(seat, "take-back"), int)
        assert (await table.texts())[4:] == ["back:0:2", "back:0:0"]

    async def test_an_invitation_to_go_on_waits_for_a_minute(self, table, wall):
        await table.offer(0, "save")
        await table.offer(1, "save")
        await table.offer(0, "resume")
        await table.do(1, "decline", kind="resume")
        assert await table.offer(0, "resume") == "asked-already"
        wall.now += offers.AGAIN_AFTER
        assert await table.offer(0, "resume") == 1

    async def test_offer_resent_after_decline_stays_declined(self, table, second):
        await table.offer(0, "draw", id="only-once")
        await table.do(1, "decline", kind="draw")
        for service in (table.service, second):
            assert await table.offer(0, "draw", id="only-once", service=service) == 0
            assert (await service.get(table.id)).offers == ()

    async def test_decline_resent_keeps_newer_offer(self, table, second):
        await table.offer(0, "draw")
        await table.do(1, "decline", kind="draw", id="only-once")
        await table.offer(1, "draw")
        for service in (table.service, second):
            assert await table.do(1, "decline", kind="draw", id="only-once", service=service) == 0
            assert [offer.by for offer in (await service.get(table.id)).offers] == [1]

    async def test_agreement_resent_does_not_accept_newer_offer(self, table, wall):
        await table.offer(0, "draw", id="only-once")
        wall.now += offers.OPEN_FOR
        await table.offer(1, "draw")
        assert await table.offer(0, "draw", id="only-once") == 0
        assert [offer.agreed for offer in (await table.live()).offers] == [(1,)]

    async def test_an_agreement_whose_ply_was_not_stored_is_completed_when_it_is_sent_again(
        self, table, service, monkeypatch
    ):
        async def away(entry):
            raise Unavailable

        await table.offer(0, "draw")
        with monkeypatch.context() as patch:
            patch.setattr(service._journal, "write", away)
            assert await table.offer(1, "draw", id="only-once") == "unavailable"
        assert await table.offer(1, "draw", id="only-once") == 1

    async def test_offer_of_earlier_position_stale(self, table):
        await table.offer(0, "draw")
        await table.move("1")
        assert await table.offer(1, "draw", after=0) == "stale"

    async def test_another_process_knows_and_can_agree(self, table, second):
        await table.offer(0, "draw")
        assert (await second.get(table.id)).offers[0].by == 0
        assert await table.offer(1, "draw", service=second) == 1
        assert (await second.get(table.id)).outcome.reason == "agreed"

    async def test_offer_survives_restart(self, table, wall):
        await table.offer(0, "draw")
        again = Matches(Hub(), wall)
        assert await table.offer(1, "draw", service=again) == 1
        await again.close()

    async def test_agreement_in_two_processes_ends_match_once(self, table, second):
        await table.offer(0, "draw")
        answers = await asyncio.gather(
            table.offer(1, "draw", id="agreeing-1"), table.offer(1, "draw", service=second, id="agreeing-1")
        )
        assert answers == [1, 1]  # type: ignore[comparison-overlap]
        assert await table.texts() == ["agreed:0"]

    async def test_a_move_at_another_process_comes_before_it_or_after_it(self, table, second):
        await table.offer(1, "draw")
        answers = await asyncio.gather(
            table.offer(0, "draw"), table.do(0, "move", service=second, move="1", after=0)
        )
        assert sorted(map(str, answers)) == ["1", "stale"]

    async def test_offer_by_spectator_refused(self, table):
        assert await table.offer(2, "draw") == "not-seated"

    async def test_offer_after_end_refused(self, table):
        await table.do(0, "resign")
        for kind in ("draw", "take-back", "save", "resume"):
            assert await table.offer(1, kind) == "game-over"


class TestTakeBack:
    async def test_take_back_returns_before_askers_move(self, table):
        start = (await table.live()).state
        await table.move("1", "4")
        assert await table.offer(0, "take-back") == 2
        assert await table.offer(1, "take-back") == 3
        live = await table.live()
        assert live.state == start
        assert await table.texts() == ["1", "4", "back:0:0"]

    async def test_play_goes_on_from_there_and_again_back(self, table):
        await table.move("1", "4")
        await table.offer(1, "take-back")
        await table.offer(0, "take-back")
        await table.move("5")
        await table.offer(1, "take-back")
        await table.offer(0, "take-back")
        assert await table.texts() == ["1", "4", "back:1:1", "5", "back:1:3"]
        assert (await table.live()).state.turn == 1

    async def test_take_back_agreed_by_player_without_moves(self, table):
        await table.move("1")
        await table.offer(0, "take-back")
        assert await table.offer(1, "take-back") == 2

    async def test_take_back_before_first_move_refused(self, table):
        assert await table.offer(0, "take-back") == "nothing-to-take-back"

    async def test_take_back_in_rated_match_refused(self, set_up):
        table = await set_up(rated=True)
        await table.move("1")
        assert await table.offer(0, "take-back") == "rated"

    async def test_take_back_across_throw_refused(self, set_up):
        table = await set_up("aces", 2)
        await table.move("roll")
        assert await table.offer(0, "take-back") == "across-dice"

    async def test_the_clock_of_whoever_was_to_move_is_charged(self, set_up, wall):
        table = await set_up(clock=LIVE)
        wall.now = (await table.live()).clocks.at
        await table.move("1", "1")
        await table.passes(7_000)
        await table.offer(1, "take-back")
        await table.offer(0, "take-back")
        clocks = (await table.live()).clocks
        assert clocks.left == (293_000, 300_000)
        assert clocks.running == 1


class TestSaving:
    async def test_save_casual_match_at_once(self, table):
        await table.move("1")
        assert await table.offer(1, "save") == 2
        live = await table.live()
        assert live.flags.halted == match_actions.SAVED
        assert (await table.row()).status == Match.Status.SAVED
        assert live.legal()
        assert "legal" not in permissions.for_seat(live, 1)

    @pytest.mark.parametrize("terms", [{"rated": True}, {"clock": LIVE}], ids=["rated", "timed"])
    async def test_save_rated_or_timed_match_needs_agreement(self, set_up, terms):
        table = await set_up(**terms)
        assert await table.offer(0, "save") == 0
        assert (await table.row()).status == Match.Status.PLAYING
        assert await table.offer(1, "save") == 1
        assert (await table.row()).status == Match.Status.SAVED

    async def test_only_on_ones_turn(self, table):
        assert await table.offer(1, "save") == "not-your-turn"

    async def test_move_in_saved_match_refused(self, table):
        await table.offer(0, "save")
        assert await table.do(0, "move", move="1") == "halted"
        for kind in ("draw", "take-back", "pause", "save", "end"):
            assert await table.offer(0, kind) == "halted"
        assert await table.do(1, "claim", kind="win", away={0: 0}) == "halted"
        assert await table.texts() == ["saved:0"]

    async def test_resume_by_agreement_from_same_position(self, table):
        await table.move("1")
        before = (await table.live()).state
        await table.offer(1, "save")
        assert await table.offer(0, "resume") == 2
        assert await table.offer(1, "resume") == 3
        live = await table.live()
        assert (live.state, live.flags.halted) == (before, "")
        assert (await table.row()).status == Match.Status.PLAYING
        await table.move("4")

    async def test_an_invitation_waits_for_ten_minutes(self, table, wall):
        await table.offer(0, "save")
        await table.offer(0, "resume")
        wall.now += offers.INVITED_FOR - 1
        assert await table.offer(1, "resume") == 2

    async def test_another_process_takes_it_up_years_later(self, table, second, wall):
        await table.move("1")
        before = (await table.live()).state
        await table.offer(1, "save")
        wall.now += 3 * 365 * 86_400_000
        await table.offer(0, "resume", service=second)
        assert await table.offer(1, "resume", service=second) == 3
        assert (await second.get(table.id)).state == before

    async def test_the_clocks_stand_still(self, set_up, service, wall):
        table = await set_up(clock=LIVE)
        wall.now = (await table.live()).clocks.at
        await table.move("1", "1")
        await table.passes(5_000)
        await table.offer(0, "save")
        await table.offer(1, "save")
        assert (await table.row()).deadline is None
        # Whoever lives through it beats every second; here a year is slept over.
        wall.now += 365 * 86_400_000
        await table.offer(1, "resume")
        await table.offer(0, "resume")
        clocks = (await table.live()).clocks
        assert clocks.left == (295_000, 300_000)
        assert (clocks.running, clocks.at) == (0, wall.now)

    async def test_resign_saved_match(self, table):
        await table.offer(0, "save")
        assert await table.do(1, "resign") == 2
        assert (await table.live()).outcome.winners == (0,)
        assert (await table.row()).status == Match.Status.FINISHED

    async def test_resume_running_match_refused(self, table):
        assert await table.offer(0, "resume") == "not-halted"

    async def test_a_state_of_older_rules_is_taken_up(self, table, second, monkeypatch):
        await table.offer(0, "save")
        kalah = GAMES["kalah"].rules
        seen = []

        def renewed(fields):
            seen.append(fields["board"])
            return fields

        monkeypatch.setattr(kalah, "UPGRADES", (renewed,))
        await table.offer(0, "resume", service=second)
        assert await table.offer(1, "resume", service=second) == 2
        assert seen
        assert '"version":2' in (await second.get(table.id)).state_json


class TestPause:
    async def test_both_agree_and_either_goes_on(self, set_up, wall):
        table = await set_up(clock=LIVE)
        wall.now = (await table.live()).clocks.at
        await table.move("1", "1")
        await table.offer(0, "pause")
        assert await table.offer(1, "pause") == 3
        live = await table.live()
        assert (live.flags.halted, live.clocks.running) == (match_actions.PAUSED, None)
        assert (await table.row()).status == Match.Status.PLAYING
        wall.now += 600_000
        assert await table.offer(1, "resume") == 4
        assert (await table.live()).clocks.left == (300_000, 300_000)

    async def test_resume_waits_for_absent_player(self, set_up, wall):
        table = await set_up(clock=LIVE)
        wall.now = (await table.live()).clocks.at
        await table.move("1", "1")
        await table.offer(0, "pause")
        await table.offer(1, "pause")
        left = wall.now
        wall.now += 600_000
        assert await table.offer(1, "resume", away={0: left}) == 3
        live = await table.live()
        assert (live.flags.halted, live.clocks.running) == (match_actions.PAUSED, None)
        # Who comes back finds it proposed.
        assert await table.offer(0, "resume") == 4
        assert (await table.live()).clocks.left == (300_000, 300_000)

    async def test_resume_without_player_absent_for_an_hour(self, set_up, wall):
        table = await set_up(clock=LIVE)
        wall.now = (await table.live()).clocks.at
        await table.move("1", "1")
        await table.offer(0, "pause")
        await table.offer(1, "pause")
        left = wall.now
        wall.now += absence.LONGEST_PAUSE - 1
        assert await table.offer(1, "resume", away={0: left}) == 3
        wall.now += 1
        assert await table.offer(1, "resume", away={0: left}) == 4

    async def test_pause_without_clock_refused(self, table):
        assert await table.offer(0, "pause") == "no-clock"

    async def test_pause_correspondence_refused(self, set_up):
        assert await (await set_up(clock="3d")).offer(0, "pause") == "no-clock"


class TestAbsence:
    LONG = 120_000

    @pytest.fixture
    def away(self, wall):
        """Seat 0 has been away for so long that nobody has to wait."""
        return {0: wall.now - self.LONG}

    @pytest.mark.parametrize(
        ("kind", "text", "winners"), [("win", "left:0:abandoned", (1,)), ("draw", "abandoned:0", (0, 1))]
    )
    async def test_claim_against_absent_player(self, table, away, kind, text, winners):
        assert await table.do(1, "claim", kind=kind, away=away) == 1
        live = await table.live()
        assert (live.outcome.winners, live.outcome.reason) == (winners, "abandoned")
        assert await table.texts() == [text]

    async def test_claim_before_absence_limit_refused(self, table, wall):
        assert await table.do(1, "claim", kind="win", away={0: wall.now - self.LONG + 1}) == "still-here"

    async def test_claim_against_present_player_refused(self, table):
        assert await table.do(1, "claim", kind="win") == "still-here"

    async def test_claim_on_own_turn_refused(self, table, wall):
        assert await table.do(0, "claim", kind="win", away={1: wall.now - self.LONG}) == "your-own-turn"

    async def test_claim_with_live_clock_after_half_the_limit(self, set_up, wall):
        table = await set_up(clock=LIVE)
        assert await table.do(1, "claim", kind="win", away={0: wall.now - self.LONG // 2}) == 1

    async def test_claim_correspondence_refused(self, set_up, away):
        table = await set_up(clock="3d")
        assert await table.do(1, "claim", kind="win", away=away) == "still-here"

    async def test_two_have_no_caretaker_and_three_no_win(self, table, set_up, away):
        assert await table.do(1, "claim", kind="caretaker", away=away) == "for-two"
        for kind in ("win", "draw"):
            assert await (await set_up("cantstop", 3)).do(1, "claim", kind=kind, away=away) == "for-many"


class TestIdle:
    """Matches that no clock ends: those who wait may claim them after 14 days, and after 30 they are over."""

    DAY = 86_400_000

    @pytest.mark.parametrize(("kind", "text"), [("win", "left:0:abandoned"), ("draw", "abandoned:0")])
    async def test_claim_against_idle_player(self, table, wall, kind, text):
        due = (await table.live()).idle_due()
        wall.now = due - 1
        assert await table.do(1, "claim", kind=kind) == "still-here"
        wall.now = due
        assert await table.do(0, "claim", kind=kind) == "your-own-turn"
        assert await table.do(1, "claim", kind=kind) == 1
        assert await table.texts() == [text]

    async def test_each_move_begins_the_two_weeks_anew(self, table, wall):
        wall.now = before = (await table.live()).idle_due()
        await table.move("1")
        assert (await table.live()).idle_due() == before + 14 * self.DAY

    async def test_another_process_hears_of_it(self, table, second, wall):
        await second.get(table.id)
        wall.now = before = (await table.live()).idle_due()
        await table.move("1")
        rows = await in_thread(history.plies_since)(table.id, 0)
        heard = heard_ply(orjson.loads(orjson.dumps(ply_fields(rows[0]))))
        other = second.in_memory(table.id)
        second._memory._follow(other, 0, [heard])
        assert other.idle_due() == before + 14 * self.DAY

    async def test_claim_among_three_needs_caretaker(self, set_up, wall):
        table = await set_up("cantstop", 3)
        wall.now = (await table.live()).idle_due()
        assert await table.do(1, "claim", kind="win") == "for-many"
        assert await table.do(1, "claim", kind="caretaker") == 1

    async def test_claim_abort_of_unsaved_match_refused(self, table, wall):
        wall.now = (await table.live()).idle_due()
        assert await table.do(1, "claim", kind="abort") == "not-saved"

    @pytest.mark.parametrize("notation", ["", "1d"])
    async def test_a_match_that_one_has_saved_alone_may_be_claimed_by_the_other(self, set_up, wall, notation):
        table = await set_up(clock=notation)
        wall.now = (await table.live()).moved_at
        await table.offer(0, "save")
        wall.now = (await table.live()).idle_due() - 1
        for kind in ("win", "draw", "abort"):
            assert await table.do(1, "claim", kind=kind) == "halted"
        wall.now += 1
        assert await table.do(0, "claim", kind="win") == "your-own-turn"
        assert await table.do(1, "claim", kind="win") == 2
        assert await table.texts() == ["saved:0", "left:0:abandoned"]
        assert (await table.row()).status == Match.Status.FINISHED

    @pytest.mark.parametrize("seat", [0, 1])
    async def test_each_of_them_may_end_it_without_a_result(self, set_up, wall, seat):
        table = await set_up(clock="1d")
        await table.offer(0, "save")
        wall.now = (await table.live()).idle_due()
        assert await table.do(seat, "claim", kind="abort") == 2
        assert (await table.live()).outcome == Outcome((), "aborted")

    @pytest.mark.parametrize("process", ["service", "second"])
    async def test_claim_against_player_who_offered_to_resume_refused(self, table, second, wall, process):
        await table.offer(0, "save")
        await table.offer(0, "resume")
        await table.do(1, "decline", kind="resume")
        wall.now = (await table.live()).idle_due()
        service = second if process == "second" else None
        assert await table.do(1, "claim", kind="win", service=service) == "halted"
        assert await table.do(1, "claim", kind="abort", service=service) == 2

    async def test_claim_win_of_agreed_save_refused(self, set_up, wall):
        table = await set_up(clock=LIVE)
        await table.offer(0, "save")
        await table.offer(1, "save")
        wall.now = (await table.live()).idle_due()
        assert await table.do(1, "claim", kind="win") == "halted"
        assert await table.do(1, "claim", kind="abort") == 2

    async def test_claim_abort_of_saved_rated_match_refused(self, set_up, wall):
        table = await set_up(rated=True)
        await table.offer(0, "save")
        await table.offer(1, "save")
        assert (await table.live()).idle_due() is None
        wall.now += 29 * self.DAY
        assert await table.do(1, "claim", kind="abort") == "halted"

    async def test_claim_idle_disabled_by_setting(self, table, settings):
        settings.IDLE_CLAIM_DAYS = 0
        assert (await table.live()).idle_due() is None


class TestExpiry:
    """What is swept: each match is dated back in the store, as it would be if nobody had come."""

    @pytest.fixture
    def old(self, wall):
        """`await old(table, days)`: nothing has been played there for so many days."""

        @database_sync_to_async
        def old(table, days):
            then = instants.moment(wall.now - round(days * 86_400_000))
            Match.objects.filter(pk=table.id).update(created=then)
            Ply.objects.filter(match=table.id).update(at=then)
            table.service.forget(table.id)

        return old

    async def outcome(self, table):
        return (await table.service.up_to_date(table.id)).outcome

    async def test_a_match_without_a_clock_ends_without_a_result(self, table, service, old):
        await table.move("1")
        await old(table, 60)
        await service.end_idle()
        assert await self.outcome(table) == Outcome((), "expired")
        assert await table.texts() == ["1", "expired:1"]
        row = await table.row()
        assert (row.status, row.ended is not None) == (Match.Status.FINISHED, True)

    async def test_expiry_ends_match_without_moves(self, table, service, old):
        await old(table, 31)
        await service.end_idle()
        assert (await table.row()).status == Match.Status.FINISHED

    @pytest.mark.parametrize("days", [0, 29])
    async def test_expiry_keeps_younger_match(self, table, service, old, days):
        await table.move("1")
        await old(table, days)
        await service.end_idle()
        assert await self.outcome(table) is None

    async def test_a_clock_that_runs_decides_by_itself(self, set_up, service, old):
        table = await set_up(clock="3d")
        await old(table, 60)
        await service.end_idle()
        assert await self.outcome(table) is None

    @pytest.mark.parametrize("terms", [{}, {"clock": "1d"}, {"clock": LIVE}, {"rated": True}], ids=str)
    async def test_a_saved_match_too(self, set_up, service, old, terms):
        table = await set_up(**terms)
        await table.offer(0, "save")
        await table.offer(1, "save")
        await old(table, 31)
        await service.end_idle()
        assert (await table.row()).status == Match.Status.FINISHED
        assert (await table.texts())[-1] == "expired:0"

    async def test_expiry_ends_paused_match(self, set_up, service, old):
        table = await set_up(clock=LIVE)
        await table.offer(0, "pause")
        await table.offer(1, "pause")
        await old(table, 31)
        await service.end_idle()
        assert (await table.row()).status == Match.Status.FINISHED

    async def test_a_guest_on_turn_is_waited_for_three_days(self, table, service, old, players):
        await table.move("1")
        await User.objects.filter(pk=players[1].pk).aupdate(is_guest=True)
        await old(table, 2.9)
        await service.end_idle()
        assert await self.outcome(table) is None
        await old(table, 3.1)
        await service.end_idle()
        assert await self.outcome(table) == Outcome((), "expired")

    async def test_an_account_on_turn_is_not_hurried_by_a_guest(self, table, service, old, players):
        await User.objects.filter(pk=players[1].pk).aupdate(is_guest=True)
        await old(table, 4)
        await service.end_idle()
        assert await self.outcome(table) is None

    async def test_a_board_that_a_guest_holds_for_all(self, service, old, players):
        await User.objects.filter(pk=players[0].pk).aupdate(is_guest=True)
        options = GAMES["kalah"].rules.Options()
        match = await database_sync_to_async(begin.create_shared)("kalah", options, ["A", "B"], players[0])
        table = Table(service, match, players)
        await old(table, 4)
        await service.end_idle()
        assert (await table.row()).status == Match.Status.FINISHED

    async def test_several_processes_end_it_once(self, table, service, second, old):
        await service.get(table.id)
        await second.get(table.id)
        await old(table, 60)
        await asyncio.gather(service.end_idle(), second.end_idle())
        await service.end_idle()
        assert await table.texts() == ["expired:0"]

    async def test_a_move_that_comes_first_is_not_lost(self, table, service, second, old, monkeypatch):
        await table.move("1")
        await old(table, 60)
        find = idle.idle_since

        def found_then_played(before):
            found = find(before)
            async_to_sync(table.do)(1, "move", service=second, move="1")
            return found

        monkeypatch.setattr(idle, "idle_since", found_then_played)
        await service.end_idle()
        assert await table.texts() == ["1", "1"]

    async def test_expiry_disabled_by_setting(self, table, service, old, settings):
        settings.IDLE_END_DAYS = settings.IDLE_GUEST_END_DAYS = 0
        await old(table, 3000)
        await service.end_idle()
        assert await self.outcome(table) is None


class TestCaretaker:
    @pytest.fixture
    async def table(self, set_up):
        return await set_up("cantstop", 3)

    @pytest.fixture
    async def kept(self, table, wall):
        """A bot plays for seat 0, whose turn it is."""
        assert await table.do(1, "claim", kind="caretaker", away={0: wall.now - 120_000}) == 1
        return table

    async def test_a_bot_plays_until_the_turn_is_somebody_elses(self, kept, computers):
        await settle(computers)
        live = await kept.live()
        assert live.flags.caretaken == {0}
        assert live.state.turn == 1
        assert live.ply > 1

    async def test_caretaker_plies_belong_to_seat(self, kept, computers):
        await settle(computers)
        plies = await database_sync_to_async(list)(Ply.objects.filter(match=kept.id).order_by("number"))  # type: ignore[call-arg]
        assert {ply.seat for ply in plies[1:]} == {0, None}
        assert {ply.command for ply in plies[1:]} == {None}

    async def test_no_client_can_send_the_id_of_a_command_of_the_bot(self, kept, computers, monkeypatch):
        ids, answer = [], LiveMatch.answer
        monkeypatch.setattr(LiveMatch, "answer", lambda *told: ids.append(told[-1]) or answer(*told))
        await settle(computers)
        assert ids
        for each in ids:
            with pytest.raises(Malformed):
                parse(orjson.dumps({"type": "resign", "id": each, "after": 0}).decode())

    async def test_the_player_cannot_move_nor_offer_until_they_take_the_chair_back(self, kept):
        assert await kept.do(0, "move", move="roll") == "caretaken"
        assert await kept.offer(0, "save") == "caretaken"

    async def test_taking_it_back(self, kept, computers):
        await settle(computers)
        assert isinstance(await kept.do(0, "reclaim"), int)
        live = await kept.live()
        assert live.flags.caretaken == frozenset()
        assert (await kept.texts())[-1] == "reclaimed:0"

    async def test_reclaim_after_caretaker_played_on(self, kept, computers):
        await settle(computers)
        assert isinstance(await kept.do(0, "reclaim", after=1), int)

    async def test_reclaim_on_own_turn_allows_move(self, kept, computers):
        # The bot waits a moment before each ply.
        assert await kept.do(0, "reclaim", after=1) == 2
        await settle(computers)
        assert (await kept.live()).ply == 2
        assert isinstance(await kept.do(0, "move", move="roll"), int)

    async def test_reclaim_without_caretaker_refused(self, table):
        assert await table.do(0, "reclaim") == "not-caretaken"

    async def test_claim_of_caretaken_seat_refused(self, kept):
        assert await kept.do(1, "claim", kind="caretaker", away={0: 0}, after=1) == "still-here"

    async def test_caretaken_match_unwatched_leaves_memory(self, kept, service, computers):
        await settle(computers)
        assert service.in_memory(kept.id) is None


class TestEnding:
    @pytest.fixture
    async def table(self, set_up):
        return await set_up("cantstop", 3)

    async def test_all_who_are_there_vote(self, table):
        assert await table.offer(0, "end") == 0
        assert await table.offer(1, "end") == 0
        assert await table.offer(2, "end") == 1
        live = await table.live()
        assert (live.outcome.reason, live.outcome.winners) == ("ended", (0, 1, 2))

    async def test_end_agreed_without_absent_player(self, table, wall):
        away = {2: wall.now - 120_000}
        assert await table.offer(0, "end", away=away) == 0
        assert await table.offer(1, "end", away=away) == 1

    async def test_end_scores_current_standing(self, table, service):
        await table.move("roll")
        live = await table.live()
        climb = live.legal()[0]
        await table.move(climb, "stop")
        for seat in range(3):
            await table.offer(seat, "end")
        assert (await table.live()).outcome.winners == (0,)

    async def test_two_settle_it_otherwise(self, set_up):
        assert await (await set_up()).offer(0, "end") == "for-two"


async def test_end_offer_by_player_who_left_refused(set_up):
    table = await set_up("cantstop", 3)
    await table.do(0, "resign")
    assert await table.offer(0, "end") == "has-left"
    assert await table.do(0, "resign") == "has-left"
    assert await table.offer(1, "end") == 1
    assert await table.offer(2, "end") == 2


async def test_a_rematch_waits_for_whoever_was_away(table, second, wall, players):
    await table.do(0, "resign")
    await table.service.rematch(table.id, players[1].pk)
    wall.now += 600_000
    assert (await second.get(table.id)).offered == (1,)
    assert await second.rematch(table.id, players[0].pk) is not None


async def test_a_match_that_was_locked_when_it_was_forgotten_is_dropped_later(table, service, monkeypatch):
    monkeypatch.setattr(matches, "TIDY_SECONDS", 0.01, raising=False)
    live = await table.live()
    async with live.lock:
        service.forget(table.id)
    service.begin()
    await eventually(lambda: service.in_memory(table.id) is None)


async def test_a_command_acts_on_no_memory_that_was_dropped(set_up, service, monkeypatch):
    table = await set_up(clock=LIVE)
    await table.live()
    sure = service._memory.sure

    async def while_others_come_and_go():
        monkeypatch.setattr(service._memory, "sure", sure)
        service.forget(table.id)
        await table.live()
        await sure()

    monkeypatch.setattr(service._memory, "sure", while_others_come_and_go)
    await table.move("1")
    assert service.in_memory(table.id).ply == 1


async def test_rematch_with_deleted_account_not_begun(table, players):
    await table.do(0, "resign")
    await table.service.rematch(table.id, players[0].pk)
    await database_sync_to_async(User.objects.filter(pk=players[0].pk).update)(is_active=False)
    with pytest.raises(PlayerGone):
        await table.service.rematch(table.id, players[1].pk)
    assert (await table.live()).offered == (0,)


async def test_watchers_who_are_behind_see_a_match_in_play_until_they_see_it_saved(set_up, wall):
    table = await set_up(delay=300)
    assert await table.offer(0, "save") == 1

    def seen(seconds):
        now = instants.moment(wall.now + seconds * 1000)
        return database_sync_to_async(visibility.seen_in_play(now).filter(pk=table.id).exists)()

    assert (await seen(299), await seen(301)) == (True, False)


async def test_players_who_wait_for_a_rematch_hear_that_the_other_is_gone(table, hub, players):
    await table.do(0, "resign")
    viewer = Viewer()
    hub.join(matches.topic(table.id), viewer)
    await table.service.rematch(table.id, players[1].pk)
    await database_sync_to_async(User.objects.filter(pk=players[0].pk).update)(is_active=False)
    table.service.renamed(players[0].pk)
    await asyncio.wait_for(viewer.told_offers.wait(), patience(20))
    assert viewer.heard[-2] == {"type": "rematch", "offered": [], "match": None}
    assert permissions.may(await table.live(), 1)["commands"] == []


async def test_rematch_rated_refused_to_barred_player(set_up, players, monkeypatch):
    def closed_to_the_first(user_id):
        if user_id == players[0].pk:
            raise RematchConduct

    monkeypatch.setattr(signals.rated_rematch_wanted, "listeners", (closed_to_the_first,))
    for rated in (True, False):
        table = await set_up(rated=rated)
        await table.do(0, "resign")
        await table.service.rematch(table.id, players[1].pk)
        if rated:
            with pytest.raises(RematchConduct):
                await table.service.rematch(table.id, players[0].pk)
            assert (await table.live()).offered == (1,)
        else:
            assert await table.service.rematch(table.id, players[0].pk) is not None


@pytest.mark.parametrize("kind", ["back:1:0", "agreed:0", "paused:0", "caretaker:0", "resumed:1"])
async def test_no_player_can_write_an_act_as_a_move(table, kind):
    assert await table.do(0, "move", move=kind) == "unparseable"
    assert await table.texts() == []


def test_dice_are_no_decision():
    assert not match_actions.is_move(Roll((1, 2)))


async def test_the_log_of_a_match_replays_it(set_up):
    table = await set_up()
    await table.move("1", "4", "2")
    await table.offer(0, "take-back")
    await table.offer(1, "take-back")
    await table.move("3")
    await table.offer((await table.live()).state.turn, "save")
    rules, states = GAMES["kalah"].rules, []
    states.append(await sync_to_async(history.state_after)(table.id, 0))
    for text in await table.texts():
        step = match_actions.play(
            rules, states[-1], match_actions.action(rules, text), lambda number: states[number]
        )
        states.append(step.state)
    assert states[-1] == (await table.live()).state


async def pressed_at_once(presses, monkeypatch, module, name):
    """Both presses, the first of which learns what it wrote only when the second has had time to pass it."""
    write, arrived, go_on = getattr(module, name), threading.Event(), threading.Event()

    def held_up(*arguments):
        answer = write(*arguments)
        if not arrived.is_set():
            arrived.set()
            go_on.wait(patience(30))
        return answer

    monkeypatch.setattr(module, name, held_up)
    first = asyncio.create_task(presses[0])
    await asyncio.to_thread(arrived.wait, patience(30))
    second = asyncio.create_task(presses[1])
    # Where one waits for the other, this is over by the clock.
    await asyncio.wait({second}, timeout=0.5)
    go_on.set()
    await asyncio.gather(first, second)


async def test_two_who_hide_the_crowd_at_once_are_both_remembered(table, service, players, monkeypatch):
    presses = [service.hide_crowd(table.id, player.pk, True) for player in players[:2]]
    await pressed_at_once(presses, monkeypatch, match_offers, "hide_crowd")
    assert (await table.live()).hidden_by == (0, 1)


async def test_two_who_want_a_rematch_at_once_are_both_told_where_it_is(table, service, players, monkeypatch):
    await table.do(0, "resign")
    presses = [service.rematch(table.id, player.pk) for player in players[:2]]
    await pressed_at_once(presses, monkeypatch, play_offers, "want_rematch")
    live = await table.live()
    assert live.offered == (0, 1)
    assert live.rematch is not None
