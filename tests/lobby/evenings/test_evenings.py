"""What hosts and guests do: once per command, with typed refusals, through the pages."""

from __future__ import annotations

import re
import time
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation

from games.domain.match_actions import ABORTED, Act
from games.domain.refusals import Refused
from games.models import Heartbeat, Match, Seating
from games.net.hub import hub
from games.net.sessions import sessions
from games.play import begin
from games.registry import GAMES
from lobby.accounts import deletion, export, guests
from lobby.chat.models import ChatLine
from lobby.commands.models import Command
from lobby.evenings import codes, erasure, evenings
from lobby.evenings.models import Evening, EveningGuest
from lobby.evenings.plan import Chosen
from lobby.feed.watched_matches import matches_to_watch
from lobby.people.models import User
from lobby.tables.models import News
from lobby.tournaments import organising, tournaments, verification, visibility
from lobby.tournaments.models import Tournament
from tests.helpers import finished
from tests.helpers import tournaments as playing
from tests.helpers.tournaments import changes, command, look

pytestmark = pytest.mark.django_db
HOME = "203.0.113.7"
BACKEND = "lobby.auth.backends.PasswordBackend"


@pytest.fixture
def hana() -> User:
    return User.objects.create_user("Hana")


@pytest.fixture
def evening(hana: User) -> Evening:
    return evenings.open_evening(hana, "kalah", 90, command())


def come(evening: Evening, names: str) -> list[User]:
    people = [guests.named(name, HOME) for name in names.split()]
    for person in people:
        evenings.join(person, evening.code)
    return people


def log_in(guest: User) -> Client:
    """Log in a guest, as a page does who has made one of a visitor."""
    client, request = Client(), RequestFactory().post("/")
    request.user, request.session = AnonymousUser(), SessionStore()
    guests.remember(request, guest)
    request.session.save()
    client.cookies[settings.SESSION_COOKIE_NAME] = str(request.session.session_key)
    return client


class Page:
    """The socket of a user's page; notes with which errors it was closed."""

    session, credentials = None, ""

    def __init__(self, user_id: int) -> None:
        self.user_id = user_id
        self.errors: list[str] = []

    def sign_out(self, error: str = "signed-out") -> None:
        self.errors.append(error)


def refused(function: Any, *arguments: Any) -> str:
    with pytest.raises(Refused) as caught:
        function(*arguments)
    assert caught.value.words
    return caught.value.code


def started(evening: Evening) -> Tournament:
    tournament = evenings.start(evening.host, evening.code, command()).tournament
    assert tournament is not None
    return look(tournament)


def played_to_the_end(evening: Evening) -> Tournament:
    tournament = started(evening)
    while tournament.state != "finished":
        playing.play_round(tournament)
        tournament = look(tournament)
    return tournament


class TestOpening:
    def test_a_command_opens_one_evening(self, hana: User) -> None:
        once = command()
        first, second = (evenings.open_evening(hana, "aces", 60, once) for _ in range(2))
        assert first == second
        assert first.expires - first.created == timedelta(hours=12)

    def test_open_evening_invalid_plan_refused(self, hana: User, settings: Any) -> None:
        assert refused(evenings.open_evening, hana, "chess", 60, command()) == "bad-plan"
        assert refused(evenings.open_evening, hana, "aces", 5, command()) == "bad-minutes"
        settings.EVENINGS_PER_HOST = 0
        assert refused(evenings.open_evening, hana, "aces", 60, command()) == "too-many-evenings"
        settings.EVENINGS_PER_HOST = 1
        evenings.open_evening(hana, "aces", 60, command())
        assert refused(evenings.open_evening, hana, "aces", 60, command()) == "too-many-evenings"

    def test_a_code_expires_for_others_than_its_people(self, evening: Evening) -> None:
        (mia,) = come(evening, "Mia")
        stranger = User.objects.create_user("Stranger")
        assert evenings.find(evening.code.lower(), stranger, HOME) == evening
        Evening.objects.update(expires=timezone.now())
        assert refused(evenings.find, evening.code, stranger, HOME) == "unknown-evening"
        assert refused(evenings.join, stranger, evening.code) == "unknown-evening"
        for person in (mia, evening.host):
            assert evenings.find(evening.code, person, HOME) == evening

    def test_a_wrong_code_is_paid_for(self, evening: Evening, hana: User) -> None:
        ben = User.objects.create_user("Ben")
        for _ in range(100):
            assert refused(evenings.find, "XXXX", ben, HOME) == "unknown-evening"
        assert refused(evenings.find, evening.code, ben, HOME) == "too-many-tries"
        assert evenings.find(evening.code, hana, HOME) == evening

    def test_strangers_who_guess_keep_nobody_out(self, evening: Evening, hana: User) -> None:
        now = time.monotonic()
        # By far more than come back during the test.
        codes.tries_of_site.of(codes.SITE, now).spend(10_000, now)
        page = f"/evening/{evening.code}"
        # From elsewhere, right and wrong codes are answered alike.
        for each in (page, "/evening/BBBB"):
            assert Client(REMOTE_ADDR=HOME).get(each).status_code == 429
        scanned = Client(REMOTE_ADDR="203.0.113.9")
        path = codes.link(evening)
        assert 'name="token"' in scanned.get(path).content.decode()
        token = path.partition("token=")[2]
        wrong = scanned.post(f"{page}/join", {"name": "Admin", "token": token}, follow=True)
        assert "reserved" in wrong.content.decode()
        joined = scanned.post(f"{page}/join", {"name": "Mia", "token": token}, follow=True)
        assert "You are in" in joined.content.decode()
        assert Client(REMOTE_ADDR=HOME).get(path[:-1]).status_code == 429
        evenings.find(evening.code, hana, HOME)
        assert Client(REMOTE_ADDR=HOME).get(page).status_code == 200
        assert Client(REMOTE_ADDR=HOME).get("/evening/BBBB").status_code == 429


class TestPeople:
    def test_people_come_once(self, evening: Evening) -> None:
        (mia,) = come(evening, "Mia")
        evenings.join(mia, evening.code)
        assert [person.user for person in evenings.people(evening)] == [mia]

    def test_an_evening_is_full_at_its_limit(self, evening: Evening, settings: Any) -> None:
        settings.EVENING_PEOPLE = 1
        come(evening, "Mia")
        assert refused(evenings.join, User.objects.create_user("Ben"), evening.code) == "full"

    def test_the_host_adds_renames_and_removes(self, evening: Evening, hana: User) -> None:
        once = command()
        for _ in range(2):
            evenings.add(hana, evening.code, "Oma", HOME, once)
        (oma,) = evenings.people(evening)
        assert oma.at_host
        assert oma.present
        evenings.rename(hana, evening.code, oma.user.pk, "Opa")
        assert [each.user.username for each in evenings.people(evening)] == ["Opa"]
        evenings.remove(hana, evening.code, oma.user.pk, command())
        assert evenings.people(evening) == []
        assert refused(evenings.remove, hana, evening.code, oma.user.pk, command()) == "unknown-person"

    def test_join_after_removal_refused(self, evening: Evening, hana: User) -> None:
        (mia,) = come(evening, "Mia")
        evenings.remove(hana, evening.code, mia.pk, command())
        assert refused(evenings.join, mia, evening.code) == "removed"

    def test_an_account_keeps_its_name(self, evening: Evening, hana: User) -> None:
        ben = User.objects.create_user("Ben")
        evenings.join(ben, evening.code)
        assert refused(evenings.rename, hana, evening.code, ben.pk, "Benno") == "account"

    def test_only_the_host_acts(self, evening: Evening) -> None:
        (mia,) = come(evening, "Mia")
        for act, arguments in (
            (evenings.add, ("Oma", HOME, command())),
            (evenings.remove, (mia.pk, command())),
            (evenings.rename, (mia.pk, "Mimi")),
            (evenings.draw, (command(),)),
            (evenings.start, (command(),)),
            (evenings.change, ("kalah", 90, Chosen(), False)),
        ):
            assert refused(act, mia, evening.code, *arguments) == "not-host"


class TestPlan:
    def test_plan_follows_number_of_people_until_host_chooses(self, evening: Evening, hana: User) -> None:
        assert evenings.plan_of(evening, 12).rounds == 6
        changed = evenings.change(hana, evening.code, "kalah", 90, Chosen("knockout"), False)
        assert evenings.plan_of(changed, 12).format == "knockout"

    @pytest.mark.parametrize("chosen", [Chosen("tables"), Chosen(rounds=99), Chosen(clock="3d")], ids=repr)
    def test_a_plan_that_does_not_fit_is_refused(self, evening: Evening, hana: User, chosen: Chosen) -> None:
        assert refused(evenings.change, hana, evening.code, "kalah", 90, chosen, False) == "bad-plan"

    def test_the_first_round_is_played_as_shown(self, evening: Evening, hana: User) -> None:
        come(evening, "Ada Bob Cem Dan Eva Fay Gil")
        once = command()
        before = evenings.first_round(evening)
        evenings.draw(hana, evening.code, once)
        evening.refresh_from_db()
        shown = evenings.first_round(evening)
        assert shown != before or evening.lot
        evenings.draw(hana, evening.code, once)
        evening.refresh_from_db()
        assert evenings.first_round(evening) == shown
        tournament = started(evening)
        assert sorted(playing.seated(tournament, 1)) == sorted(shown)

    def test_plan_fixed_after_start(self, evening: Evening, hana: User) -> None:
        come(evening, "Ada Bob Cem")
        tournament = started(evening)
        assert evenings.start(hana, evening.code, command()).tournament == tournament
        assert refused(evenings.change, hana, evening.code, "kalah", 60, Chosen(), False) == "started"
        assert refused(evenings.draw, hana, evening.code, command()) == "started"
        assert refused(organising.change, hana, tournament.pk, changes(), command()) == "started"

    def test_evening_not_listed_among_tournaments(self, evening: Evening) -> None:
        come(evening, "Ada Bob Cem")
        started(evening)
        assert list(tournaments.listed(Tournament.State.RUNNING)) == []

    def test_start_with_one_player_refused(self, evening: Evening, hana: User) -> None:
        come(evening, "Ada")
        assert refused(evenings.start, hana, evening.code, command()) == "too-few-players"
        assert evenings.first_round(evening) == []
        host = Client()
        host.force_login(hana)
        page = host.get(f"/evening/{evening.code}").content.decode()
        assert "This tournament needs at least 3 players." in page

    @pytest.mark.parametrize("game", GAMES)
    def test_every_game_begins(self, hana: User, game: str) -> None:
        evening = evenings.open_evening(hana, game, 90, command())
        come(evening, "Ada Bob Cem Dan Eva Fay Gil")
        tournament = started(evening)
        assert sum(len(table) for table in playing.seated(tournament, 1)) == 7

    def test_an_arena_pairs_who_is_there_until_the_time_is_up(self, evening: Evening, hana: User) -> None:
        evenings.change(hana, evening.code, "kalah", 90, Chosen("arena"), False)
        ada, *_ = come(evening, "Ada Bob")
        evenings.add(hana, evening.code, "Oma", HOME, command())
        evening.refresh_from_db()
        assert evenings.first_round(evening) == []
        host, guest = Client(), Client()
        for client, person in ((host, hana), (guest, ada)):
            client.force_login(person, backend=BACKEND)
        page = f"/evening/{evening.code}"
        assert "Arena · 90 minutes · 5" in host.get(page).content.decode()
        tournament = started(evening)
        assert "As soon as somebody is free" in guest.get(page).content.decode()
        # Oma plays at the device of the host, who is there.
        look(tournament, [ada, hana])
        assert [sorted(table) for table in playing.seated(tournament, 1)] == [["Ada", "Oma"]]
        assert "Your match is in progress" in guest.get(page).content.decode()
        assert "The arena is in progress." in host.get(page).content.decode()
        (zoe,) = come(evening, "Zoe")
        playing.play_round(tournament)
        look(tournament, [ada, zoe])
        assert [sorted(table) for table in playing.seated(tournament, 2)] == [["Ada", "Zoe"]]
        playing.play_round(tournament)
        tournament = look(tournament, [ada, zoe], timedelta(minutes=90))
        assert tournament.state == Tournament.State.FINISHED
        assert host.get(f"/tournament/{tournament.pk}/certificates").status_code == 200

    def test_a_person_comes_late_to_two_evenings(self, evening: Evening, hana: User) -> None:
        other, zoe = evenings.open_evening(hana, "kalah", 90, command()), User.objects.create_user("Zoe")
        for number, each in enumerate((evening, other)):
            # So many that the format lets people in late.
            come(each, f"Ada{number} Bob{number} Cem{number} Dan{number} Eva{number} Fay{number} Gil{number}")
            started(each)
            evenings.join(zoe, each.code)
        assert zoe.entries.count() == 2

    def test_join_after_start_plays_from_next_round(self, evening: Evening, hana: User) -> None:
        come(evening, "Ada Bob Cem Dan Eva Fay Gil")
        tournament = started(evening)
        (zoe,) = come(evening, "Zoe")
        evenings.add(hana, evening.code, "Oma", HOME, command())
        playing.play_round(tournament)
        look(tournament)
        second = {name for table in playing.seated(tournament, 2) for name in table}
        assert {"Zoe", "Oma"} <= second
        assert zoe.entries.get().joined == 2


class TestWithoutDevice:
    def test_the_host_plays_for_them_and_without_a_clock(self, evening: Evening, hana: User) -> None:
        come(evening, "Ada Bob Cem")
        evenings.add(hana, evening.code, "Oma", HOME, command())
        tournament = started(evening)
        kept = Seating.objects.get(keeper=hana)
        assert kept.user is not None
        assert kept.user.username == "Oma"
        assert kept.match.clock == ""
        clocks = [match.clock for match in playing.matches_of(tournament)]
        assert sorted(clocks) == ["", tournament.clock]

    def test_chat_is_off_unless_the_host_wants_it(self, evening: Evening, hana: User) -> None:
        come(evening, "Ada Bob Cem")
        tournament = started(evening)
        assert [match.chat for match in playing.matches_of(tournament)] == [False]
        assert not tournament.chat


def rows() -> dict[str, int]:
    """How many rows every table has, but those of the site's one number and of its heartbeat."""
    models = [model for model in apps.get_models() if model not in (News, Heartbeat)]
    return {model._meta.db_table: model._default_manager.count() for model in models}


@pytest.mark.django_db(transaction=True)
class TestErasing:
    def test_a_guest_who_came_with_a_history_stays(self, hana: User) -> None:
        evening = evenings.open_evening(hana, "kalah", 90, command())
        mia = guests.named("Mia", HOME)
        log_in(mia)
        evenings.join(mia, evening.code)
        come(evening, "Ada Bob")
        match = begin.create("kalah", playing.CIRCLE, [mia, User.objects.create_user("Ben")])
        between = begin.create("kalah", playing.CIRCLE, [mia, hana])
        started(evening)
        assert refused(evenings.rename, hana, evening.code, mia.pk, "Mimi") == "account"
        async_to_sync(erasure.erase)(hana, evening.code)
        assert list(User.objects.filter(is_guest=True)) == [mia]
        assert set(Match.objects.all()) == {match, between}
        assert match.seatings.get(user=mia).get_name() == "Mia"
        assert Session.objects.get().get_decoded()["_auth_user_id"] == str(mia.pk)

    def test_guest_at_another_evening_is_erased_with_that_one(self, hana: User) -> None:
        first, second = (evenings.open_evening(hana, "kalah", 90, command()) for _ in range(2))
        (ada,) = come(first, "Ada")
        log_in(ada)
        ada.refresh_from_db()
        evenings.join(ada, second.code)
        async_to_sync(erasure.erase)(hana, first.code)
        assert [person.user for person in evenings.people(second)] == [ada]
        async_to_sync(erasure.erase)(hana, second.code)
        assert not User.objects.filter(is_guest=True).exists()

    def test_guests_are_told_that_the_evening_is_over(self, hana: User) -> None:
        evening, _tournament = self.played(hana)
        of_guests, of_host = [Page(each.user_id) for each in evening.people.all()], Page(hana.pk)
        for page in [*of_guests, of_host]:
            sessions.opened(page)

        async def erase() -> None:
            hub.begin()
            await erasure.erase(hana, evening.code)

        async_to_sync(erase)()
        # A socket heeds the first.
        assert [page.errors[0] for page in of_guests] == ["evening-over"] * 4
        assert of_host.errors == []

    def test_sessions_of_others_are_not_looked_at(self, hana: User) -> None:
        def queries() -> list[str]:
            evening, _tournament = self.played(hana)
            with CaptureQueriesContext(connection) as asked:
                erasure._erase(hana, evening.code)
            return [each["sql"] for each in asked if "session" in each["sql"]]

        few = queries()
        for number in range(3):
            Client().force_login(User.objects.create_user(f"User{number}"), backend=BACKEND)
        assert len(queries()) == len(few)
        assert not any('FROM "django_session"' in sql for sql in few)

    def test_many_guests_take_as_many_queries_as_few(self) -> None:
        def queries(count: int) -> int:
            people = [guests.new_guest().pk for _ in range(count)]
            with CaptureQueriesContext(connection) as asked:
                deletion.erase_guests(people)
            assert not User.objects.filter(pk__in=people).exists()
            return len(asked)

        assert queries(12) == queries(2)

    def played(self, hana: User) -> tuple[Evening, Tournament]:
        evening = evenings.open_evening(hana, "kalah", 90, command())
        people = come(evening, "Ada Bob Cem")
        evenings.add(hana, evening.code, "Oma", HOME, command())
        tournament = started(evening)
        playing.play_round(tournament)
        tournament = look(tournament)
        begin.create("kalah", playing.CIRCLE, people[:2])
        match = playing.matches_of(tournament)[0]
        ChatLine.objects.create(user=people[0], match=match, room="players", command="line-1", text="Hi")
        ChatLine.objects.create(user=people[0], command="line-2", text="Hello")
        return evening, tournament

    def test_no_trace_is_left_in_any_table(self, hana: User) -> None:
        before = rows()
        evening, tournament = self.played(hana)
        assert verification.breaches(tournament) == []
        for person in evenings.people(evening):
            log_in(person.user)
        assert Match.objects.count() == 5
        assert Session.objects.count() == 4
        async_to_sync(erasure.erase)(hana, evening.code)
        assert rows() == before
        assert User.objects.filter(pk=hana.pk).exists()

    def test_a_guest_who_hosts_is_erased_too(self) -> None:
        before = rows()
        evening, _tournament = self.played(guests.named("Hugo", HOME))
        async_to_sync(erasure.erase)(evening.host, evening.code)
        assert rows() == before

    def test_visitors_who_came_by_the_pages_leave_no_command(self) -> None:
        before = rows()
        host, pupil = Client(), Client()
        host.post("/evening/open", {"game": "kalah", "minutes": 90, "key": command()})
        evening = Evening.objects.get()
        pupil.post(f"/evening/{evening.code}/join", {"name": "Mia", "key": command()})
        assert evening.people.count() == 1
        asked = export.everything_about(evening.people.get().user)["commands"]
        assert {each["target"] for each in asked} == {evening.code, f"/evening/{evening.code}/join"}
        assert host.post(f"/evening/{evening.code}/erase").status_code == 302
        assert rows() == before

    def test_visitor_who_signed_up_since_leaves_no_command(self, hana: User) -> None:
        evening, pupil = evenings.open_evening(hana, "kalah", 90, command()), Client()
        pupil.post(f"/evening/{evening.code}/join", {"name": "Mia", "key": command()})
        User.objects.filter(username="Mia").update(is_guest=False)
        async_to_sync(erasure.erase)(hana, evening.code)
        assert User.objects.filter(username="Mia").exists()
        assert not Command.objects.exists()

    def test_accounts_stay_without_what_they_did(self, hana: User) -> None:
        evening = evenings.open_evening(hana, "kalah", 90, command())
        ben = User.objects.create_user("Ben")
        evenings.join(ben, evening.code)
        come(evening, "Ada Bob")
        started(evening)
        async_to_sync(erasure.erase)(hana, evening.code)
        assert not ben.seatings.exists()
        assert not Match.objects.exists()
        assert list(User.objects.order_by("pk")) == [hana, ben]

    def test_matches_with_others_stay_under_no_name(self, hana: User) -> None:
        evening = evenings.open_evening(hana, "kalah", 90, command())
        (ada,) = come(evening, "Ada")
        other = begin.create("kalah", playing.CIRCLE, [ada, User.objects.create_user("Ben")])
        async_to_sync(erasure.erase)(hana, evening.code)
        assert [seating.get_name() for seating in other.seatings.all()] == ["deleted", "Ben"]

    def test_a_guest_who_hosts_another_evening_stays(self, hana: User) -> None:
        evening = evenings.open_evening(hana, "kalah", 90, command())
        (ada,) = come(evening, "Ada")
        other = evenings.open_evening(ada, "kalah", 90, command())
        come(other, "Bob Cem Dan")
        started(other)
        async_to_sync(erasure.erase)(hana, evening.code)
        assert list(Evening.objects.all()) == [other]

    def test_only_the_host_erases(self, hana: User) -> None:
        evening = evenings.open_evening(hana, "kalah", 90, command())
        (ada,) = come(evening, "Ada")
        with pytest.raises(Refused, match="Only the host"):
            async_to_sync(erasure.erase)(ada, evening.code)
        assert EveningGuest.objects.count() == 1


class TestAccounts:
    def test_the_export_has_the_evenings(self, evening: Evening, hana: User) -> None:
        (mia,) = come(evening, "Mia")
        assert [each["code"] for each in export.everything_about(mia)["evenings"]] == [evening.code]
        assert [each["code"] for each in export.everything_about(hana)["evenings_hosted"]] == [evening.code]

    def test_a_deleted_account_leaves_no_evening(self, evening: Evening, hana: User) -> None:
        (mia,) = come(evening, "Mia")
        deletion.forget(mia.pk)
        assert not EveningGuest.objects.exists()
        deletion.forget(hana.pk)
        assert not Evening.objects.exists()

    def test_deleted_visitor_leaves_no_command(self, evening: Evening) -> None:
        Client().post(f"/evening/{evening.code}/join", {"name": "Mia", "key": command()})
        deletion.forget(evening.people.get().user.pk)
        assert Command.objects.get().user == evening.host

    def test_a_deleted_host_leaves_no_tournament_for_everybody_to_see(
        self, evening: Evening, hana: User
    ) -> None:
        come(evening, "Ada Bob Cem")
        started(evening)
        deletion.forget(hana.pk)
        assert not tournaments.listed(*Tournament.State).exists()

    def test_a_guest_who_hosted_and_did_not_play_is_purged(self) -> None:
        evening = evenings.open_evening(guests.named("Hugo", HOME), "kalah", 90, command())
        come(evening, "Ada Bob Cem")
        started(evening)
        User.objects.update(seen=timezone.now() - timedelta(days=60))
        done = deletion.purge_guests(timezone.now() - timedelta(days=30))
        assert done["forgotten"] >= 1
        assert not Evening.objects.exists()


class TestPages:
    def test_thirty_people_behind_one_address_come_in(self, evening: Evening) -> None:
        for number in range(30):
            client = Client(REMOTE_ADDR=HOME)
            for wrong in ("BBBB", "CCCC"):
                assert client.get(f"/evening/{wrong}").status_code == 404
            assert client.get(f"/evening?code={evening.code.lower()}", follow=True).status_code == 200
            joined = client.post(f"/evening/{evening.code}/join", {"name": f"Pupil{number}"}, follow=True)
            assert "You are in" in joined.content.decode()
        assert evening.people.count() == 30

    def test_a_visitor_hosts_as_a_guest(self) -> None:
        client = Client()
        answer = client.post("/evening/open", {"game": "kalah", "minutes": 90}, follow=True)
        assert re.search(r"/evening/[A-Z]{4}$", answer.redirect_chain[-1][0])
        assert "Let people in" in answer.content.decode()
        assert Evening.objects.get().host.is_guest

    def test_an_evening_has_the_title_that_its_host_gives(self, hana: User) -> None:
        client = Client()
        client.force_login(hana, backend=BACKEND)
        asked = {"game": "kalah", "minutes": 90, "title": " Class  5b "}
        page = client.post("/evening/open", asked, follow=True).content.decode()
        evening = Evening.objects.get()
        assert "<h1>Class 5b</h1>" in page
        assert evening.code in page
        come(evening, "Ada Bob Cem")
        evenings.start(hana, evening.code, command())
        assert Tournament.objects.get().title == "Class 5b"
        refused = client.post("/evening/open", {**asked, "title": "Parlour Admin"})
        assert refused.status_code == 400
        assert Evening.objects.count() == 1

    def test_without_a_title_each_reader_sees_one_in_their_language(
        self, evening: Evening, hana: User
    ) -> None:
        come(evening, "Ada Bob Cem")
        with translation.override("ru"):
            tournament = started(evening)
        assert tournament.title == ""
        client = Client()
        client.force_login(hana, backend=BACKEND)
        for language, title in (("en", "An evening together"), ("et", "Mänguõhtu")):
            page = client.get(f"/tournament/{tournament.pk}", headers={"accept-language": language})
            assert f"<h1>{title}" in page.text

    def test_a_visitor_who_hosts_may_have_a_name(self) -> None:
        host, asked = Client(), {"game": "kalah", "minutes": 90}
        taken = host.post("/evening/open", {**asked, "name": "Admin"})
        assert taken.status_code == 400
        host.post("/evening/open", {**asked, "name": "Ms Tamm"})
        evening = Evening.objects.get()
        assert "Host: Ms Tamm" in Client().get(codes.link(evening)).content.decode()
        assert 'name="name"' not in host.get("/evening").content.decode()
        come(evening, "Ada Bob Cem")
        tournament = played_to_the_end(evening)
        assert "Ms Tamm" in host.get(f"/tournament/{tournament.pk}/certificates").content.decode()

    def test_a_first_name_is_enough(self, evening: Evening, hana: User) -> None:
        for name in ("Hana", "Jo", "Ann B"):
            page = Client().post(f"/evening/{evening.code}/join", {"name": name}, follow=True)
            assert f"You are in, {name}." in page.content.decode()
        assert [each.user.get_short_name() for each in evenings.people(evening)] == ["Hana", "Jo", "Ann B"]
        assert refused(evenings.add, hana, evening.code, "jo", HOME, command()) == "name-taken"
        page = Client().post(f"/evening/{evening.code}/join", {"name": "Ann B"}, follow=True)
        assert "already has this name" in page.content.decode()
        # It is there to be corrected.
        assert 'value="Ann B"' in page.content.decode()
        assert User.objects.filter(is_guest=True).count() == 3
        # Another evening has its own.
        other = evenings.open_evening(hana, "kalah", 90, command())
        evenings.add(hana, other.code, "Jo", HOME, command())
        evenings.rename(hana, other.code, evenings.people(other)[0].user.pk, "Jo K.", command())
        assert [each.user.get_short_name() for each in evenings.people(other)] == ["Jo K."]

    def test_names_are_as_typed_wherever_the_evening_is_shown(self, evening: Evening, hana: User) -> None:
        User.objects.create_user("Ann-B")
        pupils = [Client() for _ in range(2)]
        for pupil, name in zip(pupils, ("Ann B", "Jo"), strict=True):
            pupil.post(f"/evening/{evening.code}/join", {"name": name, "key": command()})
        evenings.add(hana, evening.code, "Oma", HOME, command())
        tournament = played_to_the_end(evening)
        ann = User.objects.get(first_name="Ann B")
        host = Client()
        host.force_login(hana, backend=BACKEND)
        (match,) = Match.objects.filter(seatings__user=ann)[:1]
        page = f"/tournament/{tournament.pk}"
        shown = [page, f"{page}/wall", f"{page}/certificates", f"{page}/results.csv", f"{page}/results.json"]
        shown += [f"/evening/{evening.code}", f"/m/{match.pk}", f"/m/{match.pk}.json", f"/m/{match.pk}.txt"]

        def without(name: str) -> list[str]:
            return [path for path in shown if name not in host.get(path).content.decode()]

        assert without("Ann B") == []
        evenings.rename(hana, evening.code, ann.pk, "Anne B.", command())
        assert without("Anne B.") == []
        # With an account they have one name.
        ann = User.objects.get(pk=ann.pk)
        ann.username = "Annabel"
        guests.make_account(ann)
        assert without("Annabel") == []

    def test_a_name_that_is_refused_is_said(self, evening: Evening, hana: User) -> None:
        host = Client()
        host.force_login(hana, backend=BACKEND)
        for client, act in ((Client(), "join"), (host, "add")):
            answer = client.post(f"/evening/{evening.code}/{act}", {"name": "Admin"})
            assert answer.status_code == 400
            assert "reserved" in answer.content.decode()
            assert 'value="Admin"' in answer.content.decode()
        assert not evening.people.exists()

    def test_a_new_name_that_is_refused_is_there_to_be_corrected(self, evening: Evening, hana: User) -> None:
        come(evening, "Ada Bob")
        host = Client()
        host.force_login(hana, backend=BACKEND)
        ada = evenings.people(evening)[0].user.pk
        fields = {"person": ada, "name": "bob"}
        page = host.post(f"/evening/{evening.code}/rename", fields).content.decode()
        assert "already has this name" in page
        assert f'id="rename-{ada}" open' in page
        assert page.count('value="bob"') == 1

    def test_the_version_changes_with_what_is_shown(self, evening: Evening, hana: User) -> None:
        client = Client()
        client.force_login(hana, backend=BACKEND)
        path = f"/evening/{evening.code}/version"
        before = client.get(path).json()
        assert client.get(path).json() == before
        come(evening, "Mia")
        assert client.get(path).json() != before
        assert Client().get(path).json()["code"] == "unknown-evening"

    def test_removed_guest_sees_no_names(self, evening: Evening, hana: User) -> None:
        mia, _ada, _bob, _cem = come(evening, "Mia Ada Bob Cem")
        tournament = started(evening)
        client = Client()
        client.force_login(mia, backend=BACKEND)
        for path in (f"/evening/{evening.code}", codes.link(evening)):
            assert "Ada" in client.get(path).content.decode()
        evenings.remove(hana, evening.code, mia.pk, command())
        for path in (f"/evening/{evening.code}", codes.link(evening)):
            answer = client.get(path)
            assert answer.status_code == 403
            assert "has removed you" in answer.content.decode()
        assert client.get(f"/evening/{evening.code}/version").status_code == 404
        # Nor does anybody who knows the code, but is not there.
        assert "Ada" not in Client().get(f"/evening/{evening.code}").content.decode()
        assert tournament.entrants.filter(removed=True).count() == 1

    def test_evening_tournament_shown_to_its_people_only(self, evening: Evening, hana: User) -> None:
        mia, ada, *_ = come(evening, "Mia Ada Bob Cem")
        tournament = started(evening)
        evenings.remove(hana, evening.code, mia.pk, command())
        page = f"/tournament/{tournament.pk}"
        shown = ("", "/wall", "/version", "/results.csv", "/results.json", "/results.trf")
        told = []
        for person in (hana, ada, mia, User.objects.create_user("Stranger")):
            client = Client()
            client.force_login(person, backend=BACKEND)
            told.append({client.get(page + each).status_code for each in shown})
        assert told == [{200}, {200}, {404}, {404}]
        # Other sites show it to nobody.
        assert client.get(f"{page}/embed").status_code == 404
        assert client.get("/oembed", {"url": f"http://testserver{page}"}).status_code == 404

    def test_wall_board_without_session_needs_link_of_host(self, evening: Evening, hana: User) -> None:
        ada, *_ = come(evening, "Ada Bob Cem")
        tournament = started(evening)
        link = visibility.wall_link(tournament)
        for person, has_link in ((hana, True), (ada, False)):
            client = Client()
            client.force_login(person, backend=BACKEND)
            for page in (f"/evening/{evening.code}", f"/tournament/{tournament.pk}"):
                assert (link in client.get(page).content.decode()) == has_link
        path, _, token = link.partition("?")
        wall = Client().get(link).content.decode()
        assert "Ada" in wall
        assert evening.code in wall
        assert f"/version?{token}" in wall
        for other in ("", "token=", token[:-1], f"token={codes.token_of(evening)}"):
            assert Client().get(f"{path}?{other}").status_code == 404
        assert Client().get(f"/tournament/{tournament.pk}?{token}").status_code == 404

    def test_evening_matches_not_listed_publicly(self, evening: Evening, hana: User) -> None:
        come(evening, "Ada Bob Cem")
        (match, *_) = playing.matches_of(started(evening))
        assert not matches_to_watch().exists()
        assert "Ada" not in Client().get("/").content.decode()
        assert Client().get("/api/v1/matches").json()["matches"] == []
        assert Client().get(f"/m/{match.pk}").status_code == 200

    def test_the_pages_of_an_erased_evening_use_up_no_tries(self, evening: Evening) -> None:
        for _ in range(101):
            assert Client(REMOTE_ADDR=HOME).get("/evening/BBBB/version").status_code == 404
        assert Client(REMOTE_ADDR=HOME).get(f"/evening/{evening.code}").status_code == 200

    def test_the_host_is_led_through_the_evening(self, evening: Evening, hana: User) -> None:
        client = Client()
        client.force_login(hana, backend=BACKEND)
        path = f"/evening/{evening.code}"
        come(evening, "Ada Bob Cem")
        client.post(f"{path}/add", {"name": "Oma"})
        page = client.get(path).content.decode()
        assert "4 players" in page
        assert "Round robin" in page
        plan = {"game": "kalah", "minutes": 30, "format": "swiss", "rounds": 1, "clock": "3+2"}
        assert "1 round" in client.post(f"{path}/plan", plan, follow=True).content.decode()
        assert "does not fit" in client.post(f"{path}/plan", {}, follow=True).content.decode()
        page = client.post(f"{path}/start", follow=True).content.decode()
        assert "Wall board" in page
        tournament = Tournament.objects.get()
        look(tournament)
        assert "Play on this device" in client.get(path).content.decode()
        wall = visibility.wall_link(tournament)
        assert wall in client.get(path).content.decode()
        assert evening.code not in tournament.title
        playing.play_round(tournament)
        look(tournament)
        page = client.get(path).content.decode()
        assert "It is over." in page
        assert "Let people in" not in page
        late = Client().get(path).content.decode()
        assert "It is over." in late
        assert "Join</button>" not in late
        assert f"/tournament/{tournament.pk}/certificates" in page
        certificates = client.get(f"/tournament/{tournament.pk}/certificates").content.decode()
        assert certificates.count("certificate-name") == 4

    @pytest.mark.parametrize(("format", "offered"), [("round_robin", False), ("arena", True)])
    def test_page_offers_entry_after_start_by_format(
        self, evening: Evening, hana: User, format: str, offered: bool
    ) -> None:
        come(evening, "Ada Bob Cem")
        evenings.change(hana, evening.code, "kalah", 90, Chosen(format, 0, ""), False)
        started(evening)
        client = Client()
        client.force_login(hana, backend=BACKEND)
        page = client.get(f"/evening/{evening.code}").content.decode()
        told = Client().get(f"/evening/{evening.code}").content.decode()
        for words in ("I’m playing too", "Add someone without a device"):
            assert (words in page) == offered
        assert ("Join</button>" in told) == offered
        assert ("You can no longer enter." in told) != offered

    def test_a_guest_who_missed_a_match_comes_back_from_the_page(self, evening: Evening) -> None:
        come(evening, "Ada Bob Cem Dan Eve Fin")
        tournament = started(evening)
        match = playing.matches_of(tournament)[0]
        finished.play(match, Act(ABORTED, 0))
        look(tournament)
        sleeper = tournament.entrants.exclude(away=None).get().user
        client = Client()
        client.force_login(sleeper, backend="lobby.auth.backends.PasswordBackend")
        page = client.get(f"/evening/{evening.code}").content.decode()
        assert "You missed your match" in page
        page = client.post(f"/evening/{evening.code}/join", {"name": ""}, follow=True).content.decode()
        assert "You missed your match" not in page
        assert not tournament.entrants.exclude(away=None).exists()

    def test_certificates_before_end_not_found(self, evening: Evening) -> None:
        come(evening, "Ada Bob Cem")
        assert Client().get(f"/tournament/{started(evening).pk}/certificates").status_code == 404
