"""The inbox: who may write to whom, what is stored, and what pages, programs and moderators see of it."""

import json
from datetime import timedelta

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from games.domain.refusals import Refused
from games.net.hub import hub
from games.net.limits import Buckets
from lobby.accounts import deletion
from lobby.accounts.export import everything_about
from lobby.chat.models import Report
from lobby.commands import CommandUsed
from lobby.inbox import conversations
from lobby.inbox.models import MESSAGE_LENGTH, Conversation, Message
from lobby.moderation import moderation, reports
from lobby.notices import mails, reminders
from lobby.people import preferences, relationships
from lobby.people.models import User
from lobby.tokens import tokens
from tests.helpers import accounts

pytestmark = pytest.mark.django_db

JSON = {"headers": {"Accept": "application/json"}}


@pytest.fixture(autouse=True)
def no_limit(monkeypatch):
    monkeypatch.setattr(conversations, "limits", Buckets(rate=0, burst=0))


@pytest.fixture
def artjom():
    """Accepts messages from everybody."""
    return User.objects.create_user("Artjom", preferences={"messages": preferences.EVERYONE})


def signed_in(user):
    client = Client()
    client.force_login(user, backend="lobby.auth.backends.PasswordBackend")
    return client


def send(sender, other, text="hello", command=None):
    return conversations.send(sender.pk, other, command or f"command-{Message.objects.count()}", text)


def refused(sender, other, text="hello"):
    """The code with which a message is refused, which stores nothing."""
    before = Message.objects.count()
    with pytest.raises(Refused) as refusal:
        conversations.send(sender and sender.pk, other, "command-refused", text)
    assert Message.objects.count() == before
    return refusal.value.code


def texts(reader, other):
    return [message.text for message in conversations.page(reader, other)[0]]


class TestWhoMayWrite:
    def test_message_from_followed_user_accepted_by_default(self, ulno, artjom):
        assert refused(artjom, ulno) == "not-accepted"
        relationships.follow(ulno, artjom)
        assert send(artjom, ulno)

    def test_message_from_opponent_accepted(self, ulno, artjom):
        accounts.begin_match([ulno.pk, artjom.pk], "kalah", False)
        assert send(artjom, ulno)

    @pytest.mark.parametrize("wanted", [preferences.KNOWN, preferences.NOBODY])
    def test_message_answer_accepted(self, ulno, artjom, wanted):
        preferences.save(ulno, "messages", wanted)
        send(ulno, artjom)
        assert send(artjom, ulno)

    def test_message_preference_nobody_refuses_new_authors(self, ulno, artjom):
        preferences.save(ulno, "messages", preferences.NOBODY)
        relationships.follow(ulno, artjom)
        assert refused(artjom, ulno) == "not-accepted"

    @pytest.mark.parametrize("blocker", ["sender", "recipient"])
    def test_a_block_ends_it_in_both_directions(self, ulno, artjom, blocker):
        send(ulno, artjom)
        relationships.block(*((ulno, artjom) if blocker == "sender" else (artjom, ulno)))
        assert refused(ulno, artjom) == "not-accepted"
        assert refused(artjom, ulno) == "not-accepted"

    def test_guests_visitors_and_computers_do_not(self, ulno, artjom):
        guest = User.objects.create_user("Brave-Otter", is_guest=True)
        computer = User.objects.create_user("Level-1", computer="kalah-1")
        assert refused(guest, artjom) == "no-account"
        assert refused(artjom, guest) == "not-accepted"
        assert refused(artjom, computer) == "not-accepted"
        assert refused(None, artjom) == "signed-out"
        assert refused(artjom, artjom) == "oneself"

    def test_message_of_muted_or_banned_author_refused(self, ulno, artjom, settings):
        moderator = User.objects.create_user("Moderator")
        moderation.mute(moderator, ulno, "insults", timezone.now() + timedelta(days=1))
        assert refused(ulno, artjom) == "muted"
        User.objects.filter(pk=ulno.pk).update(muted_until=None, is_active=False)
        assert refused(ulno, artjom) == "banned"
        User.objects.filter(pk=ulno.pk).update(is_active=True)
        settings.CHAT = False
        assert refused(ulno, artjom) == "chat-off"

    @pytest.mark.parametrize(
        ("text", "code"), [("", "empty"), (" \n\u200b ", "empty"), ("x" * (MESSAGE_LENGTH + 1), "too-long")]
    )
    def test_texts_that_are_refused(self, ulno, artjom, text, code):
        assert refused(ulno, artjom, text) == code

    def test_messages_a_minute_have_a_limit(self, ulno, artjom, monkeypatch):
        monkeypatch.setattr(conversations, "limits", Buckets(rate=1 / 1000, burst=2))
        sent = [send(ulno, artjom), send(ulno, artjom)]
        assert refused(ulno, artjom) == "too-fast"
        # Sent already: asking again costs nothing.
        assert send(ulno, artjom, command=sent[1].command) == sent[1]

    def test_new_people_a_day_have_a_limit(self, ulno, artjom, settings):
        settings.CONVERSATIONS_PER_DAY = 1
        send(ulno, artjom)
        other = User.objects.create_user("Third", preferences={"messages": preferences.EVERYONE})
        assert refused(ulno, other) == "too-many-conversations"
        assert send(ulno, artjom)
        Conversation.objects.update(created=timezone.now() - timedelta(days=2))
        assert send(ulno, other)


class TestWhatIsStored:
    def test_lines_stay_and_what_is_not_seen_goes(self, ulno, artjom):
        assert send(ulno, artjom, " one \r\n\n\n\n\u202etwo  words\n").text == "one\n\ntwo words"

    def test_a_command_stores_one_message(self, ulno, artjom):
        first = send(ulno, artjom, command="command-1")
        assert send(ulno, artjom, command="command-1") == first
        with pytest.raises(CommandUsed):
            send(ulno, artjom, "something else", command="command-1")
        assert texts(artjom, ulno) == ["hello"]

    def test_a_command_names_one_person(self, ulno, artjom):
        send(ulno, artjom, command="command-refused")
        other = User.objects.create_user("Mari", preferences={"messages": preferences.EVERYONE})
        assert refused(ulno, other) == "command-used"

    def test_older_messages_are_on_earlier_pages(self, ulno, artjom, monkeypatch):
        monkeypatch.setattr(conversations, "SHOWN", 2)
        for number in range(5):
            send(ulno, artjom, f"{number}")
        pages, before = [], None
        while not pages or before is not None:
            shown, before = conversations.page(artjom, ulno, before)
            pages.append([each.text for each in shown])
        assert pages == [["3", "4"], ["1", "2"], ["0"]]

    def test_an_answer_is_made_without_reading_the_message_again(
        self, ulno, artjom, django_assert_num_queries
    ):
        message = send(ulno, artjom)
        with django_assert_num_queries(0):
            assert conversations.fields(message)["recipient"] == "Artjom"

    def test_unread_is_counted_by_conversation_until_it_is_read(self, ulno, artjom):
        for _ in range(2):
            send(ulno, artjom)
        assert (conversations.unread(artjom.pk), conversations.unread(ulno.pk)) == (1, 0)
        conversations.read(artjom, ulno)
        assert conversations.unread(artjom.pk) == 0
        send(ulno, artjom)
        relationships.mute(artjom, ulno)
        assert conversations.unread(artjom.pk) == 0

    def test_open_pages_of_both_hear_of_it(
        self, ulno, artjom, monkeypatch, django_capture_on_commit_callbacks
    ):
        told = []
        monkeypatch.setattr(hub, "announce", lambda topic, message: told.append((topic, message)))
        with django_capture_on_commit_callbacks(execute=True):
            message = send(ulno, artjom)
        fields = conversations.fields(message)
        assert [(topic, each["message"], each["unread"]) for topic, each in told] == [
            (f"person.{ulno.pk}", fields, 0),
            (f"person.{artjom.pk}", fields, 1),
        ]
        told.clear()
        with django_capture_on_commit_callbacks(execute=True):
            conversations.read(artjom, ulno)
            conversations.read(artjom, ulno)
        assert told == [(f"person.{artjom.pk}", {"type": "unread", "unread": 0})]

    @pytest.mark.parametrize(
        "act",
        [
            lambda ulno, artjom: relationships.block(artjom, ulno),
            lambda ulno, artjom: relationships.mute(artjom, ulno),
            lambda ulno, _: deletion.forget(ulno.pk),
        ],
        ids=["block", "mute", "delete"],
    )
    def test_open_pages_hear_that_nothing_is_unread_without_the_sender(
        self, ulno, artjom, monkeypatch, django_capture_on_commit_callbacks, act
    ):
        send(ulno, artjom)
        told = []
        monkeypatch.setattr(hub, "announce", lambda topic, message: told.append((topic, message)))
        with django_capture_on_commit_callbacks(execute=True):
            act(ulno, artjom)
        assert (f"person.{artjom.pk}", {"type": "unread", "unread": 0}) in told

    def test_open_pages_hear_what_is_unread_again_after_a_mute(
        self, ulno, artjom, monkeypatch, django_capture_on_commit_callbacks
    ):
        send(ulno, artjom)
        relationships.mute(artjom, ulno)
        told = []
        monkeypatch.setattr(hub, "announce", lambda topic, message: told.append((topic, message)))
        with django_capture_on_commit_callbacks(execute=True):
            relationships.unmute(artjom, ulno)
        assert (f"person.{artjom.pk}", {"type": "unread", "unread": 1}) in told


class TestModeration:
    def test_a_hidden_message_is_neither_in_pages_nor_in_the_export_of_the_other(self, ulno, artjom):
        message = send(ulno, artjom, "something rude")
        report = reports.report(artjom, ulno, "rude", reports.find(artjom, ulno, "message", str(message.pk)))
        moderation.hide_message(User.objects.create_user("Moderator"), message)
        report.refresh_from_db()
        assert report.verdict == Report.Verdict.ACTED
        assert texts(artjom, ulno) == texts(ulno, artjom) == []
        assert conversations.unread(artjom.pk) == 0
        for user, found in ((ulno, 1), (artjom, 0)):
            client, other = signed_in(user), "Artjom" if user == ulno else "Ulno"
            assert "something rude" not in client.get("/inbox").text
            assert "something rude" not in client.get(f"/inbox/{other}").text
            assert len(everything_about(user)["messages"]) == found

    def test_report_of_message_to_another_refused(self, ulno, artjom):
        message = send(ulno, artjom)
        third = User.objects.create_user("Third")
        for reporter, about in ((third, ulno), (ulno, artjom), (artjom, third)):
            with pytest.raises(reports.UnknownSubject):
                reports.find(reporter, about, "message", str(message.pk))

    def test_an_account_that_goes_takes_its_messages_except_reported_ones(self, ulno, artjom):
        send(ulno, artjom, "mine")
        reported = send(ulno, artjom, "rude")
        send(artjom, ulno, "theirs")
        reports.report(artjom, ulno, "rude", reported)
        deletion.forget(ulno.pk)
        assert {each.text: each.hidden for each in Message.objects.all()} == {"rude": True, "theirs": False}
        ulno.refresh_from_db()
        assert texts(artjom, ulno) == ["theirs"]
        assert f"/inbox/{ulno.username}" in signed_in(artjom).get("/inbox").text
        deletion.forget(artjom.pk)
        assert not Conversation.objects.exists()


class TestPages:
    def test_inbox_page_works_without_script(self, ulno, artjom):
        client = signed_in(ulno)
        assert 'href="/inbox/Artjom"' in client.get("/@/Artjom").text
        form = client.get("/inbox/Artjom").text
        command = form.split('name="command" value="')[1].split('"')[0]
        for _ in range(2):
            answer = client.post("/inbox/Artjom", {"command": command, "text": "Good evening"}, follow=True)
        assert answer.redirect_chain == [("/inbox/Artjom", 302)]
        assert texts(artjom, ulno) == ["Good evening"]
        reader = signed_in(artjom)
        assert "Good evening" in reader.get("/inbox").text
        assert conversations.unread(artjom.pk) == 1
        assert "Good evening" in reader.get("/inbox/Ulno").text
        assert conversations.unread(artjom.pk) == 0

    def test_a_refused_message_stays_in_its_field(self, ulno, artjom):
        client = signed_in(ulno)
        long = "x" * (MESSAGE_LENGTH + 1)
        answer = client.post("/inbox/Artjom", {"text": long})
        assert (answer.status_code, long in answer.text) == (422, True)
        answer = client.post("/inbox/Artjom", {"text": " "}, **JSON)
        assert (answer.status_code, answer.json()["code"]) == (422, "empty")

    def test_inbox_page_without_permission_has_no_form(self, ulno, artjom):
        client = signed_in(artjom)
        assert "/inbox/Ulno" not in client.get("/@/Ulno").text
        page = client.get("/inbox/Ulno").text
        assert "You cannot write to Ulno." in page
        assert "message-form" not in page


class TestPrograms:
    def test_a_program_writes_reads_and_marks(self, ulno, artjom):
        mine = {"Authorization": f"Bearer {tokens.make(ulno, 'mine', ['chat'])}"}
        theirs = {"Authorization": f"Bearer {tokens.make(artjom, 'theirs', ['read', 'chat'])}"}
        client = Client()
        body = json.dumps({"id": "message-1", "text": "hello"})
        sent = [client.post("/api/v1/inbox/Artjom", body, "application/json", headers=mine) for _ in range(2)]
        assert [each.status_code for each in sent] == [201, 201]
        assert sent[0].json() == sent[1].json()
        assert client.get("/api/v1/inbox", headers=mine).status_code == 403
        told = client.get("/api/v1/inbox", headers=theirs).json()
        assert told == {
            "conversations": [{"name": "Ulno", "unread": True, "last": sent[0].json()}],
            "next": None,
        }
        page = client.get("/api/v1/inbox/Ulno", headers=theirs).json()
        assert page == {"messages": [sent[0].json()], "before": None}
        assert client.post("/api/v1/inbox/Ulno/read", headers=theirs).status_code == 204
        assert conversations.unread(artjom.pk) == 0
        assert client.get("/api/v1/inbox/Nobody", headers=theirs).json()["code"] == "unknown-person"


class TestNotices:
    def test_an_e_mail_goes_to_who_is_away(self, ulno, artjom):
        from allauth.account.models import EmailAddress

        EmailAddress.objects.create(user=artjom, email="artjom@parlour.example", verified=True)
        reminders.start(artjom, "https://parlour.example")
        send(ulno, artjom, "a secret")
        later = timezone.now() + reminders.PATIENCE * 2
        assert reminders.take(later, 20) == [artjom.pk]
        mails.remind(artjom.pk, later, frozenset())
        (letter,) = mail.outbox
        assert letter.subject == "New messages from Ulno"
        assert "https://parlour.example/inbox" in letter.body
        assert "a secret" not in letter.body
