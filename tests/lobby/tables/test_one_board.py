"""Matches at one board in the lobby: begun with one press, found again by who held it, counted by nobody."""

import re

import pytest
from asgiref.sync import async_to_sync
from django.db import transaction
from django.test import Client
from django.utils import timezone

from games.domain.messages import ResignCommand
from games.models import Match, Seating
from games.net.hub import Hub
from games.net.limits import Buckets
from games.play.matches import Matches
from games.registry import GAMES
from lobby.accounts import deletion, export, guests
from lobby.chat import match_rooms
from lobby.feed import lobby_feed
from lobby.feed.watched_matches import matches_to_watch
from lobby.people.models import User
from lobby.ratings import results, schedule
from lobby.ratings.models import Result
from lobby.tables import one_board
from lobby.tables.refusals import BadNames, ReservedName, TableError

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def no_limit(monkeypatch):
    monkeypatch.setattr(guests, "guests", Buckets(rate=0, burst=9))


@pytest.fixture
def ulno():
    return User.objects.create_user("Ulno")


@pytest.fixture
def artjom():
    return User.objects.create_user("Artjom")


def signed_in(user):
    client = Client()
    client.force_login(user)
    return client


def kalah(holder, *names):
    return one_board.play(holder, "kalah", GAMES["kalah"].rules.PRESETS["circle"], names or ("Anna", "Ben"))


def resigned(match):
    async def resign():
        service = Matches(Hub())
        await service.play(match.pk, match.holder_id, ResignCommand(type="resign", id="resign-it", after=0))
        await service.close()

    async_to_sync(resign)()
    match.refresh_from_db()
    return match


def names_at(match):
    return [seating.get_name() for seating in Seating.objects.filter(match=match)]


@pytest.mark.parametrize(
    "names",
    [
        ("Anna", ""),
        ("Anna", "  "),
        ("Anna", "anna"),
        ("Anna", "B" * 25),
        ("Anna", "Ben\u202e"),
        ("Anna", "B\x07"),
    ],
)
def test_names_empty_or_equal_refused(ulno, names):
    with pytest.raises(BadNames) as refusal:
        kalah(ulno, *names)
    assert (refusal.value.code, Match.objects.count()) == ("bad-names", 0)


@pytest.mark.parametrize(
    "name",
    [
        "Moderator",
        "The Admin",
        "\u1d39oderator",
        "\u041c\u043e\u0434\u0435\u0440\u0430\u0442\u043e\u0440",
        "S\u00fapport",
        "deleted-7",
    ],
)
def test_names_reserved_refused(ulno, name):
    with pytest.raises(ReservedName):
        kalah(ulno, "Anna", name)
    assert not Match.objects.exists()


def test_names_are_stored_in_one_form(ulno):
    assert names_at(kalah(ulno, "Zoe\u0308", "O’Neil & Mum")) == ["Zo\u00eb", "O’Neil & Mum"]


@pytest.mark.parametrize("names", [("Anna",), ("Anna", "Ben", "Cleo")])
def test_names_of_wrong_number_refused(ulno, names):
    with pytest.raises(TableError):
        kalah(ulno, *names)
    assert not Match.objects.exists()


def test_spaces_around_names_are_nobodys(ulno):
    assert names_at(kalah(ulno, " Anna  Maria ", "Ben")) == ["Anna Maria", "Ben"]


class TestThePages:
    def test_one_press_begins_also_for_a_newcomer(self):
        client = Client()
        answer = client.post("/together/kalah/now")
        match = Match.objects.get()
        assert answer["Location"] == f"/m/{match.pk}"
        assert match.holder.is_guest
        assert names_at(match) == ["Player 1", "Player 2"]
        assert (match.rated, match.clock) == (False, "")

    def test_sides_with_names_are_who_plays(self, ulno):
        signed_in(ulno).post("/together/morris/now")
        assert names_at(Match.objects.get()) == ["White", "Black"]

    def test_the_form_says_who_plays_what_and_is_remembered(self, ulno):
        client = signed_in(ulno)
        sent = {"preset": "published", "seats": "3", "name_0": "Anna", "name_1": "Ben", "name_2": ""}
        client.post("/together/cantstop", sent)
        client.post("/together/cantstop/now")
        first, second = Match.objects.order_by("created")
        assert names_at(first) == names_at(second) == ["Anna", "Ben", "Player 3"]
        assert first.options == second.options
        assert "Anna, Ben and Player 3" in client.get("/").content.decode()

    def test_names_alike_are_refused_beside_the_field(self, ulno):
        sent = {"preset": "circle", "seats": "2", "name_0": "Anna", "name_1": "anna"}
        answer = signed_in(ulno).post("/together/kalah", sent)
        assert answer.status_code == 400
        assert answer.context["form"]["name_0"].errors

    def test_no_game_no_page(self, ulno):
        client = signed_in(ulno)
        assert client.get("/together/chess").status_code == 404
        assert client.post("/together/chess/now").status_code == 404
        assert client.get("/together/kalah/now").status_code == 405

    def test_matches_limited_by_address(self, ulno, monkeypatch):
        monkeypatch.setattr("lobby.tables.views.one_board.begun", Buckets(rate=0.001, burst=1))
        client = signed_in(ulno)
        answers = [client.post("/together/kalah/now").status_code for _ in range(2)]
        assert answers == [302, 429]

    def test_match_page_shows_watch_code_to_holder_only(self, ulno, artjom):
        match = kalah(ulno)
        mine, theirs = (signed_in(who).get(f"/m/{match.pk}").content.decode() for who in (ulno, artjom))
        assert f'value="http://testserver/m/{match.pk}"' in mine
        assert 'class="qr"' in mine
        assert 'id="turning"' in mine
        for absent in ('class="qr"', 'id="turning"', 'id="hint"'):
            assert absent not in theirs
        for page in (mine, theirs):
            assert 'id="talk"' not in page
            assert f"/m/{match.pk}/again" not in page


class TestWhoHearsOfIt:
    def test_the_lobby_shows_it_to_who_holds_the_board_alone(self, ulno, artjom):
        match = kalah(ulno)
        assert not matches_to_watch().exists()
        mine, theirs = lobby_feed.everything(ulno.pk)["matches"], lobby_feed.everything(artjom.pk)["matches"]
        assert [(each["id"], each["holder"], each["players"]) for each in mine] == [
            (match.pk, "Ulno", ["Anna", "Ben"])
        ]
        assert theirs == []
        assert "Anna – Ben" in signed_in(ulno).get("/").content.decode()

    def test_match_not_announced_to_lobby(self, ulno):
        before = lobby_feed.number()
        resigned(kalah(ulno))
        assert lobby_feed.number() == before

    def test_match_has_no_chat(self, ulno, artjom):
        match = kalah(ulno)
        for who in (ulno.pk, artjom.pk, None):
            where = match_rooms.standing(match.pk, who, timezone.now())
            assert (where.read, where.speak) == ((), ())


class TestWhenItIsOver:
    def test_match_settled_without_results(self, ulno):
        match = resigned(kalah(ulno))
        assert match.status == Match.Status.FINISHED
        assert match.pk not in schedule.unsettled()
        results.settle(match.pk)
        assert not Result.objects.exists()
        assert results.is_newcomer(ulno)

    def test_match_on_front_page_of_holder_only(self, ulno, artjom):
        match = resigned(kalah(ulno))
        page = signed_in(ulno).get("/").content.decode()
        (row,) = re.findall(r'<ul class="list" id="my-finished">(.*?)</ul>', page, re.DOTALL)
        assert f'href="/m/{match.pk}">Kalah: Anna – Ben</a>' in row
        assert "Won by Ben" in row
        assert match.pk not in signed_in(artjom).get("/").content.decode()

    def test_match_on_profile_for_holder_only(self, ulno, artjom):
        match = resigned(kalah(ulno))
        page = signed_in(ulno).get("/@/Ulno").content.decode()
        (boards,) = re.findall(r'aria-labelledby="boards-title">(.*?)</section>', page, re.DOTALL)
        assert "Anna – Ben" in boards
        assert "Won by Ben" in boards
        assert f'href="/m/{match.pk}"' in boards
        for other in (signed_in(artjom), Client()):
            page = other.get("/@/Ulno").content.decode()
            assert match.pk not in page
            assert "boards-title" not in page

    def test_match_score_downloadable(self, ulno):
        match = resigned(kalah(ulno))
        assert "Anna" in Client().get(f"/m/{match.pk}.txt").content.decode()


class TestLeaving:
    def test_one_takes_along_what_one_held(self, ulno):
        match = resigned(kalah(ulno))
        (held,) = export.everything_about(ulno)["boards_held"]
        assert (held["id"], held["players"]) == (match.pk, ["Anna", "Ben"])
        assert [move["action"] for move in held["moves"]] == ["left:0:resigned"]

    def test_match_deleted_with_account(self, ulno):
        kalah(ulno)
        with transaction.atomic():
            deletion.forget(ulno.pk)
        assert not Match.objects.exists()

    def test_a_guest_who_only_held_boards_is_deleted_with_them(self):
        guest = User.objects.create_user("Brave-Otter", is_guest=True)
        kalah(guest)
        assert deletion.purge_guests(timezone.now())["deleted"] == 1
        assert not Match.objects.exists()
