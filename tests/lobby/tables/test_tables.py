"""Tables: chairs are taken one after the other, and the last one begins the match."""

import secrets
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from asgiref.sync import async_to_sync
from django.db import IntegrityError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.models import Match, Seating
from games.net.hub import hub
from games.play import begin, signals
from games.registry import GAMES
from games.rules.base import BadOptions
from lobby.feed import lobby_feed, watched_matches
from lobby.people.models import User
from lobby.tables.models import Chair, Table
from lobby.tables.refusals import TableError
from lobby.tables.tables import (
    TableTerms,
    add_computer,
    remove_computer,
    set_table,
    sit_down,
    stand_up,
    start,
)
from tests.helpers.readers import read_english
from tests.helpers.waiting import eventually

CIRCLE = GAMES["kalah"].rules.PRESETS["circle"]
CANTSTOP = GAMES["cantstop"].rules.Options()


@pytest.fixture
def third(db):
    return User.objects.create_user("Third")


@pytest.fixture
def heard(monkeypatch):
    """What every lobby of readers of English is told, in order."""
    said = []

    def announce(topic, message):
        if read_english(topic):
            said.append(message)

    monkeypatch.setattr(hub, "announce", announce)
    return said


def kalah(host, first="host", **options):
    return set_table(host, "kalah", replace(CIRCLE, **options), 2, first)


def code(function, *arguments):
    with pytest.raises(TableError) as caught:
        function(*arguments)
    assert caught.value.sentence
    return caught.value.code


def nothing_stored():
    return not (Table.objects.exists() or Chair.objects.exists() or Match.objects.exists())


class TestSettingATable:
    def test_the_host_sits_on_the_first_chair(self, ulno):
        table = kalah(ulno)
        assert [(chair.number, chair.user) for chair in table.chairs.all()] == [(0, ulno)]

    def test_the_options_are_kept(self, ulno):
        table = Table.objects.get(pk=kalah(ulno, seeds=5).pk)
        assert GAMES["kalah"].rules.Options(**table.options) == replace(CIRCLE, seeds=5)

    def test_an_unknown_game_is_refused(self, ulno):
        assert code(set_table, ulno, "chess", CIRCLE, 2, "host") == "unknown-game"

    def test_options_outside_their_choices_are_refused(self, ulno):
        assert code(set_table, ulno, "kalah", replace(CIRCLE, seeds=7), 2, "host") == "bad-option"
        assert nothing_stored()

    def test_a_refused_option_is_named(self, ulno):
        with pytest.raises(TableError) as caught:
            kalah(ulno, seeds=7)
        assert caught.value.option == "seeds"  # type: ignore[attr-defined]

    def test_a_number_of_seats_the_game_does_not_have_is_refused(self, ulno):
        assert code(set_table, ulno, "kalah", CIRCLE, 3, "host") == "bad-seats"

    def test_a_first_mover_nobody_knows_is_refused(self, ulno):
        assert code(set_table, ulno, "kalah", CIRCLE, 2, "me") == "bad-first"

    def test_a_host_has_so_many_tables_waiting_and_no_more(self, ulno, settings):
        settings.TABLES_PER_HOST = 2
        kalah(ulno)
        kalah(ulno)
        assert code(kalah, ulno) == "too-many-tables"
        assert Table.objects.count() == 2

    def test_a_table_whose_match_began_does_not_count(self, ulno, artjom, settings):
        settings.TABLES_PER_HOST = 1
        sit_down(artjom, kalah(ulno).pk)
        kalah(ulno)

    def test_table_limit_counted_by_host(self, ulno, artjom, settings):
        settings.TABLES_PER_HOST = 1
        kalah(ulno)
        kalah(artjom)


class TestSittingDown:
    def test_the_last_chair_begins_the_match(self, ulno, artjom):
        table = sit_down(artjom, kalah(ulno).pk)
        assert table.match == Match.objects.get()

    def test_chairs_become_seats(self, ulno, artjom):
        match = sit_down(artjom, kalah(ulno).pk).match
        assert [seating.user for seating in match.seatings.all()] == [ulno, artjom]

    def test_the_match_has_the_tables_options(self, ulno, artjom):
        match = sit_down(artjom, kalah(ulno, seeds=5).pk).match
        assert '"seeds":5' in match.options

    @pytest.mark.parametrize(("first", "seat"), [("host", 0), ("other", 1)])
    def test_sit_down_first_move_as_chosen(self, ulno, artjom, first, seat):
        match = sit_down(artjom, kalah(ulno, first).pk).match
        assert f'"turn":{seat}' in match.start

    @pytest.mark.parametrize("seat", [0, 1])
    def test_the_lot_is_drawn_when_the_match_begins(self, ulno, artjom, monkeypatch, seat):
        monkeypatch.setattr(secrets, "randbelow", lambda seats: seat)
        match = sit_down(artjom, kalah(ulno, "lot").pk).match
        assert f'"turn":{seat}' in match.start

    def test_a_table_for_three_waits_for_the_third(self, ulno, artjom, third):
        table = set_table(ulno, "cantstop", CANTSTOP, 3, "other")
        assert sit_down(artjom, table.pk).match is None
        assert sit_down(third, table.pk).match is not None

    def test_a_chair_that_became_free_is_taken_first(self, ulno, artjom, third):
        table = set_table(ulno, "cantstop", CANTSTOP, 4, "host")
        sit_down(artjom, table.pk)
        sit_down(third, table.pk)
        stand_up(artjom, table.pk)
        sit_down(artjom, table.pk)
        assert Chair.objects.get(user=artjom).number == 1

    def test_sit_down_twice_refused(self, ulno):
        table = kalah(ulno)
        assert code(sit_down, ulno, table.pk) == "seated"

    def test_the_database_keeps_two_people_off_one_chair(self, ulno, artjom):
        table = kalah(ulno)
        with pytest.raises(IntegrityError):
            Chair.objects.create(table=table, number=0, user=artjom)

    def test_the_database_keeps_one_person_off_two_chairs(self, ulno):
        table = kalah(ulno)
        with pytest.raises(IntegrityError):
            Chair.objects.create(table=table, number=1, user=ulno)

    def test_a_full_table_is_full(self, ulno, artjom, third):
        table = kalah(ulno)
        sit_down(artjom, table.pk)
        assert code(sit_down, third, table.pk) == "full"

    def test_a_table_that_is_gone_is_gone(self, ulno):
        assert code(sit_down, ulno, "nowhere") == "gone"

    def test_sit_down_failing_begin_changes_nothing(self, ulno, artjom, monkeypatch):
        table = kalah(ulno)

        def create(*arguments, **named):
            Match.objects.create(game="kalah", options="{}", start="{}")
            raise BadOptions("bad-option", "No.")

        monkeypatch.setattr(begin, "create", create)
        assert code(sit_down, artjom, table.pk) == "bad-option"
        assert [chair.user for chair in table.chairs.all()] == [ulno]
        assert not Match.objects.exists()


class TestStartingEarly:
    def test_the_host_starts_with_those_who_are_there(self, ulno, artjom):
        table = set_table(ulno, "cantstop", CANTSTOP, 4, "host")
        sit_down(artjom, table.pk)
        match = start(ulno, table.pk).match
        assert list(match.seatings.values_list("user", flat=True)) == [ulno.pk, artjom.pk]

    def test_a_chair_left_free_between_two_is_no_seat(self, ulno, artjom, third):
        table = set_table(ulno, "cantstop", CANTSTOP, 4, "host")
        sit_down(artjom, table.pk)
        sit_down(third, table.pk)
        stand_up(artjom, table.pk)
        match = start(ulno, table.pk).match
        assert list(match.seatings.values_list("seat", "user")) == [(0, ulno.pk), (1, third.pk)]

    def test_one_alone_is_too_few(self, ulno):
        table = set_table(ulno, "cantstop", CANTSTOP, 4, "host")
        assert code(start, ulno, table.pk) == "too-few"
        assert not Match.objects.exists()

    def test_only_the_host_starts(self, ulno, artjom):
        table = set_table(ulno, "cantstop", CANTSTOP, 4, "host")
        sit_down(artjom, table.pk)
        assert code(start, artjom, table.pk) == "not-host"

    def test_sit_down_after_start_refused(self, ulno, artjom, third):
        table = set_table(ulno, "cantstop", CANTSTOP, 3, "host")
        sit_down(artjom, table.pk)
        match = start(ulno, table.pk).match
        assert code(sit_down, third, table.pk) == "full"
        assert Match.objects.get() == match

    def test_a_match_that_began_is_not_started_again(self, ulno, artjom):
        table = kalah(ulno)
        sit_down(artjom, table.pk)
        assert code(start, ulno, table.pk) == "begun"


class TestStandingUp:
    def test_a_guest_of_the_table_frees_the_chair(self, ulno, artjom):
        table = set_table(ulno, "cantstop", CANTSTOP, 3, "host")
        sit_down(artjom, table.pk)
        stand_up(artjom, table.pk)
        assert [chair.user for chair in table.chairs.all()] == [ulno]

    def test_stand_up_of_host_deletes_table(self, ulno, artjom):
        table = set_table(ulno, "cantstop", CANTSTOP, 3, "host")
        sit_down(artjom, table.pk)
        stand_up(ulno, table.pk)
        assert nothing_stored()

    def test_stand_up_without_chair_refused(self, ulno, artjom):
        assert code(stand_up, artjom, kalah(ulno).pk) == "not-seated"

    @pytest.mark.parametrize("who", ["ulno", "artjom"])
    def test_stand_up_after_begin_refused(self, ulno, artjom, who):
        table = kalah(ulno)
        sit_down(artjom, table.pk)
        assert code(stand_up, User.objects.get(username__iexact=who), table.pk) == "begun"
        assert Seating.objects.count() == 2

    def test_a_table_that_is_gone_is_gone(self, ulno):
        assert code(stand_up, ulno, "nowhere") == "gone"


@pytest.mark.django_db(transaction=True)
class TestWhatTheLobbyHears:
    def test_a_new_table(self, ulno, heard):
        table = kalah(ulno)
        assert [(said["type"], said["table"]["id"]) for said in heard] == [("table", table.pk)]

    def test_a_table_says_all_there_is_to_see(self, ulno, heard):
        table = kalah(ulno)
        assert heard[0]["table"] == {
            "id": table.pk,
            "game": "kalah",
            "title": "Kalah",
            "preset": "Circle",
            "options_in_words": heard[0]["table"]["options_in_words"],
            "host": "Ulno",
            "seats": 2,
            "taken": ["Ulno"],
            "levels": [None],
            "match": None,
            "listed": True,
            "invited": None,
            "terms_in_words": ["Casual", "No clock"],
            "rated": False,
            "pool": "kalah circle two",
            "lowest_rating": None,
            "highest_rating": None,
        }
        assert "Seeds: 3" in heard[0]["table"]["options_in_words"]

    def test_rules_that_are_no_preset_are_called_own(self, ulno, heard):
        kalah(ulno, pits=4)
        assert heard[0]["table"]["preset"] == "Custom"

    def test_the_last_chair_brings_the_match(self, ulno, artjom, heard):
        table = sit_down(artjom, kalah(ulno).pk)
        assert [said["type"] for said in heard] == ["table", "table", "match"]
        assert heard[1]["table"]["match"] == table.match_id
        assert heard[2]["match"] == {
            "id": table.match_id,
            "game": "kalah",
            "title": "Kalah",
            "players": ["Ulno", "Artjom"],
            "levels": [None, None],
            "holder": None,
            "table": table.pk,
            "watchers": 0,
            "watchable": True,
            "delay": 0,
        }

    def test_a_cancelled_table(self, ulno, heard):
        table = kalah(ulno)
        stand_up(ulno, table.pk)
        assert heard[1] == {"type": "table-gone", "id": table.pk, "begun": False, "number": 2}

    def test_the_end_of_a_match(self, ulno, artjom, heard):
        table = sit_down(artjom, kalah(ulno).pk)

        async def end():
            await signals.match_over.together(table.match_id, table.match.terms)
            await eventually(lambda: heard[-1]["type"] == "match-over")

        async_to_sync(end)()
        assert heard[-1] == {"type": "match-over", "id": table.match_id, "number": 4}

    def test_a_rematch(self, ulno, artjom, heard):
        first = sit_down(artjom, kalah(ulno).pk).match
        begin.create("kalah", CIRCLE, [artjom, ulno], 0, rematch_of=first)
        assert heard[-1]["type"] == "match"
        assert heard[-1]["match"]["players"] == ["Artjom", "Ulno"]
        assert heard[-1]["match"]["table"] is None

    def test_changes_are_numbered_without_a_hole(self, ulno, artjom, heard):
        kalah(artjom)
        sit_down(artjom, kalah(ulno).pk)
        assert [said["number"] for said in heard] == [1, 2, 3, 4]

    def test_lobby_hears_nothing_of_refused_actions(self, ulno, artjom, third, heard):
        table = kalah(ulno)
        sit_down(artjom, table.pk)
        before = list(heard)
        code(sit_down, third, table.pk)
        assert heard == before
        assert lobby_feed.number() == 3

    def test_lobby_hears_nothing_before_commit(self, ulno, artjom, heard, monkeypatch):
        table = kalah(ulno)

        def create(*arguments, **named):
            raise RuntimeError

        monkeypatch.setattr(begin, "create", create)
        with pytest.raises(RuntimeError):
            sit_down(artjom, table.pk)
        assert [said["type"] for said in heard] == ["table"]


@pytest.mark.django_db
class TestTheWholeList:
    def test_a_table_from_before_an_option_existed_has_its_default(self, ulno):
        table = kalah(ulno)
        del table.options["pie"]
        table.save()
        assert lobby_feed.everything(None)["tables"][0]["preset"] == "Circle"

    def test_list_has_open_tables_and_matches_in_play(self, ulno, artjom):
        begun = sit_down(artjom, kalah(ulno).pk)
        waiting = kalah(ulno)
        everything = lobby_feed.everything(None)
        assert [table["id"] for table in everything["tables"]] == [waiting.pk]
        assert [match["id"] for match in everything["matches"]] == [begun.match_id]

    def test_list_has_number_of_last_change(self, ulno):
        kalah(ulno)
        assert lobby_feed.everything(None)["number"] == 1

    def test_list_excludes_finished_matches(self, ulno, artjom):
        match = sit_down(artjom, kalah(ulno).pk).match
        Match.objects.filter(pk=match.pk).update(status=Match.Status.FINISHED)
        assert lobby_feed.everything(None)["matches"] == []

    def test_the_newest_comes_first(self, ulno, artjom):
        older, newer = kalah(ulno), kalah(artjom)
        assert [table["id"] for table in lobby_feed.everything(None)["tables"]] == [newer.pk, older.pk]

    def test_list_has_own_tables_beyond_limit(self, ulno, artjom, monkeypatch):
        monkeypatch.setattr(lobby_feed, "MAX_LISTED", 1)
        mine = kalah(ulno)
        kalah(artjom)
        assert mine.pk in [table["id"] for table in lobby_feed.everything(ulno.pk)["tables"]]
        assert mine.pk not in [table["id"] for table in lobby_feed.everything(None)["tables"]]

    def test_reading_it_takes_as_many_queries_for_many_tables_as_for_one(
        self, ulno, artjom, settings, monkeypatch, django_assert_num_queries
    ):
        settings.TABLES_PER_HOST = 100
        # Looked up once a second for everybody.
        monkeypatch.setattr(watched_matches, "FRESH_SECONDS", 3600.0)
        monkeypatch.setattr(watched_matches, "front", watched_matches.FeaturedBroadcaster())
        watched_matches.featured()

        def set_two():
            kalah(ulno)
            sit_down(artjom, kalah(ulno).pk)

        set_two()
        with CaptureQueriesContext(connection) as for_one:
            lobby_feed.everything(None)
        for _ in range(10):
            set_two()
        with django_assert_num_queries(len(for_one)):
            lobby_feed.everything(None)


@pytest.mark.django_db(transaction=True)
class TestAtOnce:
    def at_once(self, *calls):
        """What each call returns, or the code with which it is refused, when all run together."""

        def run(call):
            try:
                return call()
            except TableError as error:
                return error.code
            finally:
                connection.close()

        with ThreadPoolExecutor(len(calls)) as pool:
            return list(pool.map(run, calls))

    def test_last_chair_taken_once_concurrently(self, ulno):
        table = kalah(ulno)
        people = [User.objects.create_user(f"Person-{n}") for n in range(8)]
        results = self.at_once(*[lambda user=user: sit_down(user, table.pk).match_id for user in people])
        assert results.count("full") == 7
        assert Match.objects.count() == 1
        assert Chair.objects.count() == 2

    def test_one_person_who_presses_many_times_sits_once(self, ulno, artjom):
        table = set_table(ulno, "cantstop", CANTSTOP, 4, "host")
        results = self.at_once(*[lambda: sit_down(artjom, table.pk).pk for _ in range(6)])
        assert results.count("seated") == 5
        assert table.chairs.count() == 2

    def test_a_host_in_a_hurry_has_no_more_tables_than_allowed(self, ulno, settings):
        settings.TABLES_PER_HOST = 3
        results = self.at_once(*[lambda: kalah(ulno).pk for _ in range(8)])
        assert results.count("too-many-tables") == 5
        assert Table.objects.count() == 3

    def test_a_table_is_cancelled_or_becomes_a_match_but_never_both(self, ulno, artjom):
        table = kalah(ulno)
        left, sat = self.at_once(
            lambda: stand_up(ulno, table.pk), lambda: bool(sit_down(artjom, table.pk).match_id)
        )
        assert (left, sat) in [(None, "gone"), ("begun", True)]
        assert Match.objects.count() == (1 if sat is True else 0)

    def test_changes_at_once_have_different_numbers(self, heard):
        people = [User.objects.create_user(f"Person-{n}") for n in range(6)]
        self.at_once(*[lambda user=user: kalah(user).pk for user in people])
        assert sorted(said["number"] for said in heard) == [1, 2, 3, 4, 5, 6]


class TestComputersAtATable:
    @pytest.fixture
    def four(self, ulno):
        return set_table(ulno, "cantstop", CANTSTOP, 4, "host")

    def test_the_host_seats_one_on_the_first_free_chair(self, ulno, four):
        add_computer(ulno, four.pk, 2)
        assert [chair.user.username for chair in four.chairs.all()] == ["Ulno", "Marmot"]

    def test_the_last_chair_begins_the_match(self, ulno, artjom, four):
        sit_down(artjom, four.pk)
        add_computer(ulno, four.pk, 2)
        match = add_computer(ulno, four.pk, 2).match
        seated = [(s.user.username, s.level) for s in match.seatings.all()]
        assert seated == [("Ulno", None), ("Artjom", None), ("Marmot", 2), ("Chamois", 2)]

    def test_one_press_fills_all_free_chairs(self, ulno, artjom, four):
        sit_down(artjom, four.pk)
        match = add_computer(ulno, four.pk, 1, fill=True).match
        seated = [(s.user.username, s.level) for s in match.seatings.all()]
        assert seated == [("Ulno", None), ("Artjom", None), ("Icarus", 1), ("Phaethon", 1)]

    def test_computer_at_table_leaves_last_chair_to_person(self, ulno, artjom):
        table = set_table(ulno, "cantstop", CANTSTOP, 3, "host")
        add_computer(ulno, table.pk, 4)
        match = sit_down(artjom, table.pk).match
        assert [s.level for s in match.seatings.all()] == [None, 4, None]

    def test_the_host_starts_with_one(self, ulno, four):
        add_computer(ulno, four.pk, 1)
        assert [s.level for s in start(ulno, four.pk).match.seatings.all()] == [None, 1]

    def test_the_host_takes_it_away(self, ulno, four):
        add_computer(ulno, four.pk, 1)
        remove_computer(ulno, four.pk, "Icarus")
        remove_computer(ulno, four.pk, "Icarus")
        assert [chair.user for chair in four.chairs.all()] == [ulno]

    def test_remove_computer_keeps_people(self, ulno, artjom, four):
        sit_down(artjom, four.pk)
        remove_computer(ulno, four.pk, "Artjom")
        assert four.chairs.count() == 2

    def test_computer_added_or_removed_by_other_refused(self, ulno, artjom, four):
        sit_down(artjom, four.pk)
        add_computer(ulno, four.pk, 1)
        assert code(add_computer, artjom, four.pk, 1) == "not-host"
        assert code(remove_computer, artjom, four.pk, "Icarus") == "not-host"

    def test_a_rated_table_gets_none(self, ulno):
        table = set_table(ulno, "kalah", CIRCLE, 2, "lot", TableTerms(rated=True))
        assert code(add_computer, ulno, table.pk, 1) == "computers-casual"

    def test_computer_at_table_for_one_person_refused(self, ulno, artjom):
        table = set_table(ulno, "kalah", CIRCLE, 2, "host", invited=artjom)
        assert code(add_computer, ulno, table.pk, 1) == "for-one-person"

    def test_computer_of_unknown_level_refused(self, ulno, four):
        assert code(add_computer, ulno, four.pk, 5) == "bad-level"
        assert code(add_computer, ulno, four.pk, 0) == "bad-level"

    def test_computer_after_begin_refused(self, ulno, artjom):
        table = sit_down(artjom, kalah(ulno).pk)
        assert code(add_computer, ulno, table.pk, 1) == "begun"
        assert code(remove_computer, ulno, table.pk, "Sprout") == "begun"

    @pytest.mark.django_db(transaction=True)
    def test_computer_chairs_told_to_lobby(self, ulno, four, heard):
        add_computer(ulno, four.pk, 3)
        remove_computer(ulno, four.pk, "Ibex")
        told = [(said["table"]["taken"], said["table"]["levels"]) for said in heard]
        assert told == [(["Ulno", "Ibex"], [None, 3]), (["Ulno"], [None])]

    def test_the_page_of_the_host_can_do_both(self, ulno, artjom, four):
        host, other = Client(), Client()
        host.force_login(ulno)
        other.force_login(artjom)
        host.post(f"/t/{four.pk}/computer", {"level": "3"})
        assert 'aria-label="Remove Ibex"' in host.get(f"/t/{four.pk}").text
        text = other.get(f"/t/{four.pk}").text
        assert "computer, level 3" in text
        assert "Remove Ibex" not in text
        assert "Add a computer" not in text
        host.post(f"/t/{four.pk}/computer/remove", {"name": "Ibex"})
        assert four.chairs.count() == 1

    @pytest.mark.parametrize("level", ["", "five", "99"])
    def test_nonsense_is_refused_in_words(self, ulno, four, level):
        host = Client()
        host.force_login(ulno)
        answer = host.post(f"/t/{four.pk}/computer", {"level": level}, follow=True)
        assert "The computer has no such level" in answer.text
