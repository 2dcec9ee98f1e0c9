"""Who is here, across processes: the bookkeeping by itself, then two real processes."""

import pytest

from games.net.shared_state import FORGOTTEN_AFTER, RemoteValues
from lobby.people.presence import SETTLE_SECONDS, Change, Sightings
from tests.conftest import PAIRS
from tools.harness.patience import wait_until, within
from tools.harness.people import Person, guest

ANN, BO, CY = 1, 2, 3


def change(came=(), went=()):
    return Change(frozenset(came), frozenset(went))


class Seen(Sightings):
    """The people of a site as its process "here" knows them, with what it hears of the others."""

    def __init__(self):
        super().__init__()
        self._others = RemoteValues()

    def hear(self, origin, came, went, now):
        if origin == "here":
            return self.note(came, went)
        part = dict.fromkeys(came, True) | dict.fromkeys(went)
        return self.follow_news(self._others.hear_part(origin, part, now))

    def hear_all(self, origin, people, now):
        return self.follow_news(self._others.hear(origin, dict.fromkeys(people, True), now))

    def forget(self, now):
        changes = [self.follow_news(news) for news in self._others.forget(now)]
        return change(went=frozenset().union(*(each.went for each in changes)))

    def follow_news(self, news):
        return self.follow(news.before.keys(), news.after.keys())


@pytest.fixture
def seen():
    return Seen()


class TestBookkeeping:
    def test_user_with_open_page_is_present(self, seen):
        assert seen.came(ANN)
        assert seen.hear("here", [ANN], [], 0) == change(came=[ANN])
        assert (seen.here, seen.everyone, ANN in seen, len(seen)) == ({ANN}, {ANN}, True, 1)

    def test_a_second_page_is_no_news(self, seen):
        seen.came(ANN)
        seen.hear("here", [ANN], [], 0)
        assert not seen.came(ANN)

    def test_user_with_one_of_two_pages_is_present(self, seen):
        seen.came(ANN)
        seen.came(ANN)
        assert not seen.went(ANN, 0)
        assert seen.left(100) == set()

    def test_user_without_pages_leaves_after_a_moment(self, seen):
        seen.came(ANN)
        assert seen.went(ANN, 10)
        assert seen.left(10 + SETTLE_SECONDS / 2) == set()
        assert seen.left(10 + SETTLE_SECONDS) == {ANN}
        assert seen.left(10 + SETTLE_SECONDS) == set()

    def test_a_reload_is_no_news(self, seen):
        seen.came(ANN)
        seen.hear("here", [ANN], [], 0)
        seen.went(ANN, 10)
        assert not seen.came(ANN)
        assert seen.left(100) == set()

    def test_a_second_reload_counts_from_its_own_moment(self, seen):
        seen.came(ANN)
        seen.went(ANN, 10)
        seen.came(ANN)
        seen.went(ANN, 10.5)
        assert seen.left(10 + SETTLE_SECONDS) == set()
        assert seen.left(10.5 + SETTLE_SECONDS) == {ANN}

    def test_user_of_two_processes_leaves_when_both_lose_them(self, seen):
        seen.hear("here", [ANN], [], 0)
        assert seen.hear("there", [ANN, BO], [], 0) == change(came=[BO])
        assert seen.hear("here", [], [ANN], 1) == change()
        assert ANN in seen
        assert seen.hear("there", [], [ANN], 2) == change(went=[ANN])
        assert seen.everyone == {BO}

    def test_the_whole_set_of_a_process_mends_what_was_lost_on_the_way(self, seen):
        seen.hear("there", [ANN, BO], [], 0)
        assert seen.hear_all("there", [BO, CY], 1) == change(came=[CY], went=[ANN])

    def test_telling_the_same_again_changes_nothing(self, seen):
        seen.hear("there", [ANN], [], 0)
        assert seen.hear("there", [ANN], [BO], 1) == change()
        assert seen.hear_all("there", [ANN], 2) == change()

    def test_a_process_that_falls_silent_is_forgotten(self, seen):
        seen.hear("there", [ANN], [], 0)
        seen.hear("elsewhere", [BO], [], 5)
        assert seen.forget(FORGOTTEN_AFTER) == change()
        assert seen.forget(FORGOTTEN_AFTER + 1) == change(went=[ANN])
        assert seen.everyone == {BO}

    def test_one_never_forgets_oneself(self, seen):
        seen.hear("here", [ANN], [], 0)
        assert seen.forget(1000) == change()
        assert ANN in seen


def online(lobby):
    """The last number of people that a lobby heard of."""
    told = [message.get("counts", message) for message in lobby.heard]
    return [message["online"] for message in told if "online" in message][-1]


def hears(lobby, number):
    """Read on until the lobby says that so many people are here."""
    while online(lobby) != number:
        lobby.receive()


@pytest.fixture(scope="module", params=PAIRS)
def alone(request, launcher):
    """The only process of a site."""
    return launcher.open(launcher.store(request.param))


class TestAServer:
    def test_people_who_come_and_go_are_counted(self, alone):
        people = [guest(alone) for _ in range(3)]
        with Person(alone).lobby() as lobby:
            before = online(lobby)
            sockets = [person.me() for person in people]
            hears(lobby, before + 3)
            for socket in sockets:
                socket.close()
            hears(lobby, before)

    def test_two_pages_of_one_person_count_once(self, alone):
        person, other = guest(alone), guest(alone)
        with person.me(), person.me(), Person(alone).lobby() as lobby, other.me():
            hears(lobby, 2)


@pytest.fixture(scope="module")
def store(launcher):
    return launcher.store("postgres+redis")


@pytest.fixture(scope="module")
def servers(launcher, store):
    """Two processes of one site."""
    return [launcher.open(store), launcher.open(store)]


class TestTwoProcesses:
    def test_processes_agree_within_two_seconds(self, servers):
        people = [(guest(server), server) for server in servers for _ in range(3)]
        lobbies = [Person(server).lobby() for server in servers]
        sockets = [person.me(server) for person, server in people]
        with within(2):
            for lobby in lobbies:
                hears(lobby, 6)
        for socket in sockets[2:]:
            socket.close()
        with within(SETTLE_SECONDS + 2):
            for lobby in lobbies:
                hears(lobby, 2)
        for socket in [*sockets[:2], *lobbies]:
            socket.close()

    def test_user_with_pages_at_both_processes_counted_once(self, servers):
        person = guest(servers[0])
        with Person(servers[0]).lobby() as one, Person(servers[1]).lobby() as two:
            here, there = person.me(servers[0]), person.me(servers[1])
            hears(one, 1)
            hears(two, 1)
            here.close()
            with guest(servers[0]).me():
                hears(two, 2)
                hears(one, 2)
            hears(two, 1)
            there.close()
            hears(two, 0)
            hears(one, 0)

    def test_a_process_that_starts_later_learns_who_is_here(self, servers, launcher, store):
        with guest(servers[0]).me() as socket:
            late = launcher.open(store)
            with within(2), Person(late).lobby() as lobby:
                hears(lobby, 1)
            assert socket.snapshot["type"] == "hello"

    def test_the_people_of_a_process_that_died_are_forgotten(self, servers, launcher, store):
        doomed = launcher.open(store)
        lost, kept = guest(servers[0]).me(doomed), guest(servers[0]).me(servers[1])
        wait_until(lambda: now_online(servers[0]) == 2, "knowing both")
        doomed.kill9()
        assert now_online(servers[0]) == 2
        wait_until(lambda: now_online(servers[0]) == 1, "forgetting a dead process", FORGOTTEN_AFTER + 15)
        lost.abort()
        kept.close()


def now_online(server):
    with Person(server).lobby() as lobby:
        return online(lobby)
