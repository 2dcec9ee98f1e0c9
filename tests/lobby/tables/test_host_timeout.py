"""Tables whose host has left for good are cleared away, and no others."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.net.hub import hub
from games.registry import GAMES
from lobby.people.models import User
from lobby.tables.host_timeout import PRIVATE_PATIENCE, clear_deserted, note_hosts
from lobby.tables.models import Table
from lobby.tables.tables import TableTerms, set_table, sit_down
from tests.conftest import PAIRS
from tests.helpers.readers import read_english
from tools.harness.patience import wait_until
from tools.harness.people import Person, guest

CIRCLE = GAMES["kalah"].rules.PRESETS["circle"]
PATIENCE = timedelta(minutes=2)


@pytest.fixture(autouse=True)
def patience(settings):
    settings.TABLE_HOST_TIMEOUT = PATIENCE.total_seconds()


def kalah(host, invited=None, **terms):
    return set_table(host, "kalah", CIRCLE, 2, "lot", TableTerms(**terms), invited)


class TestOneProcess:
    def test_a_host_who_is_away_for_long_loses_the_table(self, ulno):
        table = kalah(ulno)
        assert clear_deserted(table.kept + PATIENCE + timedelta(seconds=1)) == [table.pk]
        assert not Table.objects.exists()

    def test_a_host_who_is_away_for_a_moment_keeps_it(self, ulno):
        table = kalah(ulno)
        assert clear_deserted(table.kept + PATIENCE) == []
        assert Table.objects.exists()

    def test_a_host_who_is_here_keeps_it(self, ulno):
        table = kalah(ulno)
        later = table.kept + PATIENCE
        note_hosts([ulno.pk], later)
        assert clear_deserted(later + PATIENCE) == []

    def test_table_of_absent_host_closed_while_others_online(self, ulno):
        table = kalah(ulno)
        later = table.kept + PATIENCE + timedelta(seconds=1)
        note_hosts([User.objects.create_user("Artjom").pk], later)
        assert clear_deserted(later) == [table.pk]

    def test_host_noted_recently_not_written_again(self, ulno, django_assert_num_queries):
        table = kalah(ulno)
        with django_assert_num_queries(1):
            note_hosts([ulno.pk], table.kept + PATIENCE / 5)

    @pytest.mark.parametrize("challenge", [False, True])
    def test_a_table_by_link_and_a_challenge_wait_a_day(self, ulno, challenge):
        other = User.objects.create_user("Artjom") if challenge else None
        table = kalah(ulno, other, listed=False)
        assert clear_deserted(table.kept + PRIVATE_PATIENCE) == []
        assert clear_deserted(table.kept + PRIVATE_PATIENCE + timedelta(seconds=1)) == [table.pk]

    def test_a_table_whose_match_began_stays(self, ulno):
        table = sit_down(User.objects.create_user("Artjom"), kalah(ulno).pk)
        assert clear_deserted(table.kept + 2 * PRIVATE_PATIENCE) == []

    @pytest.mark.django_db(transaction=True)
    def test_table_closed_told_to_all(self, ulno, monkeypatch):
        table = kalah(ulno)
        said = []
        monkeypatch.setattr(hub, "announce", lambda *told: said.append(told))
        clear_deserted(timezone.now() + 2 * PATIENCE)
        read = [message for topic, message in said if read_english(topic)]
        assert [(message["type"], message["id"]) for message in read] == [("table-gone", table.pk)]


@pytest.fixture(scope="module", params=PAIRS)
def server(request, launcher):
    return launcher.open(launcher.store(request.param), TABLE_HOST_TIMEOUT="2")


class TestARealServer:
    def test_a_table_is_cancelled_when_its_host_is_gone_and_not_before(self, server):
        host = guest(server)
        with host.me(), Person(server).lobby() as lobby:
            host.post("/new/kalah", preset="circle", seats="2", first="lot")
            table = lobby.next("table")["table"]["id"]
            kept = set()

            def kept_for_longer_than_its_patience():
                # It is renewed four times within the patience.
                kept.add(server.rows("SELECT kept FROM lobby_table WHERE id = ?", table)[0][0])
                return len(kept) > 5

            wait_until(kept_for_longer_than_its_patience, "the renewal of the table")
            lobby.send({"type": "list"})
            assert [each["id"] for each in lobby.next("lobby")["tables"]] == [table]
            host.post("/new/kalah", preset="circle", seats="2", first="lot", listed="no")
        with Person(server).lobby() as lobby:
            assert lobby.next("table-gone")["id"] == table
            assert server.rows("SELECT listed FROM lobby_table") == [(False,)]
