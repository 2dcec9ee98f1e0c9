"""Who is at a match: absence to the millisecond, watchers by name, and what the players hide.

Two processes are two crowds on hubs that hand each other what they say. Time is the test's own.
"""

import asyncio

import orjson
import pytest

from games.net.hub import Hub
from games.net.shared_state import FORGOTTEN_AFTER, REPEAT_SECONDS
from games.play import begin, matches
from games.play.matches import Matches
from games.registry import GAMES
from games.watch.match_presence import MOST_NAMES, SETTLE, Crowd
from games.watch.watcher_counts import WatcherCounts
from lobby.people.models import User
from tests.helpers.processes import Site, SiteHub

pytestmark = pytest.mark.django_db(transaction=True)

START = 1_789_000_000_000
LIMIT = 120_000
"""Milliseconds for which somebody on turn may be away from a match without a clock."""


class Time:
    """A clock that the test moves, and the timers that ring by it."""

    def __init__(self, monkeypatch):
        self.milliseconds = START
        self._timers = []
        monkeypatch.setattr(asyncio.get_running_loop(), "call_later", self._later)
        monkeypatch.setattr("time.monotonic", lambda: self.milliseconds / 1000)

    def __call__(self):
        return self.milliseconds

    def _later(self, seconds, what, *arguments):
        self._timers.append((self.milliseconds + seconds * 1000, what, arguments))

    def pass_on(self, seconds):
        end = self.milliseconds + seconds * 1000
        while due := sorted((t for t in self._timers if t[0] <= end), key=lambda t: t[0]):
            self._timers.remove(due[0])
            self.milliseconds = max(self.milliseconds, round(due[0][0]))
            due[0][1](*due[0][2])
        self.milliseconds = round(end)


class Page:
    """A page that looks at the match: of a seat, of somebody signed in, or of a visitor."""

    def __init__(self, seat=None, name=None):
        self.seat, self.name = seat, name
        self.user_id = name and hash(name)
        self.heard = []

    def write(self, frame):
        self.heard.append(orjson.loads(frame.payload))

    @property
    def told(self):
        return self.heard[-1]


class Process:
    """A process of the site, with what it needs to know of the match."""

    def __init__(self, hub, match, now):
        self.hub, self.match = hub, match
        self.matches = Matches(hub)
        self.counts = WatcherCounts(hub)
        self.crowd = Crowd(hub, self.matches, self.counts, now)

    async def open(self, page):
        await self.matches.get(self.match)
        self.hub.join(matches.topic(self.match), page)
        self.crowd.changed(self.match, page.seat)
        return page

    def close(self, page):
        self.hub.leave(matches.topic(self.match), page)
        self.crowd.changed(self.match, page.seat)

    def away(self):
        return self.crowd.away(self.match, 2)


@pytest.fixture
def match():
    users = [User.objects.create_user(name) for name in ("Ulno", "Artjom")]
    return begin.create("kalah", GAMES["kalah"].rules.PRESETS["circle"], users).pk


@pytest.fixture
async def time(monkeypatch, match):
    return Time(monkeypatch)


@pytest.fixture
async def process(match, time):
    """The only process of its site."""
    process = Process(Hub(), match, time)
    yield process
    await process.matches.close()


@pytest.fixture
async def two(match, time, monkeypatch):
    """Two processes of one site."""
    site = Site(monkeypatch)
    pair = [Process(SiteHub(site), match, time) for _ in range(2)]
    yield pair
    for each in pair:
        await each.matches.close()


class TestAway:
    async def test_a_seat_that_was_never_seen_is_away_since_somebody_looks(self, process, time):
        page = await process.open(Page(0))
        time.pass_on(5)
        assert process.away() == {1: START}
        assert page.told["away"] == [{"seat": 1, "since": START, "due": START + LIMIT}]

    async def test_player_gone_for_a_moment_lost_but_not_away(self, process, time):
        assert process.crowd.lost(process.match, 2) == {0: START, 1: START}
        await process.open(Page(seat=0))
        assert process.away() == {}
        assert process.crowd.lost(process.match, 2) == {1: START}

    async def test_a_seat_is_away_since_its_last_page_closed(self, process, time):
        stays = await process.open(Page(0))
        first, second = await process.open(Page(1)), await process.open(Page(1))
        process.close(first)
        time.pass_on(3)
        assert process.away() == {}
        process.close(second)
        time.pass_on(2)
        assert process.away() == {1: START + 3000}
        assert stays.told["away"] == [{"seat": 1, "since": START + 3000, "due": START + 3000 + LIMIT}]

    async def test_absence_ends_on_return_and_restarts(self, process, time):
        stays = await process.open(Page(0))
        time.pass_on(5)
        page = await process.open(Page(1))
        time.pass_on(5)
        assert (process.away(), stays.told["away"], stays.told["present"]) == ({}, [], [0, 1])
        process.close(page)
        time.pass_on(1)
        assert process.away() == {1: START + 10_000}

    async def test_a_reload_is_no_absence(self, process, time):
        stays, page = await process.open(Page(0)), await process.open(Page(1))
        time.pass_on(5)
        stays.heard.clear()
        process.close(page)
        time.pass_on((SETTLE - 1) / 1000)
        assert process.away() == {}
        await process.open(Page(1))
        time.pass_on(5)
        assert [message["away"] for message in stays.heard] == [[]]

    async def test_a_seat_that_goes_while_others_settle_is_told_in_time(self, process, time):
        """Its own time to come back begins when it goes."""
        stays, page = await process.open(Page(0)), await process.open(Page(1))
        time.pass_on(5)
        await process.open(Page())
        time.pass_on(0.09)
        process.close(page)
        time.pass_on(0.05)
        assert stays.told["away"] == []
        time.pass_on(0.1)
        assert stays.told["away"] == [{"seat": 1, "since": START + 5090, "due": START + 5090 + LIMIT}]

    async def test_absence_of_other_kept_while_alone_reloads(self, process, time):
        page = await process.open(Page(0))
        time.pass_on(5)
        process.close(page)
        time.pass_on(1)
        await process.open(Page(0))
        assert process.away() == {1: START}

    async def test_presence_of_unwatched_match_forgotten(self, process, time):
        page = await process.open(Page(0))
        process.close(page)
        time.pass_on(FORGOTTEN_AFTER + 1)
        assert process.crowd._crowds == {}
        assert process.away() == {}

    async def test_a_seat_that_another_process_sees_is_not_away(self, two, time):
        here, there = two
        await here.open(Page(0))
        time.pass_on(5)
        await there.open(Page(1))
        time.pass_on(5)
        assert [each.away() for each in two] == [{}, {}]

    async def test_absence_begins_when_the_last_process_has_lost_it(self, two, time):
        here, there = two
        stays = await here.open(Page(0))
        near, far = await here.open(Page(1)), await there.open(Page(1))
        time.pass_on(5)
        here.close(near)
        time.pass_on(5)
        assert here.away() == {}
        there.close(far)
        time.pass_on(5)
        (since,) = here.away().values()
        assert abs(since - (START + 10_000)) <= SETTLE
        assert stays.told["away"] == [{"seat": 1, "since": since, "due": since + LIMIT}]

    async def test_one_process_of_several_forgets_at_once_what_it_would_hear_no_more_of(self, two, time):
        page = await two[0].open(Page(0))
        two[0].close(page)
        time.pass_on(1)
        assert two[0].crowd._crowds == {}

    async def test_a_process_that_died_without_a_word_is_forgotten(self, two, time):
        here, there = two
        stays = await here.open(Page(0))
        await there.open(Page(1))
        time.pass_on(5)
        assert stays.told["present"] == [0, 1]
        there.hub._site.quiet = True
        self.repeat(here, time, 60)
        assert stays.told["present"] == [0]
        (since,) = here.away().values()
        assert START + FORGOTTEN_AFTER * 1000 <= since <= START + 45_000

    async def test_absence_not_counted_while_channel_layer_is_down(self, two, time):
        here, there = two
        await here.open(Page(0))
        await there.open(Page(1))
        time.pass_on(5)
        here.hub._site.quiet = here.hub._site.layer_is_away = True
        self.repeat(here, time, 600)
        assert here.away() == {}

    async def test_an_absence_is_not_counted_while_the_channel_layer_is_away(self, two, time):
        here, _ = two
        await here.open(Page(0))
        here.hub._site.quiet = here.hub._site.layer_is_away = True
        self.repeat(here, time, 600)
        time.pass_on(1)
        assert all(time() - since <= 20_000 for since in here.away().values())

    def repeat(self, process, time, seconds):
        """A process repeats what it sees for so many seconds after the start."""
        while time() <= START + seconds * 1000:
            time.pass_on(REPEAT_SECONDS)
            process.crowd._shared.again(time() / 1000)


class TestNames:
    async def test_watchers_named_in_order_and_visitors_counted(self, process, time):
        page = await process.open(Page(0))
        for name in ("bo", "Anna", None):
            await process.open(Page(name=name))
        time.pass_on(1)
        assert (page.told["watchers"], page.told["names"]) == (3, ["Anna", "bo"])

    async def test_a_person_with_many_pages_is_one(self, two, time):
        here, there = two
        pages = [await each.open(Page(name="Anna")) for each in (here, here, there)]
        await there.open(Page(name="Bo"))
        time.pass_on(1)
        for page in pages:
            assert (page.told["watchers"], page.told["names"]) == (2, ["Anna", "Bo"])
        here.close(pages[0])
        time.pass_on(1)
        assert pages[2].told["names"] == ["Anna", "Bo"]

    async def test_players_are_not_among_them(self, process, time):
        page = await process.open(Page(0, "Ulno"))
        time.pass_on(1)
        assert (page.told["watchers"], page.told["names"]) == (0, [])

    @pytest.mark.parametrize("visitors", [0, 3])
    async def test_watchers_beyond_twenty_only_counted(self, two, time, visitors):
        page = await two[0].open(Page(0))
        for _ in range(visitors):
            await two[1].open(Page())
        pages = [await two[i % 2].open(Page(name=f"P{i}")) for i in range(MOST_NAMES - visitors)]
        time.pass_on(1)
        assert (page.told["watchers"], len(page.told["names"])) == (MOST_NAMES, MOST_NAMES - visitors)
        await two[1].open(Page(name="Anna"))
        time.pass_on(1)
        assert (page.told["watchers"], page.told["names"]) == (MOST_NAMES + 1, [])
        two[0].close(pages[0])
        time.pass_on(1)
        assert "Anna" in page.told["names"]

    async def test_a_hundred_at_one_process_are_counted(self, two, time):
        page = await two[0].open(Page(0))
        for i in range(100):
            await two[1].open(Page(name=f"P{i}"))
        time.pass_on(1)
        assert (page.told["watchers"], page.told["names"]) == (100, [])


class TestHidden:
    async def hide(self, process, seat, hidden=True):
        user = next(u for u, s in (await process.matches.get(process.match)).players.items() if s == seat)
        hidden_by = await process.matches.hide_crowd(process.match, user, hidden)
        process.crowd.hidden(process.match, hidden_by)

    async def test_hiding_announced_in_every_process(self, two, time):
        here, there = two
        pages = [await here.open(Page(0)), await here.open(Page(name="Anna")), await there.open(Page())]
        time.pass_on(1)
        assert [page.told["watchers"] for page in pages] == [2, 2, 2]
        await self.hide(here, 0)
        for page in pages:
            told = page.told
            assert (told["watchers"], told["names"], told["hidden"], told["hidden_by"]) == (0, [], True, [0])
        await self.hide(here, 0, False)
        for page in pages:
            assert (page.told["watchers"], page.told["names"], page.told["hidden"]) == (2, ["Anna"], False)

    async def test_the_lobbies_of_every_process_are_told_of_nobody(self, two, time):
        here, there = two
        await here.open(Page(0))
        for each in two:
            await each.open(Page())
        time.pass_on(2)
        assert [dict(each.counts.counts()) for each in two] == [{here.match: 2}] * 2
        await self.hide(here, 0)
        time.pass_on(2)
        assert [dict(each.counts.counts()) for each in two] == [{}, {}]
        await there.open(Page())
        time.pass_on(2)
        assert [dict(each.counts.counts()) for each in two] == [{}, {}]

    async def test_watchers_hidden_while_any_seat_wants_it(self, process, time):
        page = await process.open(Page(0))
        for seat, hidden, wanted in [(0, True, [0]), (1, True, [0, 1]), (0, False, [1]), (1, False, [])]:
            await self.hide(process, seat, hidden)
            assert (page.told["hidden_by"], page.told["hidden"]) == (wanted, bool(wanted))

    async def test_a_process_that_was_not_told_finds_it_in_the_store(self, two, time):
        here, there = two
        await here.open(Page(0))
        page = await there.open(Page(name="Anna"))
        time.pass_on(1)
        here.hub._site.quiet = True
        await self.hide(here, 0)
        assert page.told["names"] == ["Anna"]
        await there.matches._memory.catch_up()
        await there.open(Page())
        time.pass_on(1)
        assert (page.told["names"], page.told["hidden"]) == ([], True)
