"""Invitations: one link, one chair, one day."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client
from django.utils import timezone

from games.net.limits import Buckets
from games.registry import GAMES
from games.share import qr
from lobby.accounts import guests
from lobby.people.models import Relationship, User
from lobby.tables import invites
from lobby.tables.models import Chair, Invite, Table
from lobby.tables.refusals import TableError
from lobby.tables.tables import TableTerms, set_table, sit_down, stand_up

pytestmark = pytest.mark.django_db

STRICT = GAMES["cantstop"].rules.PRESETS["strict"]
BY_LINK = TableTerms(listed=False)
NOW = timezone.now()
A_DAY_LATER = NOW + timedelta(days=1)


@pytest.fixture(autouse=True)
def no_limit(monkeypatch):
    monkeypatch.setattr(guests, "guests", Buckets(rate=0, burst=0))


@pytest.fixture
def table(ulno):
    """Ulno's table for four, by invitation."""
    return set_table(ulno, "cantstop", STRICT, 4, "lot", BY_LINK)


@pytest.fixture
def token(ulno, table):
    return invites.invite(ulno, table.pk, NOW).pk


def code(function, *arguments):
    with pytest.raises(TableError) as caught:
        function(*arguments)
    assert caught.value.sentence
    return caught.value.code


def signed_in(user):
    client = Client()
    client.force_login(user)
    return client


def seated(table):
    return [chair.user.username for chair in table.chairs.all()]


class TestMaking:
    def test_invite_by_seated_player(self, ulno, artjom, table, token):
        invites.sit_down(artjom, table.pk, token, NOW)
        assert invites.invite(artjom, table.pk, NOW).inviter == artjom

    def test_invite_by_other_refused(self, artjom, table):
        assert code(invites.invite, artjom, table.pk, NOW) == "not-seated"

    def test_tokens_are_long_and_different(self, ulno, table):
        tokens = {invites.invite(ulno, table.pk, NOW).pk for _ in range(3)}
        assert len(tokens) == 3
        assert all(len(each) == 22 for each in tokens)

    def test_invites_at_most_free_chairs(self, ulno, table):
        for _ in range(3):
            invites.invite(ulno, table.pk, NOW)
        assert code(invites.invite, ulno, table.pk, NOW) == "enough-invitations"
        assert invites.invite(ulno, table.pk, A_DAY_LATER).pk

    def test_a_match_that_began_takes_nobody_in(self, ulno, artjom):
        table = set_table(ulno, "kalah", GAMES["kalah"].rules.Options(), 2, "lot")
        sit_down(artjom, table.pk)
        assert code(invites.invite, ulno, table.pk, NOW) == "begun"

    def test_a_table_that_is_gone_is_gone(self, ulno):
        assert code(invites.invite, ulno, "nowhere", NOW) == "gone"


class TestUsing:
    def test_invite_opens_unlisted_table(self, artjom, table, token):
        invites.sit_down(artjom, table.pk, token, NOW)
        assert seated(table) == ["Ulno", "Artjom"]

    def test_invite_used_twice_refused(self, artjom, table, token):
        invites.sit_down(artjom, table.pk, token, NOW)
        third = User.objects.create_user("Third")
        assert code(invites.sit_down, third, table.pk, token, NOW) == "used-invitation"

    def test_invite_new_after_standing_up(self, ulno, artjom, table, token):
        invites.sit_down(artjom, table.pk, token, NOW)
        stand_up(artjom, table.pk)
        assert code(invites.sit_down, artjom, table.pk, token, NOW) == "used-invitation"
        invites.sit_down(artjom, table.pk, invites.invite(ulno, table.pk, NOW).pk, NOW)
        assert seated(table) == ["Ulno", "Artjom"]

    def test_invite_expires_after_a_day(self, artjom, table, token):
        assert code(invites.sit_down, artjom, table.pk, token, A_DAY_LATER) == "expired-invitation"
        invites.sit_down(artjom, table.pk, token, A_DAY_LATER - timedelta(seconds=1))

    def test_invite_at_other_table_refused(self, ulno, artjom, token):
        other = set_table(ulno, "cantstop", STRICT, 4, "lot", BY_LINK)
        assert code(invites.sit_down, artjom, other.pk, token, NOW) == "unknown-invitation"

    def test_a_made_up_one_is_unknown(self, artjom, table):
        assert code(invites.sit_down, artjom, table.pk, "x" * 22, NOW) == "unknown-invitation"

    def test_the_host_who_tries_it_keeps_it_good(self, ulno, table, token):
        assert code(invites.sit_down, ulno, table.pk, token, NOW) == "seated"
        assert invites.read(token, NOW).used is None

    def test_invite_unused_by_blocked_user(self, ulno, artjom, table, token):
        Relationship.objects.create(user=ulno, other=artjom, kind=Relationship.Kind.BLOCK)
        assert code(invites.sit_down, artjom, table.pk, token, NOW) == "blocked"
        assert invites.read(token, NOW).used is None

    def test_invite_expired_ignored_at_listed_table(self, ulno, artjom):
        table = set_table(ulno, "cantstop", STRICT, 4, "lot")
        token = invites.invite(ulno, table.pk, NOW).pk
        invites.sit_down(artjom, table.pk, token, A_DAY_LATER)
        assert seated(table) == ["Ulno", "Artjom"]


@pytest.mark.django_db(transaction=True)
class TestAtOnce:
    def test_invite_used_concurrently_seats_one(self, table, token):
        people = [User.objects.create_user(f"Person-{n}") for n in range(20)]

        def use(user):
            try:
                return invites.sit_down(user, table.pk, token, NOW).pk
            except TableError as error:
                return error.code
            finally:
                connection.close()

        with ThreadPoolExecutor(20) as pool:
            results = list(pool.map(use, people))
        assert sorted(results) == sorted([table.pk, *["used-invitation"] * 19])
        assert table.chairs.count() == 2

    def test_invites_concurrent_at_most_free_chairs(self, ulno, table):
        def ask(_):
            try:
                return invites.invite(ulno, table.pk, NOW).pk
            except TableError as error:
                return error.code
            finally:
                connection.close()

        with ThreadPoolExecutor(8) as pool:
            results = list(pool.map(ask, range(8)))
        assert results.count("enough-invitations") == 5
        assert Invite.objects.count() == 3


class TestTheAddress:
    def test_invite_address_shows_table_with_one_button(self, client, table, token):
        answer = client.get(f"/i/{token}")
        assert answer.status_code == 200
        assert ">Ulno invites you to play Can’t Stop</h1>" in answer.text
        assert answer.text.count(f'action="/t/{table.pk}/sit"') == 1
        assert answer["Referrer-Policy"] == "same-origin"
        assert "no-store" in answer["Cache-Control"]

    def test_invite_address_works_in_other_browser_until_used(self, client, table, token):
        client.get(f"/i/{token}")
        other = Client()
        answer = other.post(f"/t/{table.pk}/sit", {"token": token})
        assert answer.url == f"/t/{table.pk}"  # type: ignore[attr-defined]
        assert table.chairs.count() == 2
        assert client.get(f"/i/{token}").status_code == 410

    def test_link_previews_name_it_and_no_page_that_refuses(self, client, table, token):
        text = client.get(f"/i/{token}").text
        assert f'<link rel="canonical" href="http://testserver/i/{token}">' in text
        assert f'<meta property="og:url" content="http://testserver/i/{token}">' in text
        assert f'<meta property="og:image" content="http://testserver/t/{table.pk}/card.png">' in text

    def test_a_visitor_becomes_a_guest_by_the_button(self, client, table, token):
        client.post(f"/t/{table.pk}/sit", {"token": token})
        assert Chair.objects.get(number=1).user.is_guest
        assert Invite.objects.get().used is not None

    def test_a_refused_name_is_there_to_be_corrected(self, client, table, token):
        answer = client.post(f"/t/{table.pk}/sit", {"token": token, "name": "Ulno"})
        assert answer.status_code == 400
        assert f'name="token" value="{token}"' in answer.text
        assert 'name="name" value="Ulno"' in answer.text
        assert f'data-address="/i/{token}"' in answer.text

    def test_opening_it_stores_nothing(self, client, token):
        client.get(f"/i/{token}")
        client.head(f"/i/{token}")
        assert not Session.objects.exists()

    def test_opening_it_takes_no_chair_and_makes_nobody(self, client, table, token):
        client.get(f"/i/{token}")
        assert (table.chairs.count(), User.objects.count()) == (1, 1)

    def test_a_visitor_who_is_refused_leaves_nobody_behind(self, client, artjom, table, token):
        invites.sit_down(artjom, table.pk, token, NOW)
        answer = client.post(f"/t/{table.pk}/sit", {"token": token}, follow=True)
        assert "This invitation has already been used." in answer.text
        assert not User.objects.filter(is_guest=True).exists()

    def test_unlisted_table_without_invite_says_so(self, client, table):
        text = client.get(f"/t/{table.pk}").text
        assert "This table is by invitation only. Open the link from your message again." in text
        assert f"/t/{table.pk}/sit" not in text

    @pytest.mark.parametrize(
        ("change", "status", "heading"),
        [
            ({"used": NOW}, 410, "This invitation has been used"),
            ({"expires": NOW}, 410, "This invitation has expired"),
            (None, 404, "Invitation not found"),
        ],
    )
    def test_invite_address_invalid_says_why(self, client, token, change, status, heading):
        if change is None:
            Table.objects.all().delete()
        else:
            Invite.objects.update(**change)
        answer = client.get(f"/i/{token}")
        assert answer.status_code == status
        assert answer.text.count("This invitation ") == 1, "it is said once"
        assert heading in answer.text
        assert 'href="/">Go to the lobby' in answer.text

    def test_the_waiting_page_shows_it_in_the_address_bar(self, ulno, token, table):
        host = signed_in(ulno)
        assert f'data-invitation="/i/{token}"' in host.get(f"/t/{table.pk}").text
        Table.objects.update(listed=True)
        assert "data-invitation" not in host.get(f"/t/{table.pk}").text

    def test_invite_address_used_leads_players_to_table(self, ulno, artjom, table, token):
        invites.sit_down(artjom, table.pk, token, NOW)
        for player in (ulno, artjom):
            answer = signed_in(player).get(f"/i/{token}")
            assert (answer.status_code, answer.url) == (302, f"/t/{table.pk}")
            assert not answer.cookies

    def test_a_table_by_link_comes_with_its_first_invitation(self, ulno):
        form = {"preset": "strict", "seats": "3", "first": "lot", "listed": "no"}
        answer = signed_in(ulno).post("/new/cantstop", form, follow=True)
        assert f'value="http://testserver/i/{Invite.objects.get().pk}"' in answer.text
        assert '<svg class="qr"' in answer.text

    def test_invite_created_from_page(self, ulno, table, token):
        client = signed_in(ulno)
        client.post(f"/t/{table.pk}/invite")
        assert Invite.objects.count() == 2

    def test_invites_of_others_hidden(self, ulno, artjom, table, token):
        invites.sit_down(artjom, table.pk, token, NOW)
        other = invites.invite(ulno, table.pk, NOW)
        assert other.pk not in signed_in(artjom).get(f"/t/{table.pk}").text
        assert other.pk in signed_in(ulno).get(f"/t/{table.pk}").text

    def test_a_visitor_makes_no_invitation(self, client, table):
        client.post(f"/t/{table.pk}/invite")
        assert not Invite.objects.exists()


def test_a_qr_code_has_its_margin_and_its_three_corners():
    side, path = qr.picture("http://parlour.example/i/abcdefghijklmnopqrstuv")
    dark = set(path.removeprefix("M").removesuffix("h1v1h-1z").split("h1v1h-1zM"))
    corners = [(4, 4), (side - 11, 4), (4, side - 11)]
    for left, top in corners:
        assert all(f"{left + n} {top}" in dark and f"{left} {top + n}" in dark for n in range(7))
        assert f"{left + 1} {top + 1}" not in dark
    assert not any("0" in each.split() or f"{side - 1}" in each.split() for each in dark)
