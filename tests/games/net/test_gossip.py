"""What processes tell each other: the bookkeeping by itself, then processes on hubs that hear each other."""

import asyncio

import pytest

from games.net.gossip import ASK_AGAIN, FORGOTTEN_AFTER, REPEAT_SECONDS, Gossip, News, Reports
from games.net.hub import BROADCAST
from tests.helpers.processes import Site, SiteHub

TOPIC = "match.abc"


@pytest.fixture
def reports():
    return Reports()


class TestReports:
    def test_what_a_process_says_takes_the_place_of_what_it_said(self, reports):
        assert reports.hear("there", {"a": 1, "b": 2}, 0) == News({}, {"a": 1, "b": 2})
        assert reports.hear("there", {"b": 3}, 1) == News({"a": 1, "b": 2}, {"b": 3})
        assert reports.values() == [{"b": 3}]

    def test_a_change_leaves_the_rest_as_it_is(self, reports):
        reports.hear("there", {"a": 1, "b": 2, "c": 3}, 0)
        part = {"a": None, "b": 4, "d": 5, "e": None}
        assert reports.hear_part("there", part, 1) == News({"a": 1, "b": 2}, {"b": 4, "d": 5})
        assert reports.values() == [{"b": 4, "c": 3, "d": 5}]

    def test_a_change_may_be_the_first_that_is_heard(self, reports):
        assert reports.hear_part("there", {"a": 1}, 0) == News({}, {"a": 1})
        assert reports.values() == [{"a": 1}]

    def test_every_process_has_a_value_of_its_own(self, reports):
        reports.hear("there", {"a": 1}, 0)
        reports.hear("elsewhere", {"a": 2}, 0)
        assert reports.values() == [{"a": 1}, {"a": 2}]

    def test_who_is_silent_for_too_long_is_forgotten(self, reports):
        reports.hear("there", {"a": 1}, 0)
        reports.hear("elsewhere", {"a": 2}, 0)
        reports.hear_part("elsewhere", {}, 1)
        assert reports.forget(FORGOTTEN_AFTER) == []
        assert reports.forget(FORGOTTEN_AFTER + 0.5) == [News({"a": 1}, {})]
        assert reports.values() == [{"a": 2}]
        assert reports.forget(FORGOTTEN_AFTER + 0.5) == []

    def test_silence_does_not_count_while_nobody_can_be_heard(self, reports):
        reports.hear("there", {"a": 1}, 0)
        reports.reset_timeouts(100)
        assert reports.forget(100 + FORGOTTEN_AFTER) == []
        assert reports.forget(101 + FORGOTTEN_AFTER) == [News({"a": 1}, {})]


class Process:
    """A process that says `value` of itself on every topic, and what it has heard."""

    def __init__(self, site, value):
        self.hub, self.value, self.heard = SiteHub(site), value, []
        self.gossip = Gossip(self.hub, "things", lambda _topic: self.value, self._hear)
        self.gossip.follow()

    def _hear(self, topic, news):
        self.heard += [(topic, *each) for each in news]


@pytest.fixture
def site():
    return Site()


@pytest.fixture
def here(site):
    return Process(site, {"a": 1})


@pytest.fixture
def there(site):
    return Process(site, {"b": 2})


class TestTwoProcesses:
    def test_what_one_says_the_other_knows(self, here, there):
        here.gossip.tell_all()
        assert (there.gossip.others(), here.gossip.others()) == ([{"a": 1}], [])
        assert there.heard == [(BROADCAST, {}, {"a": 1})]

    def test_a_change_is_told_alone(self, here, there):
        here.gossip.tell_all()
        here.gossip.tell({"a": None, "c": 3})
        assert there.gossip.others() == [{"c": 3}]
        assert there.heard[-1] == (BROADCAST, {"a": 1}, {"c": 3})

    def test_who_asks_is_told(self, here, there):
        here.gossip.tell_all(ask=True)
        assert (there.gossip.others(), here.gossip.others()) == ([{"a": 1}], [{"b": 2}])

    def test_who_is_told_without_being_asked_says_nothing(self, here, there):
        here.gossip.tell_all()
        assert here.heard == []

    def test_what_was_lost_comes_with_the_next_repetition(self, here, there, site):
        site.quiet = True
        here.gossip.tell_all()
        site.quiet = False
        here.gossip.again(0)
        assert there.gossip.others() == [{"a": 1}]

    def test_a_topic_is_heard_by_those_who_are_on_it_and_kept_by_those_who_follow_it(self, here, there):
        for process in (here, there):
            process.hub.join(TOPIC, object())
        here.gossip.follow(TOPIC)
        there.gossip.tell_all(TOPIC, ask=True)
        assert here.gossip.others(TOPIC) == [{"b": 2}]
        assert (here.gossip.others(), there.heard) == ([], [])
        here.gossip.drop(TOPIC)
        there.gossip.tell_all(TOPIC)
        assert here.heard == [(TOPIC, {}, {"b": 2})]

    @pytest.fixture
    def hears_at(self, monkeypatch):
        """Set the moment at which processes hear."""
        return lambda now: monkeypatch.setattr("games.net.gossip.time.monotonic", lambda: now)

    def test_a_process_that_fell_silent_is_forgotten_in_time(self, here, there, hears_at):
        hears_at(100)
        there.gossip.tell_all()
        here.gossip.again(100 + FORGOTTEN_AFTER)
        assert here.gossip.others() == [{"b": 2}]
        here.gossip.again(101 + FORGOTTEN_AFTER)
        assert here.gossip.others() == []
        assert here.heard[-1] == (BROADCAST, {"b": 2}, {})

    def test_nobody_is_forgotten_while_the_channel_layer_is_away(self, here, there, site, hears_at):
        hears_at(0)
        there.gossip.tell_all()
        site.quiet = site.layer_is_away = True
        here.gossip.again(1000)
        site.layer_is_away = False
        here.gossip.again(1000 + FORGOTTEN_AFTER)
        assert here.gossip.others() == [{"b": 2}]

    async def test_who_begins_asks_twice_and_repeats_from_then_on(self, here, there, monkeypatch):
        told, waits = [], []
        there.hub.listen("things", lambda _topic, payload: told.append(b'"ask":true' in payload))

        async def wait(seconds):
            waits.append(seconds)

        async def twice(seconds, work):
            waits.append(seconds)
            await work()
            await work()
            raise asyncio.CancelledError

        monkeypatch.setattr("games.net.gossip.asyncio.sleep", wait)
        monkeypatch.setattr("games.net.gossip.every", twice)
        with pytest.raises(asyncio.CancelledError):
            await here.gossip._repeat()
        assert told == [True, True, False, False]
        assert waits == [ASK_AGAIN, REPEAT_SECONDS, REPEAT_SECONDS]
