"""Computer players at work: what is due is taken up once, thought about elsewhere, and played."""

import asyncio
import os
import signal

import pytest
from channels.db import database_sync_to_async
from django.core.management import CommandError, call_command

from games.bots.base import Evaluation, MoveEvaluation
from games.computers.pool import Pool
from games.computers.worker import Computers
from games.domain import codec, instants, pacing
from games.domain.messages import ClaimCommand, MoveCommand, OfferCommand, ResignCommand
from games.domain.refusals import Refused
from games.domain.terms import Terms
from games.models import Match, Ply, Seating
from games.net.hub import Hub
from games.play import permissions
from games.play.begin import create
from games.play.matches import Matches
from games.registry import GAMES
from games.store import analysis_queue, bot_queue
from games.store.journal import Unavailable
from games.watch.match_presence import Crowd
from games.watch.watcher_counts import WatcherCounts
from lobby.people.models import User
from tests.helpers.samples import in_full
from tools.harness.patience import patience
from tools.harness.timed import Time

pytestmark = pytest.mark.django_db(transaction=True)

COMMANDS = {"move": MoveCommand, "resign": ResignCommand, "offer": OfferCommand, "claim": ClaimCommand}


class Site:
    """A site with one match, as far as one of its processes knows it; several share one store."""

    def __init__(self, match_id, users, wall, pool):
        hub = Hub()
        self.id, self.users, self.wall = match_id, users, wall
        self.service = Matches(hub, wall)
        self.computers = Computers(self.service, hub, pool, wall, pace=0)
        self.away = {}

    async def do(self, seat, what, **fields):
        live = await self.service.up_to_date(self.id)
        command = COMMANDS[what](type=what, id=f"{what}-{live.ply}-{seat}", after=live.ply, **fields)
        try:
            return await self.service.play(self.id, self.users[seat].pk, command, away=self.away)
        except Refused as error:
            return error.code

    async def settle(self):
        """Have the computers act until nothing is due any more."""
        while await self.computers.once():
            pass

    async def live(self):
        return await self.service.up_to_date(self.id)


@database_sync_to_async
def plies(match_id):
    return list(Ply.objects.filter(match=match_id).order_by("number"))


@database_sync_to_async
def due_of(match_id):
    return Match.objects.values_list("bot_due", flat=True).get(pk=match_id)


@pytest.fixture
def wall():
    return Time(instants.now())


@pytest.fixture
async def site(thinkers, wall):
    """`await site(game, levels, seats, **terms)`: a match with computer players at those seats."""
    made = []

    @database_sync_to_async
    def seated(game, levels, seats, terms):
        users = [User.objects.get_or_create(username=f"Player-{seat}")[0] for seat in range(seats)]
        options = GAMES[game].rules.Options()
        match = create(game, options, users, terms=Terms(**terms), levels=levels)
        return match.pk, users

    async def begin(game="kalah", levels=None, seats=2, pool=thinkers, **terms):
        match_id, users = await seated(game, {1: 1} if levels is None else levels, seats, terms)
        wall.now = instants.now()
        made.append(Site(match_id, users, wall, pool))
        return made[-1]

    yield begin
    for each in made:
        await each.service.close()


class TestMoves:
    async def test_computer_answers_move_and_waits(self, site):
        kalah = await site()
        await kalah.do(0, "move", move="1")
        await kalah.settle()
        live = await kalah.live()
        assert live.state.turn == 0
        assert live.ply > 1
        assert await due_of(kalah.id) is None

    async def test_computer_plies_have_seat_and_command(self, site):
        kalah = await site(levels={0: 1})
        await kalah.settle()
        for ply in await plies(kalah.id):
            assert (ply.seat, ply.command) == (0, f"computer:{ply.number - 1}")

    @pytest.mark.parametrize("game", in_full(*GAMES))
    async def test_all_play_to_the_end_by_themselves(self, site, game):
        seats = GAMES[game].rules.SEATS[0]
        table = await site(game, dict.fromkeys(range(seats), 1), seats)
        await table.settle()
        live = await table.live()
        assert live.outcome is not None
        assert await due_of(table.id) is None

    async def test_a_full_table_of_four(self, site):
        table = await site("cantstop", {1: 1, 2: 1, 3: 1}, 4)
        await table.do(0, "resign")
        await table.settle()
        assert (await table.live()).outcome.winners in [(1,), (2,), (3,)]

    async def test_computers_do_not_move_for_people(self, site):
        kalah = await site()
        assert not await kalah.computers.once()
        assert (await kalah.live()).ply == 0

    async def test_messages_hide_legal_moves_on_computer_turn(self, site):
        kalah = await site(levels={0: 1})
        live = await kalah.live()
        assert live.bot_to_move
        assert live.mover is None
        assert not any("legal" in told for told in permissions.for_seats(live).values())

    async def test_player_resigns_while_computer_thinks(self, site, monkeypatch):
        kalah = await site(levels={0: 1})

        async def thinks_slowly(*_):
            await kalah.do(1, "resign")
            return "1"

        monkeypatch.setattr(kalah.computers._pool, "choose", thinks_slowly)
        await kalah.settle()
        assert [ply.action for ply in await plies(kalah.id)] == ["left:1:resigned"]

    async def test_computer_retries_after_store_failure(self, site, wall, monkeypatch, caplog):
        kalah = await site(levels={0: 1})
        write, tries = kalah.service._journal.write, []

        async def away_at_first(entry):
            tries.append(entry)
            if len(tries) == 1:
                raise Unavailable
            await write(entry)

        monkeypatch.setattr(kalah.service._journal, "write", away_at_first)
        await kalah.settle()
        assert await plies(kalah.id) == []
        assert [(said.getMessage(), said.match) for said in caplog.records] == [
            ("a computer player could not act", kalah.id)
        ]
        wall.now += round(bot_queue.LEASE.total_seconds() * 1000) + 1
        await kalah.settle()
        assert (await kalah.live()).state.turn == 1


class TestTakingUp:
    async def test_lease_excludes_other_workers_until_it_ends(self, site, wall):
        kalah = await site(levels={0: 1})
        take = database_sync_to_async(bot_queue.take)
        moment = instants.moment(wall.now)
        assert [lease.match_id for lease in await take(moment, 5)] == [kalah.id]
        assert await take(moment, 5) == []
        almost = moment + bot_queue.LEASE - (bot_queue.LEASE / 100)
        assert await take(almost, 5) == []
        # They were killed.
        assert len(await take(moment + bot_queue.LEASE, 5)) == 1

    async def test_lease_renewed_while_worker_thinks(self, site, wall):
        await site(levels={0: 1})
        moment = instants.moment(wall.now)
        (lease,) = await database_sync_to_async(bot_queue.take)(moment, 5)
        later = moment + bot_queue.LEASE / 2
        assert await database_sync_to_async(bot_queue.renew)(lease, later)
        assert await database_sync_to_async(bot_queue.take)(moment + bot_queue.LEASE, 5) == []

    async def test_release_keeps_match_that_is_due_again(self, site, wall):
        kalah = await site(levels={0: 1})
        (lease,) = await database_sync_to_async(bot_queue.take)(instants.moment(wall.now), 5)
        again = instants.moment(wall.now)
        await database_sync_to_async(Match.objects.filter(pk=kalah.id).update)(bot_due=again)
        await database_sync_to_async(bot_queue.release)(lease)
        assert await due_of(kalah.id) == again
        assert not await database_sync_to_async(bot_queue.renew)(lease, again)

    async def test_two_workers_play_no_move_twice(self, site, wall, thinkers):
        """Each takes up whatever it gets, also what the other is still at."""
        kalah = await site(levels={0: 1, 1: 1})
        other = Site(kalah.id, kalah.users, wall, thinkers)
        while (await kalah.live()).outcome is None:
            await asyncio.gather(kalah.computers.once(), other.computers.once())
            wall.now += 10_000
        commands = [ply.command for ply in await plies(kalah.id)]
        assert len(commands) == len(set(commands))
        assert (await other.live()).state == (await kalah.live()).state
        await other.service.close()

    async def test_a_worker_that_comes_late_changes_nothing(self, site, wall, thinkers, monkeypatch):
        kalah = await site(levels={0: 1})
        other = Site(kalah.id, kalah.users, wall, thinkers)

        async def thinks_for_too_long(*_):
            wall.now += 10_000
            await other.settle()
            return "1"

        monkeypatch.setattr(kalah.computers, "_pool", Pool(1))
        monkeypatch.setattr(kalah.computers._pool, "choose", thinks_for_too_long)
        await kalah.settle()
        assert (await kalah.live()).state.turn == 1
        commands = [ply.command for ply in await plies(kalah.id)]
        assert len(commands) == len(set(commands))
        await other.service.close()


class TestTheProbe:
    async def test_probe_fails_when_moves_are_overdue(self, site):
        kalah = await site(levels={0: 1})
        probe = database_sync_to_async(lambda: call_command("runbots", probe=True))
        await probe()
        late = instants.moment(instants.now() - 60_000)
        await database_sync_to_async(Match.objects.filter(pk=kalah.id).update)(bot_due=late)
        with pytest.raises(CommandError, match="1 matches wait"):
            await probe()


class TestPool:
    async def test_pool_replaces_killed_process(self, site):
        pool = Pool(1)
        kalah = await site(levels={0: 1}, pool=pool)
        state = (await kalah.live()).state_json
        before = await pool.choose("kalah", state, 1, 1.0, "seed")
        (process,) = pool._executor._processes
        os.kill(process, signal.SIGKILL)
        assert await pool.choose("kalah", state, 1, 1.0, "seed") == before
        await pool.close()

    async def test_pool_close_ends_running_work(self, site):
        pool = Pool(1)
        kalah = await site(levels={0: 1}, pool=pool)
        state = (await kalah.live()).state_json
        await pool.choose("kalah", state, 1, 1.0, "seed")
        (process,) = pool._executor._processes.values()
        thoughts_of_it = [asyncio.ensure_future(pool.look("kalah", state, 2, str(n))) for n in range(20)]
        await asyncio.sleep(0)
        await pool.close()
        await asyncio.gather(*thoughts_of_it, return_exceptions=True)
        process.join(patience(10))
        assert not process.is_alive()

    async def test_the_same_question_has_the_same_answer(self, site, thinkers):
        kalah = await site()
        state = (await kalah.live()).state_json
        looks = [await thinkers.look("kalah", state, 2, "seed") for _ in range(2)]
        assert looks[0] == looks[1]
        assert sum(looks[0].shares) == pytest.approx(1)

    async def test_a_search_tells_its_depths_and_ends_where_it_is_stopped(self, site, thinkers):
        kalah = await site()
        state, told = (await kalah.live()).state_json, []
        look, cost = await thinkers.deepen("kalah", state, 2, "seed", lambda *each: told.append(each))
        assert look == await thinkers.look("kalah", state, 2, "seed")
        depths = [each.depth for each, _cost in told]
        assert depths == sorted(set(depths))
        assert 0 < told[0][1] <= cost
        stopped = asyncio.ensure_future(thinkers.deepen("kalah", state, 2, "other", lambda *_: None))
        await asyncio.sleep(0)
        thinkers.stop("other")
        assert (await stopped)[0] is None


class TestDraws:
    @pytest.fixture
    async def kalah(self, site, monkeypatch):
        kalah = await site()

        async def look(*_):
            return Evaluation(0, (1 - self.share, self.share), (MoveEvaluation("1", 1 - self.share),))

        monkeypatch.setattr(kalah.computers, "_pool", Pool(1))
        monkeypatch.setattr(kalah.computers._pool, "look", look)
        return kalah

    async def test_computer_behind_accepts_draw(self, kalah):
        self.share = 0.1
        assert await kalah.do(0, "offer", kind="draw") == 0
        assert await due_of(kalah.id) is not None
        await kalah.settle()
        assert (await kalah.live()).outcome.reason == "agreed"

    async def test_computer_in_level_game_declines_draw(self, kalah):
        self.share = 0.5
        await kalah.do(0, "offer", kind="draw")
        await kalah.settle()
        live = await kalah.live()
        assert (live.outcome, live.offers) == (None, ())
        assert await due_of(kalah.id) is None

    async def test_computer_moves_after_draw_offer_while_thinking(self, kalah, monkeypatch):
        self.share = 0.5
        monkeypatch.setattr(kalah.computers._pool, "choose", self.first)
        await kalah.do(0, "move", move="1")
        assert (await kalah.live()).bot_to_move
        assert await kalah.do(0, "offer", kind="draw") == 1
        await kalah.settle()
        assert (await kalah.live()).state.turn == 0

    async def test_computer_offers_draw_in_long_level_game(self, kalah, monkeypatch):
        self.share = 0.5
        monkeypatch.setattr(pacing, "LONG_GAME", 1)
        monkeypatch.setattr(pacing, "BETWEEN_OFFERS", 2)
        monkeypatch.setattr(kalah.computers._pool, "choose", self.first)
        await kalah.do(0, "move", move="1")
        await kalah.settle()
        (offer,) = (await kalah.live()).offers
        assert (offer.kind, offer.by) == ("draw", 1)

    async def first(self, slug, state, *_):
        rules = GAMES[slug].rules
        return str(rules.legal_moves(codec.decode_state(rules, state))[0])


class TestOfferedAnythingElse:
    async def test_a_move_is_taken_back_at_once_with_the_answer_to_it(self, site):
        kalah = await site()
        await kalah.do(0, "move", move="1")
        await kalah.settle()
        await kalah.do(0, "offer", kind="take-back")
        live = await kalah.live()
        assert (live.state.turn, live.state.board[:6]) == (0, (4,) * 6)

    async def test_computer_agrees_to_pause_and_resume(self, site):
        kalah = await site(clock="5+3")
        assert await kalah.do(0, "offer", kind="pause") == 1
        assert await kalah.do(0, "offer", kind="resume") == 2
        assert await kalah.do(0, "offer", kind="save") == 3
        assert await kalah.do(0, "offer", kind="resume") == 4
        assert (await kalah.live()).running

    async def test_a_rematch_begins_at_once_and_it_knows_its_seat(self, site):
        kalah = await site(levels={1: 1})
        await kalah.do(0, "resign")
        rematch = await kalah.service.rematch(kalah.id, kalah.users[0].pk)
        assert rematch is not None
        seats = await database_sync_to_async(list)(  # type: ignore[call-arg]
            Seating.objects.filter(match=rematch).order_by("seat").values_list("user", "level")
        )
        assert seats == [(kalah.users[1].pk, 1), (kalah.users[0].pk, None)]
        assert await due_of(rematch) is not None


class TestKeepingAChair:
    async def test_the_bot_plays_for_the_seat_without_a_command(self, site, wall):
        table = await site("cantstop", {}, 3)
        table.away = {0: wall.now - 200_000}
        assert await table.do(1, "claim", kind="caretaker") == 1
        await table.settle()
        assert (await table.live()).state.turn == 1
        assert {(ply.seat, ply.command) for ply in (await plies(table.id))[1:]} == {(0, None), (None, None)}

    async def test_a_computer_is_never_away(self, site):
        kalah = await site(levels={0: 1})
        hub = kalah.service._hub
        crowd = Crowd(hub, kalah.service, WatcherCounts(hub), kalah.wall)
        await kalah.live()
        crowd.changed(kalah.id, 1)
        assert 0 in crowd._crowds[kalah.id].present


class TestThoughts:
    async def test_evaluations_do_not_wait_for_pauses_before_moves(self, site, wall, monkeypatch):
        kalah = await site(levels={0: 1})
        loop, store = asyncio.get_running_loop(), analysis_queue.store
        stored, played = asyncio.Event(), asyncio.Event()

        def keep(wanted, look):
            store(wanted, look)
            loop.call_soon_threadsafe(stored.set)

        async def wait(*_):
            await played.wait()

        monkeypatch.setattr(analysis_queue, "store", keep)
        monkeypatch.setattr(kalah.computers, "_move", wait)
        await database_sync_to_async(analysis_queue.want)(kalah.id, [0], instants.moment(wall.now))
        working = asyncio.ensure_future(kalah.computers.once())
        async with asyncio.timeout(patience(30)):
            await stored.wait()
        assert not working.done()
        played.set()
        await working

    async def test_evaluation_requested_is_computed_and_stored(self, site, wall):
        kalah = await site()
        await database_sync_to_async(analysis_queue.want)(kalah.id, [0], instants.moment(wall.now))
        await kalah.settle()
        look = await database_sync_to_async(analysis_queue.look_after)(kalah.id, 0)
        assert {prospect.move for prospect in look.moves} == set("123456")
