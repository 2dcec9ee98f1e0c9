"""Computer players are accounts that nobody signs in to and that stand in no list of people."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.contrib.auth import authenticate
from django.core.exceptions import ValidationError
from django.db import connection
from django.test import Client
from django.utils import timezone

from games.bots.base import ONLY_LEVEL
from games.domain.match_actions import ABANDONED
from games.domain.terms import Terms
from games.models import Match
from games.net.limits import Buckets
from games.play import begin
from games.registry import GAMES
from games.rules.base import Leave
from lobby.accounts import guests
from lobby.feed import lobby_feed, saved_matches
from lobby.moderation import moderation
from lobby.pairing import offer
from lobby.people.models import User
from lobby.people.names import ANIMALS, not_reserved
from lobby.people.relationships import RelationshipError, named
from lobby.people.views import search
from lobby.profiles import profiles
from lobby.profiles.summaries import known_results, summed_up
from lobby.ratings import leaderboards
from lobby.ratings.farming import ENOUGH_OPPONENTS, SETTLED_IN
from lobby.ratings.models import Pool, Rating, Result
from lobby.ratings.results import settle
from lobby.tables import challenges, computers, solo, table_template, tables
from lobby.tables.computers import seat, seat_all
from lobby.tables.models import Table
from lobby.tables.refusals import TableError
from lobby.tables.table_template import Plan
from lobby.tables.terms import OPEN, TableTerms
from tests.helpers import finished

pytestmark = pytest.mark.django_db

KALAH = GAMES["kalah"]
CIRCLE = KALAH.rules.PRESETS["circle"]
STOP = GAMES["cantstop"]
LEVELS = [
    pytest.param(game, level, id=f"{game.slug}-{level.name}")
    for game in GAMES.values()
    for level in game.levels
]
FORM = {"preset": "circle", "seats": "2", "first": "host", "level": "3"}


@pytest.fixture(autouse=True)
def no_limit(monkeypatch):
    monkeypatch.setattr(guests, "guests", Buckets(rate=0, burst=0))
    monkeypatch.setattr(computers, "seatings", Buckets(rate=0, burst=0))


def code(function, *arguments):
    with pytest.raises((TableError, RelationshipError, moderation.ModerationError)) as caught:
        function(*arguments)
    assert caught.value.sentence
    return caught.value.code


def plan(game=KALAH, options=CIRCLE, seats=2, first="host", terms=OPEN, levels=(3,)):
    return Plan(game.slug, options, seats, first, terms, tuple(levels))


def signed_in(user):
    client = Client()
    client.force_login(user)
    return client


class TestAccounts:
    @pytest.mark.parametrize(("game", "level"), LEVELS)
    def test_a_level_plays_under_its_own_name(self, game, level):
        computer = seat(game, game.levels.index(level) + 1)
        assert (computer.username, computer.computer, computer.is_bot) == (level.name, level.name, True)
        assert not computer.is_guest

    def test_account_created_once(self):
        assert seat(KALAH, 1) == seat(KALAH, 1)

    @pytest.mark.parametrize("game", [game for game in GAMES.values() if game.levels != ONLY_LEVEL])
    def test_all_at_a_table_have_names_of_their_own(self, game):
        for number, level in enumerate(game.levels, 1):
            computers_at_it = seat_all(game, [number] * (game.rules.SEATS[-1] - 1))
            names = [computer.username for computer in computers_at_it]
            assert names == [level.name, *level.others]

    def test_a_person_who_has_the_name_keeps_it(self):
        User.objects.create_user("sprout")
        assert [computer.username for computer in seat_all(KALAH, [1, 1])] == ["Sprout-2", "Sprout-3"]

    @pytest.mark.parametrize("level", [0, 9, -1])
    def test_account_of_unknown_level_refused(self, level):
        assert code(seat, KALAH, level) == "bad-level"
        assert not User.objects.exists()

    def test_one_account_plays_every_game_that_has_its_level(self):
        robot = seat(GAMES["aces"], 1)
        assert [(skill.game.slug, skill.level) for skill in computers.skills(robot)] == [("aces", 1)]
        assert computers.level_at(KALAH, robot) is None

    def test_people_play_on_no_level(self, ulno):
        assert computers.level_at(KALAH, ulno) is None
        assert computers.skills(ulno) == []

    @pytest.mark.django_db(transaction=True)
    def test_account_created_once_concurrently(self):
        def make(_):
            try:
                return seat(KALAH, 2).pk
            finally:
                connection.close()

        with ThreadPoolExecutor(2) as threads:
            assert len(set(threads.map(make, range(2)))) == 1


class TestNobodySignsIn:
    def test_account_has_no_password(self):
        assert not seat(KALAH, 1).has_usable_password()

    def test_account_login_with_password_refused(self, rf):
        computer = seat(KALAH, 1)
        computer.set_password("a quiet evening")
        computer.save()
        assert authenticate(rf.get("/"), username="Sprout", password="a quiet evening") is None
        assert authenticate(rf.get("/"), login="Sprout", password="a quiet evening") is None

    @pytest.mark.parametrize("name", ["Sprout", "sPROUT", "sprout-2", "Robot-17", "Diamond", "Jackdaw"])
    def test_account_name_reserved(self, name):
        with pytest.raises(ValidationError):
            not_reserved(name)

    def test_no_guest_is_named_after_one(self):
        for animal in ANIMALS.split():
            not_reserved(animal)

    @pytest.mark.parametrize("name", ["Sprouts", "Sprout-two", "Brave-Eagle", "Eagle-Eye", "Sprout-"])
    def test_names_that_are_like_it_are_free(self, name):
        not_reserved(name)


class TestAmongPeople:
    def test_account_not_in_search(self, ulno):
        seat(KALAH, 1)
        assert search(ulno, "Spr") == []

    def test_account_relationship_refused(self, ulno):
        seat(KALAH, 1)
        assert code(named, "Sprout", ulno.pk) == "computer"
        answer = signed_in(ulno).post("/people/Sprout/follow", headers={"Accept": "application/json"})
        assert (answer.status_code, answer.json()["code"]) == (400, "computer")

    def test_account_not_on_leaderboard(self, ulno):
        for user in (ulno, seat(KALAH, 8)):
            Rating.objects.create(
                user=user,
                game="kalah",
                family="circle",
                pool=Pool.TWO,
                rating=2000,
                deviation=50,
                volatility=0.06,
                updated="2100-01-01T00:00Z",
                opponents=ENOUGH_OPPONENTS,
            )
        User.objects.update(date_joined=timezone.now() - SETTLED_IN)
        board = leaderboards.Leaderboard(KALAH, "circle", Pool.TWO, ulno)
        assert [row.rating.user for row in board.top] == [ulno]

    def test_moderators_leave_it_alone(self, ulno):
        assert code(moderation.ban, ulno, seat(KALAH, 1), "wins too often") == "computer"
        assert code(moderation.rename, ulno, seat(KALAH, 1), "a silly name") == "computer"

    def test_account_challenge_redirects_to_computer_match(self, ulno):
        terms = TableTerms()
        assert code(challenges.challenge, ulno, seat(KALAH, 3), "kalah", CIRCLE, "lot", terms) == "computer"
        answer = signed_in(ulno).get("/challenge/Hazel")
        assert (answer.status_code, answer["Location"]) == (302, "/computer/kalah?level=3")

    def test_account_profile_describes_level(self, client):
        seat(KALAH, 3)
        text = client.get("/@/Hazel").text
        assert "computer player" in text
        assert f"Kalah, level 3: {KALAH.levels[2].sentence}" in text
        assert 'href="/computer/kalah?level=3"' in text
        assert "Follow" not in text

    def test_account_not_among_frequent_opponents(self, ulno, artjom):
        settle(finished.won([ulno, artjom], 0).pk)
        settle(finished.play(solo.play(ulno, plan()), Leave(0, "resigned")).pk)
        met = summed_up(known_results(ulno.pk, ulno.pk, timezone.now())).opponents
        assert [opponent.name for opponent in profiles.opponents(met)] == ["Artjom"]

    def test_the_list_of_matches_says_what_it_is(self, client, ulno):
        settle(finished.play(solo.play(ulno, plan()), "1", "1", Leave(1, "resigned")).pk)
        assert '<a href="/@/Hazel">Hazel</a> (computer)' in client.get("/@/Ulno").text

    def test_no_streak_is_made_against_it(self, ulno, artjom):
        settle(finished.won([ulno, artjom], 0).pk)
        settle(finished.play(solo.play(ulno, plan()), "1", "1", Leave(1, "resigned")).pk)
        known = known_results(ulno.pk, ulno.pk, timezone.now())
        assert [result.score for result in known.rows] == ["won", "won"]
        assert summed_up(known).streaks.longest == 1

    def test_account_always_present_in_saved_match(self, ulno):
        match = solo.play(ulno, plan())
        Match.objects.filter(pk=match.pk).update(status=Match.Status.SAVED)
        finished.play(match, "1")
        [fields] = saved_matches.fields_for(ulno.pk)
        [other] = fields["others"]
        assert other == {"name": "Hazel", "here": True, "words": "Hazel is a computer player"}


class TestPlayingAlone:
    def test_the_match_begins_at_once(self, ulno):
        match = solo.play(ulno, plan())
        assert [(s.user.username, s.level) for s in match.seatings.all()] == [("Ulno", None), ("Hazel", 3)]
        assert match.bot_due is None

    def test_the_computer_may_begin(self, ulno):
        assert solo.play(ulno, plan(first="other")).bot_due is not None

    def test_several_play_where_the_game_allows_it(self, ulno):
        match = solo.play(ulno, plan(STOP, STOP.rules.Options(), 3, levels=(2, 2)))
        assert [s.level for s in match.seatings.all()] == [None, 2, 2]

    def test_the_lobby_shows_whose_seat_is_a_computers(self, ulno):
        match = solo.play(ulno, plan())
        fields = lobby_feed.match_fields(lobby_feed.matches_in_play().get(pk=match.pk))
        assert (fields["players"], fields["levels"]) == (["Ulno", "Hazel"], [None, 3])

    @pytest.mark.parametrize(
        ("changes", "why"),
        [
            ({"terms": TableTerms(rated=True)}, "computers-casual"),
            ({"terms": TableTerms(clock="181+0")}, "bad-clock"),
            ({"levels": (9,)}, "bad-level"),
            ({"levels": ()}, "bad-seats"),
            ({"seats": 3, "levels": (1, 1)}, "bad-seats"),
            ({"first": "me"}, "bad-first"),
        ],
    )
    def test_solo_match_invalid_refused(self, ulno, changes, why):
        assert code(solo.play, ulno, plan(**changes)) == why
        assert not Match.objects.exists()

    def test_the_same_again_is_against_the_same_level(self, ulno):
        match = solo.play(ulno, plan())
        assert table_template.plan_like(match.pk, ulno.pk).levels == (3,)
        answer = signed_in(ulno).post(f"/m/{match.pk}/again")
        newest = Match.objects.exclude(pk=match.pk).get()
        assert answer["Location"] == f"/m/{newest.pk}"
        assert [s.level for s in newest.seatings.all()] == [None, 3]

    def test_the_same_again_at_a_table_seats_the_computers_too(self, ulno, artjom):
        table = tables.set_table(ulno, "cantstop", STOP.rules.Options(), 3, "host")
        tables.add_computer(ulno, table.pk, 4)
        match = tables.sit_down(artjom, table.pk).match
        answer = signed_in(artjom).post(f"/m/{match.pk}/again")
        assert lobby_feed.table_fields(lobby_feed.open_tables().get())["levels"] == [None, 4]
        assert answer["Location"].startswith("/t/")


class TestWhatBecomesOfIt:
    def test_match_with_computer_not_rated(self, ulno):
        computer = seat(KALAH, 3)
        match = begin.create("kalah", CIRCLE, [ulno, computer], 0, Terms(rated=True), levels={1: 3})
        settle(finished.play(match, "1", "1", Leave(1, "resigned")).pk)
        assert Result.objects.filter(match=match, rated=False).count() == 2
        assert not Rating.objects.exists()

    def test_leave_of_computers_only_is_no_miss(self, ulno):
        match = solo.play(ulno, plan())
        settle(finished.play(match, "1", Leave(0, ABANDONED)).pk)
        assert not Result.objects.filter(missed=True).exists()

    def test_leave_of_person_and_computer_is_miss(self, ulno, artjom):
        users = [ulno, artjom, *seat_all(STOP, [1])]
        match = begin.create("cantstop", STOP.rules.Options(), users, 0, levels={2: 1})
        leaves = [Leave(0, ABANDONED), Leave(1, "resigned")]
        settle(finished.play(match, *leaves).pk)
        assert Result.objects.get(missed=True).user == ulno


class TestTheForm:
    @pytest.mark.all_games
    def test_every_game_has_its_levels(self, client):
        for game in GAMES.values():
            text = client.get(f"/computer/{game.slug}").text
            assert all(f"Level {n}: {level.name}" in text for n, level in enumerate(game.levels, 1))

    def test_form_new_visitor_plays_with_one_press(self, client):
        form = client.get("/computer").context["form"]
        answer = client.post(f"/computer/{form.game.slug}", defaults(form))
        match = Match.objects.get()
        assert answer["Location"] == f"/m/{match.pk}"
        person, computer = match.seatings.select_related("user")
        assert person.user.is_guest
        assert computer.level == computers.middle(form.game)
        assert client.session["_auth_user_id"] == str(person.user_id)

    def test_form_shows_last_choice(self, client):
        client.post("/computer/cantstop", {**FORM, "preset": "strict", "seats": "3", "level": "4"})
        form = client.get("/computer").context["form"]
        assert form.game == STOP
        assert [form[name].value() for name in ("preset", "seats", "level")] == ["strict", 3, 4]
        assert client.get("/computer/kalah").context["form"]["level"].value() == "4"

    def test_one_press_begins_against_the_weakest_for_who_never_finished_a_match(self, client):
        assert client.get("/").context["at_once"]["opponent"] == (1, "host")
        answer = client.post("/computer/kalah/now")
        match = Match.objects.get()
        assert answer["Location"] == f"/m/{match.pk}"
        person, computer = match.seatings.select_related("user")
        assert (person.user.is_guest, computer.level) == (True, 1)
        assert json.loads(match.start)["turn"] == person.seat

    def test_one_press_begins_against_a_level_near_ones_own_for_others(self, ulno):
        settle(finished.play(solo.play(ulno, plan(levels=(4,))), "1", "1", Leave(1, "resigned")).pk)
        client = signed_in(ulno)
        assert client.get("/").context["at_once"]["opponent"].level == 5
        client.post("/computer/kalah/now")
        match = Match.objects.exclude(results__isnull=False).get()
        assert match.seatings.get(seat=1).level == offer.level_for(ulno.pk, KALAH) == 5

    def test_one_press_begins_what_was_chosen_last(self, client):
        client.post("/computer/cantstop", {**FORM, "preset": "strict", "seats": "3", "level": "4"})
        assert client.get("/").context["at_once"]["opponent"].level == 4
        client.post("/computer/cantstop/now")
        levels = [seating.level for seating in Match.objects.latest("created").seatings.order_by("seat")]
        assert levels == [None, 4, 4]

    def test_one_press_asks_for_a_game_that_is_played_here(self, client):
        assert client.post("/computer/chess/now").status_code == 404
        assert client.get("/computer/kalah/now").status_code == 405
        assert not User.objects.exists()

    def test_a_level_that_is_gone_is_forgotten(self, client):
        client.post("/computer/cantstop", {**FORM, "preset": "strict", "level": "4"})
        session = client.session
        session["computer"]["by_game"]["cantstop"]["level"] = 9
        session.save()
        assert client.get("/computer").context["form"]["level"].value() == "2"
        assert client.get("/").context["at_once"]["opponent"].level == 1

    def test_an_address_may_say_the_level(self, client):
        assert client.get("/computer/kalah?level=7").context["form"]["level"].value() == "7"
        assert client.get("/computer/kalah?level=x").context["form"]["level"].value() == "4"

    def test_another_level_begins_with_what_was_played(self, client, ulno):
        terms = TableTerms(clock="5+3")
        match = solo.play(ulno, plan(options=KALAH.rules.PRESETS["kalaha"], terms=terms, levels=(2,)))
        form = client.get(f"/computer/kalah?like={match.pk}").context["form"]
        assert [form[name].value() for name in ("preset", "level", "clock")] == ["kalaha", 2, "5+3"]

    def test_rated_is_refused_in_words(self, client):
        answer = client.post("/computer/kalah", {**FORM, "rated": "yes"})
        assert answer.status_code == 400
        assert "always casual" in answer.text
        assert not Match.objects.exists()

    def test_form_matches_limited_by_address(self, client, monkeypatch):
        monkeypatch.setattr(computers, "seatings", Buckets(rate=0.001, burst=1))
        assert client.post("/computer/kalah", FORM).status_code == 302
        assert client.post("/computer/kalah", FORM).status_code == 429

    def test_the_same_again_is_counted_as_well(self, client, monkeypatch):
        client.post("/computer/kalah", FORM)
        again = f"/m/{Match.objects.get().pk}/again"
        monkeypatch.setattr(computers, "seatings", Buckets(rate=0.001, burst=3))
        for _ in range(10):
            client.post(again)
        assert Match.objects.count() == 1 + 3

    def test_a_computer_at_ones_own_table_is_counted_as_well(self, client, ulno, monkeypatch):
        client.force_login(ulno)
        monkeypatch.setattr(computers, "seatings", Buckets(rate=0.001, burst=3))
        for _ in range(5):
            table = tables.set_table(ulno, "kalah", CIRCLE, 2, "host", OPEN)
            client.post(f"/t/{table.pk}/computer", {"level": "1"})
            Table.objects.filter(match=None).delete()
        assert Match.objects.count() == 3

    def test_a_person_is_counted_wherever_they_ask_from(self, ulno, monkeypatch):
        monkeypatch.setattr(computers, "seatings", Buckets(rate=0.001, burst=2))
        plan = Plan("kalah", CIRCLE, 2, "host", OPEN, (1,))
        assert [solo.play(ulno, plan) for _ in range(2)]
        assert code(solo.play, ulno, plan) == "too-many-computers"

    @pytest.mark.parametrize("path", ["/computer", "/computer/chess"])
    def test_a_form_for_no_game_is_not_found(self, client, path):
        assert client.post(path, FORM).status_code == 404

    def test_form_linked_from_rules(self, client):
        assert 'href="/computer/kalah"' in client.get("/rules/kalah").text


def defaults(form):
    """What a browser sends of a form that nobody has touched."""
    sent = {name: form[name].value() for name in form.fields}
    return {name: value for name, value in sent.items() if value is not None}
