"""What processes tell each other: the bookkeeping by itself, then processes on hubs that hear each other."""

import asyncio

import pytest

from games.net.message_bus import BROADCAST
from games.net.shared_state import (
    ASK_AGAIN,
    FORGOTTEN_AFTER,
    REPEAT_SECONDS,
    RemoteValues,
    SharedState,
    Update,
)
from tests.helpers.processes import Site, SiteHub

TOPIC = "match.abc"


@pytest.fixture
def reports():
    return RemoteValues()


class TestReports:
    def test_report_replaces_earlier_report_of_process(self, reports):
        assert reports.hear("there", {"a": 1, "b": 2}, 0) == Update({}, {"a": 1, "b": 2})
        assert reports.hear("there", {"b": 3}, 1) == Update({"a": 1, "b": 2}, {"b": 3})
        assert reports.values() == [{"b": 3}]

    def test_a_change_leaves_the_rest_as_it_is(self, reports):
        reports.hear("there", {"a": 1, "b": 2, "c": 3}, 0)
        part = {"a": None, "b": 4, "d": 5, "e": None}
        assert reports.hear_part("there", part, 1) == Update({"a": 1, "b": 2}, {"b": 4, "d": 5})
        assert reports.values() == [{"b": 4, "c": 3, "d": 5}]

    def test_a_change_may_be_the_first_that_is_heard(self, reports):
        assert reports.hear_part("there", {"a": 1}, 0) == Update({}, {"a": 1})
        assert reports.values() == [{"a": 1}]

    def test_every_process_has_a_value_of_its_own(self, reports):
        reports.hear("there", {"a": 1}, 0)
        reports.hear("elsewhere", {"a": 2}, 0)
        assert reports.values() == [{"a": 1}, {"a": 2}]

    def test_report_of_silent_process_forgotten(self, reports):
        reports.hear("there", {"a": 1}, 0)
        reports.hear("elsewhere", {"a": 2}, 0)
        reports.hear_part("elsewhere", {}, 1)
        assert reports.forget(FORGOTTEN_AFTER) == []
        assert reports.forget(FORGOTTEN_AFTER + 0.5) == [Update({"a": 1}, {})]
        assert reports.values() == [{"a": 2}]
        assert reports.forget(FORGOTTEN_AFTER + 0.5) == []

    def test_silence_does_not_count_while_nobody_can_be_heard(self, reports):
        reports.hear("there", {"a": 1}, 0)
        reports.reset_timeouts(100)
        assert reports.forget(100 + FORGOTTEN_AFTER) == []
        assert reports.forget(101 + FORGOTTEN_AFTER) == [Update({"a": 1}, {})]


class Process:
    """A process that says `value` of itself on every topic, and what it has heard."""

    def __init__(self, site, value):
        self.hub, self.value, self.heard = SiteHub(site), value, []
        self.shared = SharedState(self.hub, "things", lambda _topic: self.value, self._hear)
        self.shared.follow()

    def _hear(self, topic, news):
        self.heard += [(topic, *each) for each in news]


@pytest.fixture
def site(monkeypatch):
    return Site(monkeypatch)


@pytest.fixture
def here(site):
    return Process(site, {"a": 1})


@pytest.fixture
def there(site):
    return Process(site, {"b": 2})


class TestTwoProcesses:
    def test_state_told_reaches_other_process(self, here, there):
        here.shared.tell_all()
        assert (there.shared.others(), here.shared.others()) == ([{"a": 1}], [])
        assert there.heard == [(BROADCAST, {}, {"a": 1})]

    def test_a_change_is_told_alone(self, here, there):
        here.shared.tell_all()
        here.shared.tell({"a": None, "c": 3})
        assert there.shared.others() == [{"c": 3}]
        assert there.heard[-1] == (BROADCAST, {"a": 1}, {"c": 3})

    def test_state_request_answered(self, here, there):
        here.shared.tell_all(ask=True)
        assert (there.shared.others(), here.shared.others()) == ([{"a": 1}], [{"b": 2}])

    def test_state_told_without_request_not_answered(self, here, there):
        here.shared.tell_all()
        assert here.heard == []

    def test_state_lost_arrives_with_next_repetition(self, here, there, site):
        site.quiet = True
        here.shared.tell_all()
        site.quiet = False
        here.shared.again(0)
        assert there.shared.others() == [{"a": 1}]

    def test_a_topic_is_heard_by_those_who_are_on_it_and_kept_by_those_who_follow_it(self, here, there):
        for process in (here, there):
            process.hub.join(TOPIC, object())
        here.shared.follow(TOPIC)
        there.shared.tell_all(TOPIC, ask=True)
        assert here.shared.others(TOPIC) == [{"b": 2}]
        assert (here.shared.others(), there.heard) == ([], [])
        here.shared.drop(TOPIC)
        there.shared.tell_all(TOPIC)
        assert here.heard == [(TOPIC, {}, {"b": 2})]

    @pytest.fixture
    def hears_at(self, monkeypatch):
        """Set the moment at which processes hear."""
        return lambda now: monkeypatch.setattr("games.net.shared_state.time.monotonic", lambda: now)

    def test_a_process_that_fell_silent_is_forgotten_in_time(self, here, there, hears_at):
        hears_at(100)
        there.shared.tell_all()
        here.shared.again(100 + FORGOTTEN_AFTER)
        assert here.shared.others() == [{"b": 2}]
        here.shared.again(101 + FORGOTTEN_AFTER)
        assert here.shared.others() == []
        assert here.heard[-1] == (BROADCAST, {"b": 2}, {})

    def test_state_kept_while_channel_layer_is_down(self, here, there, site, hears_at):
        hears_at(0)
        there.shared.tell_all()
        site.quiet = site.layer_is_away = True
        here.shared.again(1000)
        site.layer_is_away = False
        here.shared.again(1000 + FORGOTTEN_AFTER)
        assert here.shared.others() == [{"b": 2}]

    async def test_process_start_asks_twice_then_repeats(self, here, there, monkeypatch):
        told, waits = [], []
        there.hub.listen("things", lambda _topic, payload: told.append(b'"ask":true' in payload))

        async def wait(seconds):
            waits.append(seconds)

        async def twice(seconds, work):
            waits.append(seconds)
            await work()
            await work()
            raise asyncio.CancelledError

        monkeypatch.setattr("games.net.shared_state.asyncio.sleep", wait)
        monkeypatch.setattr("games.net.shared_state.every", twice)
        with pytest.raises(asyncio.CancelledError):
            await here.shared._repeat()
        assert told == [True, True, False, False]
        assert waits == [ASK_AGAIN, REPEAT_SECONDS, REPEAT_SECONDS]
