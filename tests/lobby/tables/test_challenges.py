"""Challenges: for one person, told wherever they are, and never by somebody who is not welcome."""

import pytest
from django.test import Client

from games.net.hub import hub
from games.net.limits import Buckets
from games.registry import GAMES
from lobby.accounts import guests
from lobby.feed import lobby_feed
from lobby.people.models import Relationship, User
from lobby.ratings.rated import NotRated
from lobby.tables import challenges
from lobby.tables.challenges import challenge, decline
from lobby.tables.models import Table
from lobby.tables.refusals import TableError
from lobby.tables.tables import TableTerms, sit_down, stand_up
from tests.helpers.readers import read_english

pytestmark = pytest.mark.django_db

CIRCLE = GAMES["kalah"].rules.PRESETS["circle"]
FORM = {"preset": "circle", "first": "host", "seats": "2"}


@pytest.fixture(autouse=True)
def no_limit(monkeypatch):
    monkeypatch.setattr(guests, "guests", Buckets(rate=0, burst=0))
    monkeypatch.setattr(challenges, "of_pair", Buckets(rate=0, burst=0))
    monkeypatch.setattr(challenges, "of_host", Buckets(rate=0, burst=0))


class TestHowOften:
    def test_challenges_to_one_user_limited(self, ulno, artjom, heard, monkeypatch):
        monkeypatch.setattr(challenges, "of_pair", Buckets(rate=0.001, burst=5))
        for _ in range(5):
            stand_up(ulno, dare(ulno, artjom).pk)
        assert code(dare, ulno, artjom) == "too-many-challenges"
        assert not Table.objects.exists()
        assert dare(artjom, ulno)

    def test_challenges_to_many_users_limited(self, ulno, monkeypatch):
        monkeypatch.setattr(challenges, "of_host", Buckets(rate=0.001, burst=3))
        people = [User.objects.create_user(f"Somebody-{number}") for number in range(4)]
        for other in people[:3]:
            stand_up(ulno, dare(ulno, other).pk)
        assert code(dare, ulno, people[3]) == "too-many-challenges"


@pytest.fixture
def heard(monkeypatch):
    """What readers of English are told, with its topic, in order."""
    said = []

    def announce(topic, message):
        if read_english(topic):
            said.append((topic, message))

    monkeypatch.setattr(hub, "announce", announce)
    return said


def dare(host, other, options=CIRCLE, **terms):
    return challenge(host, other, "kalah", options, "host", TableTerms(**terms))


def code(function, *arguments, **named):
    with pytest.raises((NotRated, TableError)) as caught:
        function(*arguments, **named)
    assert caught.value.sentence
    return caught.value.code


def signed_in(user):
    client = Client()
    client.force_login(user)
    return client


class TestWhoMayChallengeWhom:
    @pytest.mark.parametrize("blocker", ["host", "other"])
    def test_challenge_across_block_refused(self, ulno, artjom, blocker):
        user, other = (ulno, artjom) if blocker == "host" else (artjom, ulno)
        Relationship.objects.create(user=user, other=other, kind=Relationship.Kind.BLOCK)
        assert code(dare, ulno, artjom) == "no-challenges"
        assert not Table.objects.exists()

    @pytest.mark.parametrize(
        ("wanted", "followed", "welcome"),
        [
            ("everyone", False, True),
            ("followed", False, False),
            ("followed", True, True),
            ("nobody", True, False),
        ],
    )
    def test_challenge_follows_preference(self, ulno, artjom, wanted, followed, welcome):
        artjom.preferences = {"challenges": wanted}
        if followed:
            Relationship.objects.create(user=artjom, other=ulno, kind=Relationship.Kind.FOLLOW)
        if welcome:
            assert dare(ulno, artjom).invited == artjom
        else:
            assert code(dare, ulno, artjom) == "no-challenges"

    def test_following_somebody_opens_no_door(self, ulno, artjom):
        artjom.preferences = {"challenges": "followed"}
        Relationship.objects.create(user=ulno, other=artjom, kind=Relationship.Kind.FOLLOW)
        assert code(dare, ulno, artjom) == "no-challenges"

    def test_a_block_and_a_wish_are_told_in_the_same_words(self, ulno, artjom):
        sentences = set()
        Relationship.objects.create(user=artjom, other=ulno, kind=Relationship.Kind.BLOCK)
        for wanted in ("everyone", "followed", "nobody"):
            artjom.preferences = {"challenges": wanted}
            with pytest.raises(TableError) as caught:
                dare(ulno, artjom)
            sentences.add(caught.value.words)
        assert len(sentences) == 1

    def test_challenge_of_banned_user_refused(self, ulno):
        banned = User.objects.create_user("Banned", is_active=False)
        assert code(dare, ulno, banned) == "no-challenges"

    def test_challenge_oneself_refused(self, ulno):
        assert code(dare, ulno, ulno) == "yourself"

    def test_one_challenge_at_a_time(self, ulno, artjom):
        dare(ulno, artjom)
        assert code(dare, ulno, artjom) == "challenged-already"

    def test_a_host_has_no_more_challenges_than_tables(self, ulno, settings):
        settings.TABLES_PER_HOST = 2
        others = [User.objects.create_user(f"Person-{n}") for n in range(3)]
        dare(ulno, others[0])
        dare(ulno, others[1])
        assert code(dare, ulno, others[2]) == "too-many-tables"

    def test_guests_challenge_and_are_challenged(self, ulno):
        guest = User.objects.create_user("Brave-Otter", is_guest=True)
        dare(guest, ulno)
        dare(ulno, guest)

    def test_a_guest_is_challenged_to_no_rated_match(self, ulno):
        guest = User.objects.create_user("Brave-Otter", is_guest=True)
        assert code(dare, ulno, guest, rated=True) == "guest"
        assert code(dare, guest, ulno, rated=True) == "guest"

    def test_a_challenge_asks_for_no_rating(self, ulno, artjom):
        assert code(dare, ulno, artjom, rated=True, lowest_rating=1400) == "challenge-range"


class TestAnswers:
    def test_challenge_accepted_begins_match(self, ulno, artjom):
        match = sit_down(artjom, dare(ulno, artjom).pk).match
        assert [seating.user for seating in match.seatings.all()] == [ulno, artjom]

    def test_challenge_accepted_by_other_refused(self, ulno, artjom):
        third = User.objects.create_user("Third")
        assert code(sit_down, third, dare(ulno, artjom).pk) == "invited-only"

    def test_challenge_declined_deletes_table(self, ulno, artjom):
        decline(artjom, dare(ulno, artjom).pk)
        assert not Table.objects.exists()

    @pytest.mark.parametrize("who", ["host", "third"])
    def test_only_the_challenged_person_declines(self, ulno, artjom, who):
        user = ulno if who == "host" else User.objects.create_user("Third")
        assert code(decline, user, dare(ulno, artjom).pk) == "not-challenged"

    def test_challenge_declined_after_accepting_refused(self, ulno, artjom):
        table = dare(ulno, artjom)
        sit_down(artjom, table.pk)
        assert code(decline, artjom, table.pk) == "begun"

    def test_challenge_withdrawn_is_gone(self, ulno, artjom):
        table = dare(ulno, artjom)
        stand_up(ulno, table.pk)
        assert code(decline, artjom, table.pk) == "gone"
        assert code(sit_down, artjom, table.pk) == "gone"


@pytest.mark.django_db(transaction=True)
class TestWhatIsSaid:
    def test_challenge_told_to_both_and_no_lobby(self, ulno, artjom, heard):
        table = dare(ulno, artjom)
        assert {topic for topic, _ in heard} == {f"person.{ulno.pk}.en", f"person.{artjom.pk}.en"}
        assert {(m["type"], m["table"]["id"], m["table"]["invited"]) for _, m in heard} == {
            ("table", table.pk, "Artjom")
        }

    def test_the_host_is_told_who_declined(self, ulno, artjom, heard):
        table = dare(ulno, artjom)
        del heard[:]
        decline(artjom, table.pk)
        declined = {"type": "declined", "table": table.pk, "name": "Artjom", "title": "Kalah"}
        gone = {"type": "table-gone", "id": table.pk, "begun": False}
        assert heard[0] == (f"person.{ulno.pk}.en", declined)
        assert sorted(heard[1:], key=str) == sorted(
            [(f"person.{user.pk}.en", gone) for user in (ulno, artjom)], key=str
        )

    def test_challenge_withdrawn_told_to_opponent(self, ulno, artjom, heard):
        table = dare(ulno, artjom)
        del heard[:]
        stand_up(ulno, table.pk)
        assert (f"person.{artjom.pk}.en", {"type": "table-gone", "id": table.pk, "begun": False}) in heard

    def test_the_match_is_told_to_both_and_to_the_lobby(self, ulno, artjom, heard):
        table = dare(ulno, artjom)
        del heard[:]
        match = sit_down(artjom, table.pk).match_id
        told = [m["table"]["match"] for topic, m in heard if topic.startswith("person")]
        assert told == [match, match]
        assert [m["match"]["id"] for topic, m in heard if topic == "lobby.en"] == [match]

    def test_only_the_two_find_it_in_the_lobby(self, ulno, artjom):
        third = User.objects.create_user("Third")
        table = dare(ulno, artjom)
        for user, known in ((ulno, [table.pk]), (artjom, [table.pk]), (third, [])):
            assert [each["id"] for each in lobby_feed.everything(user.pk)["tables"]] == known
        assert lobby_feed.everything(None)["tables"] == []


class TestThePage:
    def test_challenge_page_creates_table_for_one(self, ulno, artjom):
        answer = signed_in(ulno).post("/challenge/artjom", FORM)
        table = Table.objects.get()
        assert answer["Location"] == f"/t/{table.pk}"
        assert (table.host, table.invited, table.listed, table.seats) == (ulno, artjom, False, 2)

    def test_a_visitor_becomes_a_guest_by_it(self, client, artjom):
        client.post("/challenge/Artjom", FORM)
        assert Table.objects.get().host.is_guest

    def test_a_visitor_who_is_not_welcome_leaves_nobody_behind(self, client, artjom):
        User.objects.filter(pk=artjom.pk).update(preferences={"challenges": "nobody"})
        answer = client.post("/challenge/Artjom", FORM)
        assert answer.status_code == 400
        assert "Artjom is not accepting challenges from you." in answer.text
        assert User.objects.count() == 1

    def test_challenge_page_has_no_seats_or_rating_range(self, ulno, artjom):
        text = signed_in(ulno).get("/challenge/Artjom/cantstop").text
        assert "Challenge Artjom" in text
        assert "Who can join?" not in text
        assert "Lowest rating" not in text
        assert 'href="/challenge/Artjom/kalah"' in text

    @pytest.mark.parametrize("name", ["Nobody", "ULNO"])
    def test_challenge_page_of_unknown_or_oneself_not_found(self, ulno, name):
        assert signed_in(ulno).get(f"/challenge/{name}").status_code == 404

    def test_challenge_page_of_deleted_user_not_found(self, client, artjom):
        User.objects.filter(pk=artjom.pk).update(is_deleted=True)
        assert client.get("/challenge/Artjom").status_code == 404

    def test_the_challenged_person_may_accept_or_decline_at_the_table(self, ulno, artjom):
        table = dare(ulno, artjom)
        text = signed_in(artjom).get(f"/t/{table.pk}").text
        assert "Ulno invites you to play Kalah" in text
        assert f'action="/t/{table.pk}/decline"' in text

    def test_challenge_table_shown_as_reserved(self, client, ulno, artjom):
        assert "This table is reserved for Artjom." in client.get(f"/t/{dare(ulno, artjom).pk}").text

    def test_challenge_declined_from_page(self, ulno, artjom):
        table = dare(ulno, artjom)
        assert signed_in(artjom).post(f"/t/{table.pk}/decline")["Location"] == "/"
        assert not Table.objects.exists()
