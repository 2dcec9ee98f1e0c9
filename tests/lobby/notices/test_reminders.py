"""E-mails about turns: who gets them, when, how many, and how they end."""

from __future__ import annotations

import re
from datetime import timedelta
from smtplib import SMTPServerDisconnected

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.urls import reverse
from django.utils import timezone

from games.domain.terms import Terms
from games.models import Match
from games.play import begin
from games.registry import GAMES
from lobby.accounts import deletion
from lobby.inbox import conversations
from lobby.notices import mails, reminders
from lobby.notices.models import Reminder
from lobby.notices.reminders import BETWEEN, PATIENCE, RETRY_DELAY, NoAddress, UnknownToken
from lobby.people.models import User
from lobby.vacations import vacations
from lobby.webhooks import signals
from tests.helpers.tournaments import begun, matches_of

# A match is announced once it is stored.
pytestmark = pytest.mark.django_db(transaction=True)

SITE = "https://parlour.example"
RULES = GAMES["kalah"].rules.PRESETS["circle"]
NOBODY: frozenset[int] = frozenset()


def match_between(*people, clock="3d"):
    return begin.create("kalah", RULES, people, terms=Terms(clock=clock))


def due(user):
    return Reminder.objects.get(pk=user.pk).due


def look(now, online=NOBODY):
    """What a server does every half minute."""
    for user_id in reminders.take(now, 20):
        mails.remind(user_id, now, online)
    return mail.outbox


@pytest.fixture
def now():
    return timezone.now()


@pytest.fixture
def writer(ulno):
    """Somebody who wants e-mails."""
    EmailAddress.objects.create(user=ulno, email="ulno@parlour.example", verified=True, primary=True)
    reminders.start(ulno, SITE)
    return ulno


class TestWhoIsWrittenTo:
    def test_reminder_not_sent_without_request(self, ulno, artjom, now):
        EmailAddress.objects.create(user=ulno, email="ulno@parlour.example", verified=True, primary=True)
        match_between(ulno, artjom)
        assert look(now + timedelta(days=2)) == []

    def test_reminder_not_sent_to_unconfirmed_address(self, ulno):
        EmailAddress.objects.create(user=ulno, email="ulno@parlour.example", verified=False, primary=True)
        with pytest.raises(NoAddress):
            reminders.start(ulno, SITE)
        assert not reminders.wanted_by(ulno.pk)

    def test_reminder_not_sent_to_deleted_address(self, writer, artjom, now):
        match_between(writer, artjom)
        EmailAddress.objects.all().delete()
        assert look(now + PATIENCE * 2) == []

    def test_reminder_sent_to_player_on_turn(self, writer, artjom, now):
        match = match_between(writer, artjom)
        (letter,) = look(now + PATIENCE * 2)
        assert letter.to == ["ulno@parlour.example"]
        assert letter.subject == "Your turn in Kalah against Artjom"
        assert f"{SITE}/m/{match.pk}" in letter.body
        assert f"You have until {match.deadline:%-d %B, %H:%M} UTC." in letter.body

    def test_reminder_not_sent_to_waiting_player(self, writer, artjom, now):
        match_between(artjom, writer)
        assert look(now + timedelta(days=2)) == []

    @pytest.mark.parametrize("clock", ["", "5+3"])
    def test_reminder_not_sent_for_live_match(self, writer, artjom, now, clock):
        match_between(writer, artjom, clock=clock)
        assert look(now + timedelta(days=2)) == []

    def test_reminder_not_sent_after_end(self, writer, artjom, now):
        match = match_between(writer, artjom)
        Match.objects.filter(pk=match.pk).update(status=Match.Status.FINISHED)
        assert look(now + PATIENCE * 2) == []
        assert due(writer) is None

    def test_reminder_delayed_while_user_online(self, writer, artjom, now):
        match_between(writer, artjom)
        later = now + PATIENCE * 2
        assert look(later, online=frozenset({writer.pk})) == []
        assert len(look(later + PATIENCE)) == 1


class TestOnVacation:
    def test_turn_told_when_vacation_is_over(self, writer, artjom, now):
        match_between(writer, artjom)
        vacation = vacations.take(writer, 7, None, "command-1")
        assert look(now + PATIENCE * 2) == []
        assert abs(due(writer) - vacation.ends) < timedelta(milliseconds=1)
        assert look(vacation.ends - timedelta(minutes=1)) == []
        assert len(look(vacation.ends)) == 1

    def test_turn_told_soon_after_vacation_ended_early(self, writer, artjom, now):
        match_between(writer, artjom)
        vacations.take(writer, 7, None, "command-1")
        assert look(now + PATIENCE * 2) == []
        vacations.end(writer, "command-2")
        assert len(look(now + PATIENCE * 2)) == 1

    def test_planned_vacation_keeps_nothing_back(self, writer, artjom, now):
        match_between(writer, artjom)
        vacations.take(writer, 7, now + timedelta(days=1), "command-1")
        assert len(look(now + PATIENCE * 2)) == 1

    def test_turn_told_in_tournament_without_vacations(self, writer, artjom, now):
        cup = begun(artjom, [writer, artjom, User.objects.create_user("Third")], clock="3d", vacations=False)
        mover = matches_of(cup)[0].seatings.get(seat=0)
        vacations.take(mover.user, 7, None, "command-1")
        EmailAddress.objects.filter(user=writer).update(user=mover.user)
        reminders.start(mover.user, SITE)
        signals.turns_came({mover.match_id: mover.user_id}, now)
        assert len(look(now + PATIENCE * 2)) == 1

    def test_messages_still_told(self, writer, artjom, now):
        match_between(writer, artjom)
        vacations.take(writer, 7, None, "command-1")
        conversations.send(artjom.pk, writer, "command-2", "Enjoy the sea!")
        (letter,) = look(now + PATIENCE * 2)
        assert letter.subject == "New messages from Artjom"


class TestWhen:
    def test_reminder_not_sent_before_patience(self, writer, artjom, now):
        match_between(writer, artjom)
        assert look(now + PATIENCE / 2) == []

    def test_one_a_day_about_all_that_waits(self, writer, artjom, now):
        first = now + PATIENCE * 2
        match_between(writer, artjom)
        assert len(look(first)) == 1
        match_between(writer, artjom)
        match_between(writer, artjom)
        assert len(look(first + BETWEEN - timedelta(minutes=1))) == 1
        assert len(look(first + BETWEEN + PATIENCE)) == 2
        assert mail.outbox[1].subject == "Your turn in 3 games"

    def test_changing_ones_mind_twice_makes_no_second_one(self, writer, artjom, now):
        match_between(writer, artjom)
        assert len(look(now + PATIENCE * 2)) == 1
        reminders.stop(writer.pk)
        reminders.start(writer, SITE)
        match_between(writer, artjom)
        assert len(look(now + BETWEEN)) == 1

    def test_turns_that_keep_coming_put_nothing_off(self, writer, artjom, now):
        match = match_between(writer, artjom)
        before = due(writer)
        signals.turns_came({match.pk: writer.pk}, now + timedelta(minutes=10))
        assert due(writer) == before

    def test_two_servers_write_once(self, writer, artjom, now):
        match_between(writer, artjom)
        later = now + PATIENCE * 2
        assert reminders.take(later, 20) == [writer.pk]
        assert reminders.take(later, 20) == []

    def test_reminder_failure_retried_after_an_hour(self, writer, artjom, now, monkeypatch):
        match_between(writer, artjom)
        later = now + PATIENCE * 2

        def refused(*_):
            raise SMTPServerDisconnected

        with monkeypatch.context() as away:
            away.setattr("django.core.mail.backends.locmem.EmailBackend.send_messages", refused)
            assert look(later) == []
        assert due(writer) == later + RETRY_DELAY
        assert len(look(later + RETRY_DELAY)) == 1


class TestTheEnd:
    def letter(self, writer, artjom, now):
        match_between(writer, artjom)
        (letter,) = look(now + PATIENCE * 2)
        return letter

    def test_mail_programs_find_a_button(self, writer, artjom, now, client):
        letter = self.letter(writer, artjom, now)
        address = letter.extra_headers["List-Unsubscribe"].strip("<>")
        assert address.startswith(f"{SITE}/reminders/stop/")
        assert letter.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        assert address in letter.body
        # They have no cookies, and send what RFC 8058 says.
        answer = client.post(address.removeprefix(SITE), {"List-Unsubscribe": "One-Click"})
        assert answer.status_code == 200
        assert not reminders.wanted_by(writer.pk)

    def test_opening_the_link_ends_nothing_before_it_is_confirmed(self, writer, client):
        page = client.get(reverse("stop-reminders", args=[reminders.token(writer.pk)]))
        assert reminders.wanted_by(writer.pk)
        assert re.search(r'<form method="post">', page.content.decode())

    @pytest.mark.parametrize("text", ["", "1", "1:nonsense"])
    def test_reminder_stop_with_invalid_token_not_found(self, writer, client, text):
        with pytest.raises(UnknownToken):
            reminders.whose(text)
        assert client.post(f"/reminders/stop/{text or 'x'}").status_code == 404
        assert reminders.wanted_by(writer.pk)

    def test_reminders_deleted_with_account(self, writer):
        deletion.forget(writer.pk)
        assert not Reminder.objects.exists()

    def test_a_press_in_the_settings_starts_and_ends_them(self, writer, client):
        client.force_login(writer, "lobby.auth.backends.PasswordBackend")
        client.post(reverse("reminders"), {"wanted": "0"})
        assert not reminders.wanted_by(writer.pk)
        client.post(reverse("reminders"), {"wanted": "1"}, headers={"host": "testserver"})
        assert Reminder.objects.get().site == "http://testserver"
        assert "ulno@parlour.example" in client.get(reverse("settings")).content.decode()

    def test_reminder_start_without_address_refused(self, ulno, client):
        client.force_login(ulno, "lobby.auth.backends.PasswordBackend")
        page = client.post(reverse("reminders"), {"wanted": "1"}, follow=True).content.decode()
        assert "Confirm an e-mail address first." in page
        assert not Reminder.objects.exists()
