"""Taking one's data along, deleting an account, and guests who never came back."""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from allauth.usersessions.models import UserSession
from asgiref.sync import async_to_sync
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.utils import timezone

from games.domain.match_actions import SAVED, Act
from games.domain.messages import MoveCommand
from games.models import Match, Seating
from games.net.hub import Hub, hub
from games.play import begin, matches
from games.registry import GAMES
from lobby.accounts import deletion
from lobby.chat import lines
from lobby.chat.models import ChatLine, Report
from lobby.pairing.models import Seek
from lobby.people import person
from lobby.people.models import Relationship, User
from lobby.ratings.models import Rating
from lobby.tables import tables
from lobby.tables.models import Table
from lobby.tokens import tokens
from lobby.tokens.models import Event, Token
from lobby.webhooks.models import Hook
from tests.helpers import finished, tournaments
from tests.helpers.two_at_once import meanwhile

PASSWORD = "a quiet evening"
GAME = next(iter(GAMES.values()))
OPTIONS = next(iter(GAME.rules.PRESETS.values()))
NOW = timezone.now()


@pytest.fixture
def account(db):
    return User.objects.create_user("Ulno", "ulno@parlour.example", PASSWORD, preferences={"theme": "dark"})


@pytest.fixture
def other(db):
    return User.objects.create_user("Other", password=PASSWORD)


@pytest.fixture
def at_home(client, account):
    client.force_login(account)
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    return client


def match_of(*users):
    return begin.create(GAME.slug, OPTIONS, users)


def finished_match_of(*users):
    match = match_of(*users)
    Match.objects.filter(pk=match.pk).update(status="finished", outcome="{}", ended=NOW)
    return match


def set_table(host, **fields):
    table = tables.set_table(host, GAME.slug, OPTIONS, GAME.rules.SEATS[0], "lot")
    Table.objects.filter(pk=table.pk).update(**fields)
    return table


def everything_of(user, other):
    """A bit of all that is stored about people."""
    rated = {
        "game": GAME.slug,
        "family": "x",
        "pool": "two",
        "rating": 1500,
        "deviation": 350,
        "volatility": 0.06,
    }
    Rating.objects.create(user=user, updated=NOW, **rated)
    Relationship.objects.create(user=user, other=other, kind=Relationship.Kind.FOLLOW)
    Relationship.objects.create(user=other, other=user, kind=Relationship.Kind.BLOCK)
    ChatLine.objects.create(user=user, text="Good evening")
    Seek.objects.create(user=user, game=GAME.slug, preset="x", rating=1500)
    Token.objects.create(user=user, name="program", digest="x")
    Event.objects.create(user=user, data={"type": "declined"})
    Hook.objects.create(user=user, url="https://example.org/", events=[], site="https://here")
    EmailAddress.objects.create(user=user, email="ulno@parlour.example", primary=True)
    TOTP.activate(user, generate_totp_secret())


class TestExport:
    def test_export_has_all_data_of_user(self, at_home, account, other):
        # First what takes people out of the queue.
        set_table(account)
        organiser = User.objects.create_user("Organiser")
        tournament = tournaments.begun(organiser, [account, other], "arena", title="Cup")
        everything_of(account, other)
        match = finished_match_of(account, other)
        answer = at_home.get("/settings/export")
        assert answer["Content-Disposition"] == 'attachment; filename="parlour-Ulno.json"'
        data = answer.json()
        assert data["account"]["name"] == "Ulno"
        assert data["account"]["email_addresses"][0]["email"] == "ulno@parlour.example"
        assert data["settings"]["theme"] == "dark"
        assert data["ratings"][0]["rating"] == 1500
        assert data["ties"] == [{"kind": "follow", "person": "Other", "since": data["ties"][0]["since"]}]
        assert [line["text"] for line in data["chat"]] == ["Good evening"]
        assert len(data["tables"]) == len(data["waiting_for_an_opponent"]) == 1
        assert (match.pk, ["Ulno", "Other"]) in [(each["id"], each["players"]) for each in data["matches"]]
        (entry,) = data["tournaments"]
        assert (entry["id"], entry["title"], len(entry["pairings"])) == (tournament.pk, "Cup", 1)
        assert [(each["action"], each["target"]) for each in data["audit_log"]] == [
            ("tournament-enter", tournament.pk)
        ]

    def test_export_has_no_secret(self, at_home, account, other):
        everything_of(account, other)
        text = at_home.get("/settings/export").text
        assert "password" not in text
        assert Authenticator.objects.get().data["secret"] not in text

    def test_a_visitor_is_asked_to_log_in(self, client):
        assert client.get("/settings/export")["Location"].startswith("/accounts/login/")


@pytest.mark.django_db(transaction=True)
class TestExportOfMoves:
    def test_export_has_own_moves_only(self, at_home, account, other):
        match = match_of(account, other)
        service = matches.Matches(hub)

        async def play():
            for ply, user in ((0, account), (1, other)):
                live = await service.get(match.pk)
                move = MoveCommand(type="move", id=f"command-{ply}", after=live.ply, move=live.legal()[0])
                await service.play(match.pk, user.pk, move)
            await service.close()

        async_to_sync(play)()
        (exported,) = at_home.get("/settings/export").json()["matches"]
        assert [move["ply"] for move in exported["moves"]] == [1]


@pytest.mark.django_db(transaction=True)
class TestDeleting:
    def test_everything_goes_and_the_match_stays(self, at_home, account, other):
        everything_of(account, other)
        table = set_table(account)
        match = finished_match_of(account, other)
        answer = at_home.post("/settings/delete", {"password": PASSWORD})
        assert answer["Location"] == "/"
        account.refresh_from_db()
        assert account.is_deleted
        assert not account.is_active
        assert not account.has_usable_password()
        assert (account.email, account.preferences, account.last_login) == ("", {}, None)
        for model in (Rating, Relationship, ChatLine, Seek, Token, Event, Hook, EmailAddress, Authenticator):
            assert not model.objects.exists(), model
        assert not Table.objects.filter(pk=table.pk).exists()
        assert [seating.user.get_username() for seating in match.seatings.all()] == ["deleted", "Other"]

    def test_the_name_is_free_again(self, at_home, account):
        at_home.post("/settings/delete", {"password": PASSWORD})
        User.objects.create_user("ulno")

    def test_deleted_account_cannot_log_in(self, at_home, account):
        at_home.post("/settings/delete", {"password": PASSWORD})
        assert "_auth_user_id" not in at_home.session
        at_home.post("/accounts/login/", {"login": f"deleted-{account.pk}", "password": PASSWORD})
        assert "_auth_user_id" not in at_home.session

    def test_matches_in_play_are_resigned(self, at_home, account, other):
        match = match_of(account, other)
        at_home.post("/settings/delete", {"password": PASSWORD})
        match.refresh_from_db()
        assert match.status == "finished"
        assert match.plies.get().action.startswith("left:0")

    def test_saved_matches_are_resigned_too(self, at_home, account, other):
        match = match_of(account, other)
        finished.play(match, Act(SAVED, 0))
        Match.objects.filter(pk=match.pk).update(status="saved")
        assert "You resign your match in progress." in at_home.get("/settings/delete").text
        at_home.post("/settings/delete", {"password": PASSWORD})
        match.refresh_from_db()
        assert match.status == "finished"
        assert match.plies.last().action.startswith("left:0")

    def test_a_wrong_password_deletes_nothing(self, at_home, account):
        answer = at_home.post("/settings/delete", {"password": "wrong"})
        assert answer.status_code == 400
        assert "Wrong password" in answer.text
        assert not User.objects.get(pk=account.pk).is_deleted

    def test_passwords_cannot_be_tried_here_for_ever(self, at_home, account):
        for _ in range(5):
            at_home.post("/settings/delete", {"password": "wrong"})
        at_home.post("/settings/delete", {"password": PASSWORD})
        assert not User.objects.get(pk=account.pk).is_deleted

    def test_a_guest_says_a_plain_yes(self, client):
        client.post("/guest")
        guest = User.objects.get()
        assert client.post("/settings/delete").status_code == 400
        client.post("/settings/delete", {"sure": "on"})
        guest.refresh_from_db()
        assert guest.is_deleted

    def test_a_challenge_that_nobody_else_can_accept_goes_too(self, at_home, account, other):
        challenge = set_table(other, invited=account)
        at_home.post("/settings/delete", {"password": PASSWORD})
        assert not Table.objects.filter(pk=challenge.pk).exists()

    def test_a_reported_line_stays_for_the_moderators(self, at_home, account, other):
        line = ChatLine.objects.create(user=account, text="rude")
        Report.objects.create(reporter=other, about=account, line=line, reason="rude")
        at_home.post("/settings/delete", {"password": PASSWORD})
        assert ChatLine.objects.get() == line

    def test_open_pages_and_streams_hear_of_it(self, account, other, monkeypatch):
        heard, everyone = [], []
        everything_of(account, other)
        monkeypatch.setattr(hub, "announce", lambda topic, message: heard.append((topic, message)))
        monkeypatch.setattr(hub, "tell_everyone", lambda topic, message: everyone.append((topic, message)))
        number = Token.objects.get().pk
        deletion.forget(account.pk)
        assert (lines.NAMES, {"type": "renamed", "old": "Ulno", "new": "deleted"}) in heard
        assert ("renamed", {"user": account.pk}) in everyone
        assert (tokens.REVOKED, {"token": number}) in everyone

    def test_twice_is_no_mistake(self, account):
        deletion.forget(account.pk)
        deletion.forget(account.pk)
        assert User.objects.get().username == f"deleted-{account.pk}"


def idle_guest(name, days=31):
    return User.objects.create_user(name, is_guest=True, seen=NOW - timedelta(days=days))


def purge(capsys):
    call_command("purge_guests", "--days", "30")
    return capsys.readouterr().out.strip()


@pytest.mark.django_db
class TestPurging:
    def test_an_idle_guest_without_matches_is_deleted(self, capsys):
        idle_guest("Calm-Fox")
        assert purge(capsys) == "1 guests deleted, 0 forgotten whose matches stay, 0 kept."
        assert not User.objects.exists()

    def test_an_idle_guest_with_a_finished_match_is_forgotten(self, capsys, other):
        guest = idle_guest("Calm-Fox")
        match = finished_match_of(guest, other)
        assert purge(capsys).startswith("0 guests deleted, 1 forgotten")
        guest.refresh_from_db()
        assert guest.is_deleted
        assert not guest.is_guest
        assert match.seatings.count() == GAME.rules.SEATS[0]

    def test_sessions_that_are_over_are_cleared_away(self, client):
        client.post("/guest")
        lasting = Session.objects.get()
        Session.objects.create(session_key="over", session_data="", expire_date=timezone.now())
        call_command("clearsessions")
        assert Session.objects.get() == lasting

    def test_a_guest_who_is_deleted_leaves_no_session(self, client, capsys):
        client.post("/guest")
        User.objects.update(seen=NOW - timedelta(days=31))
        assert purge(capsys).startswith("1 guests deleted")
        assert not Session.objects.exists()

    def test_purge_deletes_records_of_ended_sessions(self, client, capsys):
        client.post("/guest")
        lasting = Session.objects.get()
        UserSession.objects.create(user=User.objects.get(), session_key="gone", ip="127.0.0.1")
        purge(capsys)
        assert (Session.objects.get(), UserSession.objects.get().session_key) == (
            lasting,
            lasting.session_key,
        )

    def test_an_idle_guest_who_entered_a_tournament_is_forgotten(self, capsys):
        guest = idle_guest("Calm-Fox")
        tournaments.entered(User.objects.create_user("Organiser"), [guest], guests=True)
        assert purge(capsys) == "0 guests deleted, 1 forgotten whose matches stay, 0 kept."

    def test_purge_keeps_guest_in_match(self, capsys, other):
        guest = idle_guest("Calm-Fox")
        match_of(guest, other)
        assert purge(capsys).endswith("1 kept.")
        guest.refresh_from_db()
        assert guest.username == "Calm-Fox"

    @pytest.mark.django_db(transaction=True)
    def test_a_match_that_nobody_goes_on_with_keeps_no_guest(self, capsys, other):
        guest = idle_guest("Calm-Fox")
        match = match_of(other, guest)
        finished.play(match, "1", at=NOW - timedelta(days=60))
        Match.objects.update(created=NOW - timedelta(days=60))

        async def sweep():
            service = matches.Matches(Hub())
            await service.end_idle()
            await service.close()

        async_to_sync(sweep)()
        assert purge(capsys).startswith("0 guests deleted, 1 forgotten")

    def test_guests_who_were_here_lately_and_accounts_are_not_concerned(self, capsys):
        idle_guest("Calm-Fox", days=29)
        User.objects.create_user("Old-Account", seen=NOW - timedelta(days=900))
        purge(capsys)
        assert User.objects.count() == 2

    def test_the_table_of_an_idle_guest_is_cleared_away(self, capsys, other):
        guest = idle_guest("Calm-Fox")
        set_table(guest)
        chair = set_table(other)
        Table.objects.filter(pk=chair.pk).update(seats=2)
        purge(capsys)
        assert list(Table.objects.all()) == [chair]

    def test_no_days_is_no_answer(self):
        with pytest.raises(CommandError):
            call_command("purge_guests", "--days", "0")

    def test_purge_deletes_seatings_of_guest(self, capsys):
        idle_guest("Calm-Fox")
        purge(capsys)
        assert not Seating.objects.exists()


@pytest.mark.django_db(transaction=True)
class TestAtOnce:
    """Whoever begins the match of a table holds the table, then needs its players."""

    @pytest.mark.parametrize(
        "go",
        [lambda guest: deletion.erase_guests([guest.pk]), lambda guest: deletion.forget(guest.pk)],
        ids=["erased", "forgotten"],
    )
    def test_a_guest_goes_while_the_match_of_their_table_begins(self, go):
        host, other = tournaments.people("Ada Bo")
        guest = User.objects.create_user("Quiet-Owl", is_guest=True)
        options = GAMES["aces"].rules.Options()
        table = tables.set_table(host, "aces", options, 3, "lot")
        tables.sit_down(guest, table.pk)
        failed = meanwhile(
            lambda: tables.locked(table.pk, coming=other),
            lambda: go(guest),
            lambda: tables.sit_down(other, table.pk),
        )
        assert failed is None
        assert Seating.objects.filter(user=guest).exists()


@pytest.mark.django_db
class TestSeen:
    def test_last_seen_written_every_ten_minutes_at_most(self):
        user = User.objects.create_user("Ulno", seen=NOW - timedelta(minutes=11))
        person.saw(user.pk)
        user.refresh_from_db()
        first = user.seen
        assert first >= NOW
        person.saw(user.pk)
        user.refresh_from_db()
        assert user.seen == first
