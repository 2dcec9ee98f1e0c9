"""Whose turn it is, told to people wherever they are on the site."""

from datetime import UTC, datetime, timedelta
from typing import Any

import orjson
import pytest

from games.domain.messages import ClaimCommand, MoveCommand, OfferCommand, ReclaimCommand, ResignCommand
from games.domain.terms import Terms
from games.net.hub import Hub
from games.net.threads import in_thread
from games.play import begin, matches, signals
from games.registry import GAMES
from games.store import history
from lobby.feed import turn_feed as turns_module
from lobby.feed.turn_feed import Turns
from lobby.people.models import User
from lobby.people.person import topic
from tests.helpers.samples import in_full
from tests.helpers.waiting import eventually
from tools.harness.patience import within
from tools.harness.people import Person, command_id, seat_two

CIRCLE = GAMES["kalah"].rules.PRESETS["circle"]


class Page:
    """A socket that keeps what it is told."""

    seat = None

    def __init__(self):
        self.heard = []

    def write(self, frame):
        self.heard.append(orjson.loads(frame.payload))

    async def close(self, code): ...


class TestTelling:
    @pytest.fixture
    async def hub(self, monkeypatch):
        monkeypatch.setattr(turns_module, "PAUSE", 0.01)
        return Hub()

    @pytest.fixture
    async def pages(self, hub):
        pages = {player: Page() for player in (1, 2)}
        for player, page in pages.items():
            hub.join(topic(player), page)
        return pages

    async def test_each_player_learns_whether_it_is_their_turn(self, hub, pages):
        Turns(hub).passed("m1", [1, 2], 2, None)
        await eventually(lambda: pages[1].heard and pages[2].heard)
        assert pages[1].heard == [{"type": "turn", "match": "m1", "mine": False, "left": None}]
        assert pages[2].heard == [{"type": "turn", "match": "m1", "mine": True, "left": None}]

    async def test_the_player_to_move_learns_how_long_they_have(self, hub, pages):
        Turns(hub).passed("m1", [1, 2], 2, datetime.now(UTC) + timedelta(minutes=1))
        await eventually(lambda: pages[1].heard and pages[2].heard)
        assert pages[1].heard[0]["left"] is None
        assert 50_000 < pages[2].heard[0]["left"] <= 60_000

    async def test_turn_ends_with_match(self, hub, pages):
        Turns(hub).passed("m1", [1, 2], None, None)
        await eventually(lambda: pages[1].heard and pages[2].heard)
        assert [page.heard[0]["mine"] for page in pages.values()] == [False, False]

    async def test_many_turns_within_the_pause_are_sent_as_one_message(self, hub, pages):
        turns = Turns(hub)
        for n in range(1000):
            turns.passed("m1", [1, 2], 1 + n % 2, None)
        await eventually(lambda: pages[1].heard and pages[2].heard)
        assert pages[2].heard == [{"type": "turn", "match": "m1", "mine": True, "left": None}]

    async def test_a_turn_after_the_pause_is_sent_as_another_message(self, hub, pages):
        turns = Turns(hub)
        turns.passed("m1", [1, 2], 1, None)
        await eventually(lambda: pages[1].heard)
        turns.passed("m1", [1, 2], 2, None)
        await eventually(lambda: len(pages[1].heard) > 1)
        assert [message["mine"] for message in pages[1].heard] == [True, False]

    async def test_several_matches_go_together(self, hub, pages):
        turns = Turns(hub)
        turns.passed("m1", [1, 2], 1, None)
        turns.passed("m2", [1, 2], 1, None)
        await eventually(lambda: pages[1].heard)
        assert [message["match"] for message in pages[1].heard] == ["m1", "m2"]


@pytest.mark.django_db(transaction=True)
class TestTheService:
    @pytest.fixture
    def people(self):
        return [User.objects.create_user(name) for name in ("Ulno", "Artjom")]

    @pytest.fixture
    def match(self, people):
        return begin.create("kalah", CIRCLE, people)

    @pytest.fixture
    def noted(self, monkeypatch):
        noted = []
        monkeypatch.setattr(signals.turn_passed, "listeners", (lambda *turn: noted.append(turn),))
        return noted

    async def play(self, match, user, after, text):
        service = matches.Matches(Hub())
        command = MoveCommand(type="move", id=f"command-{after}", after=after, move=text)
        await service.play(match.pk, user.pk, command)
        await service.close()

    async def test_a_turn_that_passes_is_noted(self, match, people, noted):
        await self.play(match, people[0], 0, "3")
        one, two = people
        assert noted == [(match.pk, {one.pk: 0, two.pk: 1}, two.pk, None)]

    async def test_the_end_is_noted(self, match, people, noted):
        service = matches.Matches(Hub())
        await service.play(match.pk, people[0].pk, ResignCommand(type="resign", id="resign-now", after=0))
        await service.close()
        assert [mover for _, _, mover, _ in noted] == [None]

    async def test_turn_not_announced_to_player_who_stays_on_turn(self, match, people, noted):
        # The last of three seeds from the fourth pit falls into the mover's own store.
        await self.play(match, people[0], 0, "4")
        assert noted == []

    async def test_waiting_for_reads_last_ply(self, match, people):
        one, two = people
        waiting = in_thread(history.waiting_for)
        assert (await waiting(one.pk), await waiting(two.pk)) == ([match.pk], [])
        await self.play(match, one, 0, "1")
        assert (await waiting(one.pk), await waiting(two.pk)) == ([], [match.pk])

    async def test_waiting_for_excludes_finished_match(self, match, people):
        service = matches.Matches(Hub())
        await service.play(match.pk, people[0].pk, ResignCommand(type="resign", id="resign-now", after=0))
        await service.close()
        waiting = in_thread(history.waiting_for)
        assert [await waiting(user.pk) for user in people] == [[], []]

    async def test_waiting_for_excludes_halted_match(self, people):
        match = await in_thread(begin.create)("kalah", CIRCLE, people, terms=Terms(clock="5+3"))
        service = matches.Matches(Hub())
        pause: dict[str, Any] = {"type": "offer", "after": 0, "kind": "pause"}
        for user in people:
            await service.play(match.pk, user.pk, OfferCommand(id=f"pause-by-{user.pk}", **pause))
        await service.close()
        assert await in_thread(history.waiting_for)(people[0].pk) == []

    async def test_a_bot_waits_for_nobody(self, people, noted):
        three = [*people, await in_thread(User.objects.create_user)("Third")]
        match = await in_thread(begin.create)("cantstop", GAMES["cantstop"].rules.Options(), three)
        service, waiting = matches.Matches(Hub()), in_thread(history.waiting_for)
        claim: dict[str, Any] = {"type": "claim", "id": "claim-it", "after": 0, "kind": "caretaker"}
        await service.play(match.pk, three[1].pk, ClaimCommand(**claim), away={0: 0})
        assert (noted[-1][2], await waiting(three[0].pk)) == (None, [])
        await service.play(match.pk, three[0].pk, ReclaimCommand(type="reclaim", id="back-here", after=1))
        await service.close()
        assert (noted[-1][2], await waiting(three[0].pk)) == (three[0].pk, [match.pk])

    def test_waiting_for_uses_one_query(self, match, people, django_assert_num_queries):
        begin.create("kalah", CIRCLE, people)
        with django_assert_num_queries(1):
            assert len(history.waiting_for(people[0].pk)) == 2


@pytest.fixture(scope="module", params=in_full("postgres+redis", "sqlite"))
def servers(request, launcher):
    """Two processes of one site where that can be, else one twice."""
    store = launcher.store(request.param)
    one = launcher.open(store)
    return (one, launcher.open(store)) if store.redis_url else (one, one)


class TestRealServers:
    def test_a_page_at_another_process_learns_of_each_turn(self, servers):
        one, two, match = seat_two(servers[0])
        with two.me(servers[1]) as page, one.watch(match) as board:
            assert page.snapshot["waiting"] == []
            board.move(0, "1")
            assert page.next("turn") == {"type": "turn", "match": match, "mine": True, "left": None}
            with two.watch(match, servers[1]) as other:
                other.ask({"type": "resign", "id": command_id(), "after": 1})
            assert page.next("turn")["mine"] is False
        with two.me(servers[1]) as page:
            assert page.snapshot["waiting"] == []

    def test_a_new_match_tells_who_moves_first(self, servers):
        host, other = Person(servers[0]), Person(servers[0])
        host.become_guest()
        host.post("/new/kalah", preset="circle", seats="2", first="host")
        with host.me(servers[1]) as page:
            other.post(f"{host.path}/sit")
            match = other.path.removeprefix("/m/")
            assert page.next("turn") == {"type": "turn", "match": match, "mine": True, "left": None}
        with host.me(servers[1]) as page:
            assert page.snapshot["waiting"] == [match]

    def test_a_challenge_reaches_every_page_of_its_person(self, servers):
        host, other = Person(servers[0]), Person(servers[0])
        host.become_guest()
        other.become_guest()
        name = servers[0].rows("SELECT username FROM lobby_user ORDER BY id DESC LIMIT 1")[0][0]
        with other.me(servers[0]) as here, other.me(servers[1]) as there, host.me(servers[1]) as hosts:
            host.post(f"/challenge/{name}/kalah", preset="circle", seats="2", first="host")
            table = here.next("table")["table"]
            assert there.next("table")["table"] == table
            assert (table["id"], table["invited"]) == (host.path.removeprefix("/t/"), name)
            with other.me(servers[1]) as later:
                assert later.snapshot["challenges"] == [table]
            with within(2):
                other.post(f"/t/{table['id']}/decline")
                assert hosts.next("declined")["name"] == name
                assert hosts.next("table-gone")["id"] == table["id"]
                assert there.next("table-gone")["id"] == table["id"]
