"""Moderators: every deed through the admin, what it does to people, and its trace in the log."""

import re
from datetime import timedelta

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from games.net.hub import hub
from games.registry import GAMES
from lobby.accounts.deletion import forget
from lobby.accounts.export import everything_about
from lobby.accounts.models import Remark
from lobby.appeals import appeals
from lobby.appeals.models import Appeal
from lobby.chat import lines
from lobby.chat.models import ChatLine, Report
from lobby.moderation import moderation
from lobby.moderation.moderation import ModerationError
from lobby.moderation.moderators import NAME, RIGHTS
from lobby.pairing import pairing_options, queue
from lobby.pairing.models import Seek
from lobby.people.models import User
from lobby.ratings.models import Rating
from lobby.tables.challenges import challenge
from lobby.tables.models import Table
from lobby.tables.tables import TableTerms, set_table, sit_down
from tests.helpers.readers import read_english
from tests.helpers.second_factor import give_second_factor

pytestmark = pytest.mark.django_db

CIRCLE = GAMES["kalah"].rules.PRESETS["circle"]
STRICT = GAMES["cantstop"].rules.PRESETS["strict"]
PASSWORD = "a long enough password"


@pytest.fixture
def moderator():
    """Somebody with nothing but what the group gives."""
    user = User.objects.create_user("Moderator", is_staff=True)
    user.groups.add(Group.objects.get(name=NAME))
    return user


@pytest.fixture
def desk(moderator):
    """The moderator's browser."""
    return signed_in(moderator)


@pytest.fixture
def ulno():
    return User.objects.create_user("Ulno", password=PASSWORD)


@pytest.fixture
def artjom():
    return User.objects.create_user("Artjom", password=PASSWORD)


@pytest.fixture
def told(monkeypatch, django_capture_on_commit_callbacks):
    """What browsers are told, by topic, once the block `with told() as messages:` is left."""
    announced = []
    monkeypatch.setattr(hub, "announce", lambda topic, message: announced.append((topic, message)))
    return announced


@pytest.fixture
def admin_client(admin_user):
    """The administrator's browser."""
    return signed_in(admin_user)


def signed_in(user):
    """Somebody's browser; staff have given their second factor."""
    client = Client()
    client.force_login(user)
    if user.is_staff:
        give_second_factor(client, user)
    return client


def press(client, model, action, *targets, **answers):
    """Choose an action of a list in the admin; with answers, as the form that asks sends it."""
    data = {"action": action, "_selected_action": [target.pk for target in targets]}
    if answers:
        data |= {"confirmed": "yes", **answers}
    return client.post(f"/admin/lobby/{model}/", data, follow=True)


def entry():
    """The only entry of the log: who, to whom, what and why."""
    found = LogEntry.objects.get()
    return found.user.username, found.object_repr, found.get_change_message()


def line_of(user, text="something rude"):
    return ChatLine.objects.create(user=user, text=text)


class TestBan:
    def test_a_ban_asks_for_a_reason_first(self, desk, ulno):
        answer = press(desk, "user", "ban", ulno)
        assert "The person will see this." in answer.text
        ulno.refresh_from_db()
        assert ulno.is_active

    def test_ban_without_reason_refused(self, desk, ulno):
        answer = press(desk, "user", "ban", ulno, reason=" ", days="7")
        assert "This field is required." in answer.text
        ulno.refresh_from_db()
        assert ulno.is_active
        assert not LogEntry.objects.exists()

    def test_a_ban_for_days(self, desk, ulno):
        press(desk, "user", "ban", ulno, reason="spam", days="7")
        ulno.refresh_from_db()
        left = ulno.banned_until - timezone.now()
        assert not ulno.is_active
        assert timedelta(days=6, hours=23) < left <= timedelta(days=7)
        assert ulno.ban_reason == "spam"
        who, whom, what = entry()
        assert (who, whom) == ("Moderator", "Ulno")
        assert re.fullmatch(r"Banned until .+ UTC\. Reason: spam", what)

    def test_a_ban_for_good(self, desk, ulno):
        press(desk, "user", "ban", ulno, reason="spam", days="")
        ulno.refresh_from_db()
        assert (ulno.is_active, ulno.banned_until) == (False, None)
        assert entry() == ("Moderator", "Ulno", "Banned permanently. Reason: spam")

    def test_several_people_are_banned_at_once_each_with_an_entry(self, desk, ulno, artjom):
        press(desk, "user", "ban", ulno, artjom, reason="spam", days="1")
        assert User.objects.filter(is_active=False).count() == 2
        assert LogEntry.objects.count() == 2

    def test_ban_signs_user_out(self, desk, ulno):
        browser = signed_in(ulno)
        assert browser.get("/people").status_code == 200
        press(desk, "user", "ban", ulno, reason="spam", days="7")
        assert browser.get("/people").status_code == 302

    def test_a_ban_is_a_saved_person(self, ulno, moderator, django_user_model):
        """Whoever closes sockets hears of it by the signal that saving sends."""
        from django.db.models.signals import post_save

        saved = []

        def hear(instance, **_):
            saved.append(instance.is_active)

        post_save.connect(hear, sender=django_user_model)
        try:
            moderation.ban(moderator, ulno, "spam")
        finally:
            post_save.disconnect(hear, sender=django_user_model)
        assert saved == [False]

    def test_open_tables_of_who_is_banned_are_cleared(self, desk, ulno, artjom):
        own = set_table(ulno, "cantstop", STRICT, 3, "host")
        other = set_table(artjom, "cantstop", STRICT, 3, "host")
        sit_down(ulno, other.pk)
        press(desk, "user", "ban", ulno, reason="spam", days="7")
        assert not Table.objects.filter(pk=own.pk).exists()
        assert [chair.user for chair in other.chairs.all()] == [artjom]

    def test_a_challenge_to_a_banned_person_is_cleared(self, desk, ulno, artjom):
        challenge(artjom, ulno, "kalah", CIRCLE, "host", TableTerms())
        press(desk, "user", "ban", ulno, reason="spam", days="7")
        assert not Table.objects.exists()

    def test_ban_cancels_seek(self, desk, ulno):
        queue.enter(ulno, pairing_options.Tile("kalah", "circle", "", False))
        press(desk, "user", "ban", ulno, reason="spam", days="7")
        assert not Seek.objects.exists()

    def test_moderators_cannot_ban_themselves_or_the_staff(self, desk, moderator):
        other = User.objects.create_user("Colleague", is_staff=True)
        answer = press(desk, "user", "ban", moderator, other, reason="fun", days="")
        assert "You cannot do that to yourself." in answer.text
        assert "Colleague is a staff member." in answer.text
        assert not User.objects.filter(is_active=False).exists()
        assert not LogEntry.objects.exists()

    def test_a_ban_ends_in_the_future(self, moderator, ulno):
        with pytest.raises(ModerationError) as refusal:
            moderation.ban(moderator, ulno, "spam", timezone.now())
        assert refusal.value.code == "past"

    def test_a_ban_can_be_lifted(self, desk, ulno, moderator):
        moderation.ban(moderator, ulno, "spam")
        LogEntry.objects.all().delete()
        press(desk, "user", "lift", ulno, reason="a mistake")
        ulno.refresh_from_db()
        assert (ulno.is_active, ulno.ban_reason) == (True, "")
        assert entry() == ("Moderator", "Ulno", "Ban lifted. Reason: a mistake")

    def test_ban_lift_without_ban_refused(self, desk, ulno):
        assert "Ulno is not banned." in press(desk, "user", "lift", ulno, reason="").text
        assert not LogEntry.objects.exists()


class TestSignsOfEngineHelp:
    def test_a_moderator_looks_at_the_moves_of_a_person(self, desk, ulno):
        page = press(desk, "user", "agreement", ulno).text
        assert "No rated matches." in page
        figures = {"deviation": 60, "volatility": 0.06, "matches": 9, "updated": timezone.now()}
        for game in ("kalah", "gone"):
            Rating.objects.create(user=ulno, game=game, family="circle", pool="two", rating=1500, **figures)
        page = press(desk, "user", "agreement", ulno).text
        assert "Kalah, Circle, 1500" in page
        assert "gone, circle, 1500" in page
        assert "Ulno: analysis requested." in press(desk, "user", "analyse", ulno).text


class TestDeletedAccounts:
    def test_open_reports_about_a_deleted_account_are_closed(self, ulno, artjom):
        Report.objects.create(reporter=artjom, about=ulno, reason="insults me")
        Report.objects.create(reporter=artjom, about=ulno, reason="did it before", verdict="acted")
        Report.objects.create(reporter=ulno, about=artjom, reason="insults me")
        forget(ulno.pk)
        told = Report.objects.order_by("pk").values_list("about__username", "verdict")
        assert list(told) == [
            *((f"deleted-{ulno.pk}", "gone"), (f"deleted-{ulno.pk}", "acted")),
            ("Artjom", "open"),
        ]


class TestMute:
    def test_a_mute_asks_for_a_reason_and_always_ends(self, desk, ulno, artjom):
        Report.objects.create(reporter=artjom, about=ulno, reason="insults me")
        assert "permanently" not in press(desk, "user", "mute", ulno).text
        press(desk, "user", "mute", ulno, reason=" ", days="1")
        press(desk, "user", "mute", ulno, reason="insults", days="")
        assert not LogEntry.objects.exists()
        press(desk, "user", "mute", ulno, reason="insults", days="1")
        ulno.refresh_from_db()
        assert ulno.is_active
        assert timedelta(hours=23) < ulno.muted_until - timezone.now() <= timedelta(days=1)
        assert re.fullmatch(r"Muted until .+ UTC\. Reason: insults", entry()[2])
        assert Report.objects.get().verdict == "acted"

    def test_mute_notice_shown_until_it_ends(self, ulno, moderator):
        moderation.mute(moderator, ulno, "insults & lies", timezone.now() + timedelta(days=1))
        browser = signed_in(ulno)
        page = browser.get("/").text
        assert re.search(r"You cannot write in chats until .+ UTC\. Reason: insults &amp; lies", page)
        assert 'data-mute="writing" hidden' in page
        with pytest.raises(lines.Muted) as refused:
            lines.say(ulno.pk, "command-1", "hello")
        assert refused.value.words.endswith("Reason: insults & lies")
        User.objects.update(muted_until=timezone.now())
        assert 'data-mute="writing">' in browser.get("/").text
        assert lines.say(ulno.pk, "command-1", "hello")

    def test_open_pages_hear_of_a_mute_and_of_its_end_in_their_language(
        self, told, ulno, moderator, django_capture_on_commit_callbacks
    ):
        with django_capture_on_commit_callbacks(execute=True):
            moderation.mute(moderator, ulno, "insults", timezone.now() + timedelta(days=1))
        heard = {topic: message["muted"] for topic, message in told if message["type"] == "muted"}
        assert heard.keys() == {f"person.{ulno.pk}.{language}" for language in ("en", "ru", "et")}
        assert len({muted["words"] for muted in heard.values()}) == 3
        assert all("insults" in muted["words"] for muted in heard.values())
        assert 86_390_000 < heard[f"person.{ulno.pk}.en"]["left"] <= 86_400_000
        told.clear()
        with django_capture_on_commit_callbacks(execute=True):
            moderation.unmute(moderator, ulno)
        assert [message for _topic, message in told] == [{"type": "muted", "muted": None}] * 3

    def test_a_mute_can_be_lifted_once(self, desk, ulno, moderator):
        moderation.mute(moderator, ulno, "insults", timezone.now() + timedelta(days=1))
        press(desk, "user", "unmute", ulno, reason="a mistake")
        ulno.refresh_from_db()
        assert (ulno.muted_until, ulno.mute_reason) == (None, "")
        assert LogEntry.objects.first().get_change_message() == "Mute lifted. Reason: a mistake"
        assert "Ulno is not muted." in press(desk, "user", "unmute", ulno, reason="").text

    def test_a_mute_from_a_report(self, desk, ulno, artjom):
        report = Report.objects.create(reporter=artjom, about=ulno, reason="insults me")
        press(desk, "report", "mute_person", report, reason="insults", days="3")
        ulno.refresh_from_db()
        assert lines.mute_of(ulno) is not None

    @pytest.mark.parametrize(
        ("changes", "code"),
        [
            ({"is_staff": True}, "staff"),
            ({"computer": "easy"}, "computer"),
            ({"is_deleted": True}, "deleted"),
            ({}, "past"),
        ],
    )
    def test_mute_of_protected_user_refused(self, moderator, ulno, changes, code):
        User.objects.filter(pk=ulno.pk).update(**changes)
        with pytest.raises(ModerationError) as refusal:
            moderation.mute(moderator, ulno, "insults", timezone.now())
        assert refusal.value.code == code


class TestComingBack:
    def log_in(self, user):
        return Client().post("/accounts/login/", {"login": user.username, "password": PASSWORD}, follow=True)

    def test_login_of_banned_user_shows_reason_and_end(self, ulno, moderator):
        moderation.ban(moderator, ulno, "spam & <lies>", timezone.now() + timedelta(days=7))
        answer = self.log_in(ulno)
        assert "Reason: spam &amp; &lt;lies&gt;" in answer.text
        assert re.search(r"banned from this site until .+ UTC", answer.text)
        assert not answer.wsgi_request.user.is_authenticated

    def test_a_wrong_password_tells_nothing(self, ulno, moderator):
        moderation.ban(moderator, ulno, "spam")
        answer = Client().post("/accounts/login/", {"login": "Ulno", "password": "wrong"}, follow=True)
        assert "spam" not in answer.text

    def test_signing_in_works_again_after_the_end(self, ulno, moderator):
        moderation.ban(moderator, ulno, "spam", timezone.now() + timedelta(days=7))
        User.objects.update(banned_until=timezone.now())
        answer = self.log_in(ulno)
        assert answer.wsgi_request.user == ulno
        ulno.refresh_from_db()
        assert (ulno.is_active, ulno.banned_until, ulno.ban_reason) == (True, None, "")

    def test_a_guest_who_has_only_a_cookie_comes_back_after_the_end(self, moderator):
        guest = User.objects.create_user("Brave-Otter", is_guest=True)
        browser = signed_in(guest)
        moderation.ban(moderator, guest, "spam", timezone.now() + timedelta(days=7))
        assert browser.get("/people").status_code == 302
        browser = signed_in(guest)
        User.objects.update(banned_until=timezone.now())
        assert browser.get("/people").status_code == 200

    def test_ban_of_deleted_account_not_lifted(self, ulno):
        User.objects.update(is_active=False, is_deleted=True, banned_until=timezone.now())
        ulno.refresh_from_db()
        assert not moderation.lift_if_over(ulno)

    def test_an_account_that_is_off_for_another_reason_stays_off(self, ulno):
        User.objects.update(is_active=False)
        assert "It has been switched off." in self.log_in(ulno).text


class TestRename:
    def test_a_new_name_that_was_chosen(self, desk, ulno):
        press(desk, "user", "rename", ulno, reason="rude name", name="Better-Name")
        ulno.refresh_from_db()
        assert ulno.username == "Better-Name"
        assert entry() == (
            "Moderator",
            "Better-Name",
            "Renamed from Ulno to Better-Name. Reason: rude name",
        )

    def test_a_friendly_name_where_none_was_chosen(self, desk, ulno):
        press(desk, "user", "rename", ulno, reason="rude name", name="")
        ulno.refresh_from_db()
        assert re.fullmatch(r"[A-Z][a-z]+-[A-Z][a-z]+(-\d+)?", ulno.username)

    def test_a_reason_is_required(self, desk, ulno):
        press(desk, "user", "rename", ulno, reason="", name="Better-Name")
        ulno.refresh_from_db()
        assert ulno.username == "Ulno"

    @pytest.mark.parametrize("name", ["ab", "two words", "artjom", "Ulno", "Moderator", "admin"])
    def test_the_rules_of_names_hold(self, desk, ulno, artjom, name):
        answer = press(desk, "user", "rename", ulno, reason="rude name", name=name)
        assert 'class="error"' in answer.text
        ulno.refresh_from_db()
        assert ulno.username == "Ulno"
        assert not LogEntry.objects.exists()

    def test_rename_shown_everywhere_at_once(self, moderator, ulno, told, django_capture_on_commit_callbacks):
        table = set_table(ulno, "kalah", CIRCLE, 2, "host")
        with django_capture_on_commit_callbacks(execute=True):
            moderation.rename(moderator, ulno, "rude name", "Better-Name")
        assert (lines.NAMES, {"type": "renamed", "old": "Ulno", "new": "Better-Name"}) in told
        read = [message for topic, message in told if read_english(topic)]
        shown = [message["table"] for message in read if message["type"] == "table"]
        assert [(each["id"], each["host"]) for each in shown] == [(table.pk, "Better-Name")]


class TestRemarks:
    def test_moderators_read_remarks_and_the_person_only_in_the_export_without_the_author(self, desk, ulno):
        press(desk, "user", "remark", ulno, text="Same   jokes as <Artjom>")
        page = desk.get(f"/admin/lobby/user/{ulno.pk}/change/").text
        assert "<strong>Moderator</strong>: Same jokes as &lt;Artjom&gt;" in page
        assert entry() == ("Moderator", "Ulno", "Remark written.")
        (remark,) = everything_about(ulno)["remarks_of_moderators"]
        assert (set(remark), remark["text"]) == ({"text", "created"}, "Same jokes as <Artjom>")
        forget(ulno.pk)
        assert not Remark.objects.exists()

    @pytest.mark.parametrize(
        ("text", "deleted", "code"),
        [("\u200b", False, "empty"), ("x" * 501, False, "too-long"), ("rude", True, "deleted")],
    )
    def test_remark_invalid_refused(self, moderator, ulno, text, deleted, code):
        User.objects.filter(pk=ulno.pk).update(is_deleted=deleted)
        with pytest.raises(ModerationError) as refused:
            moderation.remark(moderator, ulno, text)
        assert refused.value.code == code
        assert not Remark.objects.exists()


class TestLines:
    def test_a_line_is_hidden_and_shown_again(self, desk, ulno, told, django_capture_on_commit_callbacks):
        line = line_of(ulno)
        with django_capture_on_commit_callbacks(execute=True):
            press(desk, "chatline", "hide", line)
        assert told == [(lines.LOBBY.topic, {"type": "line-gone", "id": line.pk})]
        assert entry() == ("Moderator", "Ulno: something rude", "Message hidden.")
        assert lines.latest(None)["lines"] == []
        with django_capture_on_commit_callbacks(execute=True):
            press(desk, "chatline", "show", line)
        assert told[-1] == (lines.LOBBY.topic, {"type": "line", "line": lines.fields(line)})
        assert LogEntry.objects.first().get_change_message() == "Message shown again."


class TestTables:
    def test_a_table_is_closed_and_lobbies_hear_of_it(
        self, desk, ulno, told, django_capture_on_commit_callbacks
    ):
        table = set_table(ulno, "kalah", CIRCLE, 2, "host")
        assert "Why?" in press(desk, "table", "close", table).text
        with django_capture_on_commit_callbacks(execute=True):
            press(desk, "table", "close", table, reason="a rude title")
        assert not Table.objects.exists()
        assert ("table-gone", table.pk) in [(message["type"], message.get("id")) for _topic, message in told]
        who, whom, what = entry()
        assert (who, what) == ("Moderator", "Table closed. Reason: a rude title")
        assert whom == f"{table.pk} (Ulno)"

    def test_a_table_whose_match_has_begun_stays(self, desk, ulno, artjom):
        table = set_table(ulno, "kalah", CIRCLE, 2, "host")
        sit_down(artjom, table.pk)
        assert "The match has already begun." in press(desk, "table", "close", table, reason="").text
        assert Table.objects.count() == 1
        assert not LogEntry.objects.exists()


class TestReports:
    @pytest.fixture
    def report(self, ulno, artjom):
        return Report.objects.create(reporter=artjom, about=ulno, line=line_of(ulno), reason="insults me")

    def test_a_report_shows_the_line_in_its_context_and_earlier_reports(self, desk, report, ulno, artjom):
        line_of(artjom, "the answer")
        Report.objects.create(reporter=artjom, about=ulno, reason="did it before", verdict="dismissed")
        page = desk.get(f"/admin/lobby/report/{report.pk}/change/").text
        for shown in ("something rude", "the answer", "did it before", "insults me", "Ban the person"):
            assert shown in page

    def test_open_reports_can_be_filtered(self, desk, report, ulno, artjom):
        Report.objects.create(reporter=artjom, about=ulno, reason="did it before", verdict="dismissed")
        page = desk.get("/admin/lobby/report/?verdict__exact=open").text
        assert "insults me" in page
        assert "did it before" not in page

    def test_the_line_is_hidden(self, desk, report):
        press(desk, "report", "hide_line", report)
        report.refresh_from_db()
        assert (report.line.hidden, report.verdict) == (True, "acted")
        assert entry() == ("Moderator", "Ulno: something rude", "Message hidden. Reason: insults me")

    def test_the_person_is_banned_and_every_report_about_them_is_decided(self, desk, report, ulno, artjom):
        Report.objects.create(reporter=artjom, about=ulno, reason="another")
        assert "For how long?" in press(desk, "report", "ban_person", report).text
        press(desk, "report", "ban_person", report, reason="insults", days="3")
        ulno.refresh_from_db()
        assert not ulno.is_active
        assert {each.verdict for each in Report.objects.all()} == {"acted"}
        assert entry()[:2] == ("Moderator", "Ulno")

    def test_a_report_is_dismissed_once(self, desk, report):
        press(desk, "report", "dismiss", report)
        report.refresh_from_db()
        assert report.verdict == "dismissed"
        assert entry() == ("Moderator", "Artjom about Ulno: insults me", "Report dismissed.")
        assert "already been decided" in press(desk, "report", "dismiss", report).text
        assert LogEntry.objects.count() == 1

    def test_a_report_about_no_line_has_none_to_hide(self, desk, ulno, artjom):
        report = Report.objects.create(reporter=artjom, about=ulno, reason="the name")
        assert "Not about a message." in press(desk, "report", "hide_line", report).text
        assert not LogEntry.objects.exists()


PAGE = {"Accept": "text/html,*/*;q=0.8"}
"""What browsers send where they open a page."""


class TestAppeals:
    @pytest.fixture
    def banned(self, ulno, moderator):
        moderation.ban(moderator, ulno, "cheating")
        LogEntry.objects.all().delete()
        return ulno

    def log_in(self, client):
        return client.post("/accounts/login/", {"login": "Ulno", "password": PASSWORD})

    def send(self, client, text="I did not"):
        token = re.search(r'name="token" value="([^"]+)"', self.log_in(client).text)[1]
        return client.post("/appeal", {"token": token, "text": text})

    def test_appeal_of_banned_user_one_at_a_time(self, client, banned):
        answer = self.send(client)
        assert (answer.status_code, "A moderator will read it." in answer.text) == (200, True)
        page = self.log_in(client).text
        assert "I did not" in page
        assert 'name="token"' not in page
        token = appeals.token_for(banned)
        client.post("/appeal", {"token": token, "text": "once more"})
        assert Appeal.objects.get().text == "I did not"

    def test_a_moderator_accepts_which_lifts_the_ban(self, client, desk, banned):
        self.send(client)
        press(desk, "appeal", "accept", Appeal.objects.get(), answer="Our mistake")
        assert self.log_in(client).status_code == 302
        assert (Appeal.objects.get().verdict, Appeal.objects.get().answer) == ("accepted", "Our mistake")
        assert LogEntry.objects.filter(change_message="Appeal accepted. Reason: Our mistake").exists()

    def test_a_moderator_declines_and_the_person_reads_why(self, client, desk, banned):
        self.send(client)
        press(desk, "appeal", "decline", Appeal.objects.get(), answer="The log is clear")
        page = self.log_in(client).text
        assert "The log is clear" in page
        assert 'name="token"' in page
        with pytest.raises(ModerationError) as refused:
            moderation.accept_appeal(User.objects.get(username="Moderator"), Appeal.objects.get())
        assert refused.value.code == "appeal-decided"

    def test_another_moderator_answers_than_the_one_who_acted(self, client, desk, banned, moderator):
        self.send(client)
        appeal = Appeal.objects.get()
        colleague = User.objects.create_user("Colleague", is_staff=True)
        colleague.groups.add(Group.objects.get(name=NAME))
        for action in ("accept", "decline"):
            assert "Another moderator must answer" in press(desk, "appeal", action, appeal, answer="").text
        appeal.refresh_from_db()
        assert appeal.verdict == "open"
        User.objects.filter(pk=colleague.pk).update(is_staff=False)
        moderation.decline_appeal(moderator, appeal)
        User.objects.filter(pk=colleague.pk).update(is_staff=True)
        with pytest.raises(ModerationError) as refused:
            moderation.accept_appeal(colleague, appeal)
        assert refused.value.code == "appeal-decided"

    def test_appeal_of_muted_user_from_notice(self, desk, ulno, moderator):
        browser = signed_in(ulno)
        assert browser.get("/mute")["Location"] == "/"
        moderation.mute(moderator, ulno, "insults", timezone.now() + timedelta(days=1))
        assert "Explain why it is wrong." in browser.post("/mute", {"text": " "}).text
        assert browser.post("/mute", {"text": "I did not"})["Location"] == "/mute"
        assert "A moderator will read it." in browser.get("/mute").text
        press(desk, "appeal", "decline", Appeal.objects.get(), answer="The log is clear")
        page = browser.get("/mute").text
        assert "The log is clear" in page
        assert "Send the appeal" in page
        browser.post("/mute", {"text": "Look again"})
        press(desk, "appeal", "accept", Appeal.objects.get(verdict="open"), answer="Our mistake")
        ulno.refresh_from_db()
        assert lines.mute_of(ulno) is None
        assert browser.post("/mute", {"text": "once more"})["Location"] == "/"

    def test_an_appeal_is_answered_even_when_the_mute_is_over(self, ulno, moderator):
        moderation.mute(moderator, ulno, "insults", timezone.now() + timedelta(days=1))
        appeal = appeals.appeal(ulno, "I did not", Appeal.Against.MUTE)
        User.objects.update(muted_until=timezone.now())
        moderation.accept_appeal(moderator, Appeal.objects.get(pk=appeal.pk), "Our mistake")
        assert Appeal.objects.get().answer == "Our mistake"

    def test_an_appeal_is_settled_when_the_ban_is_lifted(self, client, banned, moderator):
        self.send(client)
        moderation.lift(moderator, banned)
        assert Appeal.objects.get().verdict == "accepted"

    def test_three_a_month_are_enough(self, client, banned):
        for _ in range(3):
            assert self.send(client).status_code == 200
            Appeal.objects.update(verdict="declined")
        answer = self.send(client)
        assert (answer.status_code, answer["Retry-After"]) == (429, "86400")
        assert "several appeals recently" in answer.text

    @pytest.mark.parametrize(("text", "why"), [(" ", "Explain why"), ("x" * 501, "at most 500 characters")])
    def test_appeal_invalid_refused(self, client, banned, text, why):
        answer = self.send(client, text)
        assert (answer.status_code, why in answer.text) == (422, True)
        assert not Appeal.objects.exists()

    def test_a_banned_guest_sees_the_ban_on_every_page_and_appeals(self, desk, moderator):
        guest = User.objects.create_user("Brave-Otter", is_guest=True)
        browser = signed_in(guest)
        moderation.ban(moderator, guest, "rude words")
        for path in ("/", "/people", "/settings", "/rules/kalah"):
            page = browser.get(path, headers=PAGE)
            assert (page.status_code, "rude words" in page.text) == (403, True)
        sent = browser.post("/appeal", {"text": "I did not"}, headers=PAGE)
        assert (sent.status_code, "Open this site again later" in sent.text) == (200, True)
        press(desk, "appeal", "decline", Appeal.objects.get(), answer="The log is clear")
        assert "The log is clear" in browser.get("/", headers=PAGE).text
        browser.post("/appeal", {"text": "Look again"}, headers=PAGE)
        press(desk, "appeal", "accept", Appeal.objects.filter(verdict="open").get(), answer="Our mistake")
        assert browser.get("/people", headers=PAGE).status_code == 200
        assert browser.post("/appeal", {"token": appeals.token_for(guest), "text": "x"})["Location"] == "/"

    def test_a_banned_guest_can_log_in_read_who_is_responsible_and_ask_for_no_new_guest(self, moderator):
        guest = User.objects.create_user("Brave-Otter", is_guest=True)
        browser = signed_in(guest)
        moderation.ban(moderator, guest, "rude words")
        for path in ("/accounts/login/", "/privacy"):
            assert browser.get(path, headers=PAGE).status_code == 200
        assert browser.post("/guest", headers=PAGE).status_code == 403
        assert not User.objects.filter(is_guest=True).exclude(pk=guest.pk).exists()

    def test_a_session_from_before_a_new_password_shows_no_ban(self, moderator):
        guest = User.objects.create_user("Brave-Otter", is_guest=True)
        browser = signed_in(guest)
        guest.set_password(PASSWORD)
        guest.save()
        moderation.ban(moderator, guest, "rude words")
        assert "rude words" not in browser.get("/", headers=PAGE).text

    def test_appeal_with_invalid_token_redirects(self, client, ulno):
        for token in ("", "nonsense", appeals.token_for(ulno)):
            assert client.post("/appeal", {"token": token, "text": "x"})["Location"] == "/accounts/login/"
        assert not Appeal.objects.exists()


PAGES = [
    "",
    "lobby/report/",
    "lobby/appeal/",
    "lobby/user/",
    "lobby/table/",
    "lobby/chatline/",
    "admin/logentry/",
]


class TestWhoMay:
    @pytest.mark.parametrize("page", PAGES)
    def test_admin_pages_for_staff_only(self, client, ulno, page):
        for browser in (client, signed_in(ulno)):
            answer = browser.get(f"/admin/{page}")
            assert answer.status_code == 302
            assert answer["Location"].startswith("/admin/login/")

    @pytest.mark.parametrize(
        ("model", "action"),
        [
            ("user", "ban"),
            ("user", "mute"),
            ("user", "rename"),
            ("report", "dismiss"),
            ("chatline", "hide"),
            ("table", "close"),
        ],
    )
    def test_admin_actions_by_others_change_nothing(self, client, ulno, artjom, model, action):
        targets = {
            "user": artjom,
            "report": Report.objects.create(reporter=ulno, about=artjom, reason="rude"),
            "chatline": line_of(artjom),
            "table": set_table(artjom, "kalah", CIRCLE, 2, "host"),
        }
        onlooker = User.objects.create_user("Onlooker", is_staff=True)
        for browser in (client, signed_in(ulno), signed_in(onlooker)):
            press(browser, model, action, targets[model], reason="x", days="1", name="Other-Name")
        artjom.refresh_from_db()
        assert (artjom.is_active, artjom.username, artjom.muted_until) == (True, "Artjom", None)
        assert Report.objects.get().verdict == "open"
        assert not ChatLine.objects.get().hidden
        assert Table.objects.exists()
        assert not LogEntry.objects.exists()

    @pytest.mark.parametrize("page", PAGES)
    def test_moderators_get_in(self, desk, page):
        assert desk.get(f"/admin/{page}").status_code == 200

    def test_moderators_edit_nothing_by_hand(self, desk, ulno, artjom):
        report = Report.objects.create(reporter=artjom, about=ulno, reason="rude", line=line_of(ulno))
        table = set_table(ulno, "kalah", CIRCLE, 2, "host")
        targets = {"user": ulno, "report": report, "chatline": report.line, "table": table}
        for model, target in targets.items():
            page = f"/admin/lobby/{model}/{target.pk}"
            assert desk.get(f"{page}/change/").status_code == 200
            assert (
                desk.post(f"{page}/change/", {"username": "Other", "is_superuser": "on"}).status_code == 403
            )
            assert desk.post(f"{page}/delete/", {"post": "yes"}).status_code == 403
            assert desk.get(f"/admin/lobby/{model}/add/").status_code == 403
        assert desk.get(f"/admin/lobby/user/{ulno.pk}/password/").status_code == 403
        ulno.refresh_from_db()
        assert (ulno.username, ulno.is_superuser) == ("Ulno", False)

    def test_moderators_see_nothing_of_peoples_accounts(self, desk, ulno):
        User.objects.filter(pk=ulno.pk).update(email="ulno@example.org")
        page = desk.get(f"/admin/lobby/user/{ulno.pk}/change/").text
        assert "ulno@example.org" not in page
        assert "md5" not in page

    @pytest.mark.parametrize(
        "question",
        [
            "user/?email__startswith=ulno@",
            "user/?last_login__isnull=1",
            "user/?emailaddress__email__startswith=ulno@",
            "user/?preferences__language=en",
            "report/?about__email__startswith=ulno@",
            "chatline/?user__email__startswith=ulno@",
        ],
    )
    def test_moderators_learn_nothing_of_accounts_by_asking_the_address(self, desk, ulno, question):
        assert desk.get(f"/admin/lobby/{question}").status_code == 400
        log = desk.get("/admin/admin/logentry/?user__email__startswith=ulno@")
        assert log.status_code == 400

    @pytest.mark.parametrize(
        "shown",
        ["lobby/user/?is_guest__exact=0", "lobby/user/?q=Ulno", "lobby/report/?verdict__exact=open",
         "lobby/chatline/?at__gte=2026-01-01", "lobby/table/?match__isempty=1",
         "admin/logentry/?content_type__id__exact=1"],
    )  # fmt: skip
    def test_the_filters_beside_a_list_work(self, desk, ulno, shown):
        assert desk.get(f"/admin/{shown}").status_code == 200

    def test_the_log_cannot_be_changed_by_anybody(self, desk, ulno, admin_client, moderator):
        moderation.ban(moderator, ulno, "spam")
        page = f"/admin/admin/logentry/{LogEntry.objects.get().pk}"
        for browser in (desk, admin_client):
            assert "spam" in browser.get(f"{page}/change/").text
            assert browser.post(f"{page}/change/", {"change_message": "x"}).status_code == 403
            assert browser.post(f"{page}/delete/", {"post": "yes"}).status_code == 403
        assert LogEntry.objects.count() == 1

    def test_an_administrator_makes_a_moderator(self, admin_client, ulno):
        group = Group.objects.get(name=NAME)
        data = {"is_staff": "on", "groups": [group.pk]}
        admin_client.post(f"/admin/lobby/user/{ulno.pk}/change/", data)
        ulno.refresh_from_db()
        assert ulno.is_staff
        assert signed_in(ulno).get("/admin/lobby/report/").status_code == 200

    def test_an_administrator_adds_somebody(self, admin_client):
        passwords = {"password1": PASSWORD, "password2": PASSWORD, "usable_password": "true"}
        admin_client.post("/admin/lobby/user/add/", {"username": "Newcomer", **passwords})
        assert User.objects.get(username="Newcomer").check_password(PASSWORD)


class TestTheGroup:
    def test_moderators_group_has_exact_permissions(self):
        rights = Group.objects.get(name=NAME).permissions.values_list("content_type__app_label", "codename")
        assert set(rights) == set(RIGHTS)

    def test_migrating_again_changes_nothing(self):
        call_command("migrate", verbosity=0)
        assert Group.objects.filter(name=NAME).count() == 1
        self.test_moderators_group_has_exact_permissions()
