"""The chat: what the service lets through, and what sockets of one and two processes hear of it."""

import contextlib
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from channels.auth import AuthMiddlewareStack
from django.utils import timezone

from games.net.limits import Buckets
from games.net.sockets import carrying
from lobby.chat import lines
from lobby.chat.lines import ChatError
from lobby.chat.models import ChatLine, Report
from lobby.people import preferences, relationships
from lobby.people.models import User
from lobby.sockets.consumers import LobbyFeed
from tests.conftest import PAIRS
from tests.helpers.communicator import Communicator
from tests.helpers.samples import in_full
from tools.harness.people import Person, command_id, guest


@pytest.fixture(autouse=True)
def no_limit(monkeypatch):
    monkeypatch.setattr(lines, "limits", Buckets(rate=0, burst=0))


def refused(user_id, text="hello", command="command-1"):
    """The code with which a line is refused."""
    with pytest.raises(ChatError) as refusal:
        lines.say(user_id, command, text)
    assert refusal.value.sentence
    return refusal.value.code


def texts(user=None):
    return [line["text"] for line in lines.latest(user and user.pk)["lines"]]


@pytest.mark.django_db
class TestTheService:
    def test_line_read_by_all(self, ulno, artjom):
        number = lines.say(ulno.pk, "command-1", "Good evening")
        assert lines.latest(None)["lines"] == [
            {
                "id": number,
                "name": "Ulno",
                "text": "Good evening",
                "at": ChatLine.objects.get().at.isoformat(),
            }
        ]
        assert texts(artjom) == ["Good evening"]

    @pytest.mark.parametrize(
        ("text", "line"),
        [
            ("  two \n\t lines  ", "two lines"),
            ("left\u202eright", "leftright"),
            ("bell\x07", "bell"),
            ("\u2066isolated\u2069", "isolated"),
            ("zero\u200bwidth", "zerowidth"),
            ("<b>bold</b> http://example.org", "<b>bold</b> http://example.org"),
            ("👩‍👩‍👧", "👩‍👩‍👧"),
            ("x" * 300, "x" * 300),
        ],
    )
    def test_a_line_is_one_line_of_what_can_be_seen(self, ulno, text, line):
        lines.say(ulno.pk, "command-1", text)
        assert texts() == [line]

    @pytest.mark.parametrize(
        ("text", "code"),
        [
            ("", "empty"),
            (" \n", "empty"),
            ("\u2800", "empty"),
            ("\u034f \u2800", "empty"),
            ("\U000e0041\U000e0042", "empty"),
            ("\u0301\ufe0f", "empty"),
            ("\u200d", "empty"),
            ("\u202e\u200b", "empty"),
            ("x" * 301, "too-long"),
        ],
    )
    def test_line_invalid_refused(self, ulno, text, code):
        assert refused(ulno.pk, text) == code
        assert not ChatLine.objects.exists()

    def test_visitors_and_who_is_gone_do_not_speak(self):
        assert refused(None) == "signed-out"
        assert refused(123456) == "signed-out"

    def test_guests_speak(self):
        lines.say(User.objects.create_user("Brave-Otter", is_guest=True).pk, "command-1", "hello")
        assert texts() == ["hello"]

    def test_line_of_banned_user_refused(self, ulno):
        User.objects.filter(pk=ulno.pk).update(is_active=False)
        assert refused(ulno.pk) == "banned"

    def test_the_same_command_is_said_once(self, ulno, artjom):
        first = lines.say(ulno.pk, "command-1", "hello")
        assert lines.say(ulno.pk, "command-1", "hello") == first
        assert lines.say(artjom.pk, "command-1", "hello") != first
        assert ChatLine.objects.count() == 2

    def test_five_lines_at_once_and_then_one_in_three_seconds(self, ulno, artjom, monkeypatch):
        monkeypatch.setattr(lines, "limits", Buckets(rate=1 / 3, burst=5))
        clock = [100.0]
        monkeypatch.setattr(time, "monotonic", lambda: clock[0])
        for number in range(5):
            lines.say(ulno.pk, f"command-{number}", "hello")
        assert refused(ulno.pk, command="command-5") == "too-fast"
        lines.say(artjom.pk, "command-5", "others may")
        lines.say(ulno.pk, "command-4", "hello")  # said already: asking again costs nothing
        clock[0] += 3
        lines.say(ulno.pk, "command-5", "hello")
        assert refused(ulno.pk, command="command-6") == "too-fast"

    def test_a_crowd_of_one_address_says_no_more_than_a_class_would(self, monkeypatch):
        monkeypatch.setattr(lines, "limits", Buckets(rate=1 / 3, burst=5))
        monkeypatch.setattr(lines, "address_limits", Buckets(rate=2, burst=20))
        clock = [100.0]
        monkeypatch.setattr(time, "monotonic", lambda: clock[0])
        crowd = [User.objects.create_user(f"Guest-{number}", is_guest=True) for number in range(12)]
        said = 0
        for turn in range(5):
            for speaker in crowd:
                with contextlib.suppress(lines.TooFast):
                    lines.say(speaker.pk, f"command-{turn}", "hello", address="203.0.113.9")
                    said += 1
            clock[0] += 0.8
        assert said == 20 + 6
        assert lines.say(User.objects.create_user("Ulno").pk, "command-1", "hello", address="203.0.113.8")

    def test_line_invisible_characters_removed(self, ulno):
        lines.say(ulno.pk, "command-1", "a\u034fb\U000e0061\U000e007f c\u2800")
        assert texts() == ["ab c"]
        lines.say(ulno.pk, "command-2", "\U0001f469\u200d\U0001f680 \u2764\ufe0f e\u0301")
        assert texts()[-1] == "\U0001f469\u200d\U0001f680 \u2764\ufe0f e\u0301"

    def test_lines_of_those_one_mutes_or_blocks_are_left_out(self, ulno, artjom):
        third = User.objects.create_user("Third")
        lines.say(artjom.pk, "command-1", "from artjom")
        lines.say(third.pk, "command-1", "from third")
        relationships.mute(ulno, artjom)
        relationships.block(ulno, third)
        assert texts(ulno) == []
        assert lines.latest(ulno.pk)["silenced"] == ["Artjom", "Third"]
        assert texts(artjom) == ["from artjom", "from third"]

    @pytest.mark.parametrize(
        ("wanted", "read"),
        [("everyone", ["from artjom", "from third"]), ("followed", ["from artjom"]), ("nobody", [])],
    )
    def test_lines_heard_follow_chat_preference(self, ulno, artjom, wanted, read):
        third = User.objects.create_user("Third")
        relationships.follow(ulno, artjom)
        preferences.save(ulno, "chat", wanted)
        lines.say(artjom.pk, "command-1", "from artjom")
        lines.say(third.pk, "command-1", "from third")
        lines.say(ulno.pk, "command-1", "from me")
        assert texts(ulno) == [*read, "from me"]
        heard = {"everyone": None, "followed": ["Ulno", "Artjom"], "nobody": ["Ulno"]}
        assert lines.latest(ulno.pk)["heard"] == heard[wanted]

    def test_a_site_may_have_no_chat(self, ulno, artjom, client, settings):
        lines.say(ulno.pk, "command-1", "before")
        assert 'id="chat"' in client.get("/").text
        settings.CHAT = False
        with pytest.raises(lines.ChatOff):
            lines.say(ulno.pk, "command-2", "hello")
        assert texts(artjom) == []
        assert 'id="chat"' not in client.get("/").text

    def test_hidden_lines_are_left_out(self, ulno):
        lines.say(ulno.pk, "command-1", "rude")
        lines.set_hidden(ChatLine.objects.get(), hidden=True)
        assert texts() == []

    def test_the_last_fifty_lines_are_shown(self, ulno):
        ChatLine.objects.bulk_create(ChatLine(user=ulno, text=str(number)) for number in range(60))
        assert texts() == [str(number) for number in range(10, 60)]

    def test_old_lines_are_forgotten_unless_somebody_has_to_look_at_them(self, ulno, artjom):
        for text in ("old", "reported", "decided"):
            line = ChatLine.objects.create(user=ulno, text=text)
            if text != "old":
                Report.objects.create(reporter=artjom, about=ulno, line=line, reason="rude")
        Report.objects.filter(line__text="decided").update(verdict=Report.Verdict.ACTED)
        ChatLine.objects.update(at=timezone.now() - timedelta(days=7, minutes=1))
        assert texts() == []
        lines.say(ulno.pk, "command-1", "new")
        assert {line.text for line in ChatLine.objects.all()} == {"reported", "new"}
        assert Report.objects.count() == 2

    def test_line_of_deleted_user_has_no_name(self, ulno):
        lines.say(ulno.pk, "command-1", "hello")
        User.objects.filter(pk=ulno.pk).update(is_deleted=True)
        assert lines.latest(None)["lines"][0]["name"] == "deleted"


@pytest.fixture(scope="module", params=in_full("postgres+redis", "sqlite"))
def servers(request, launcher):
    """Two processes of one site, where there can be two."""
    store = launcher.store(request.param)
    first = launcher.open(store)
    return (first, first) if request.param == "sqlite" else (first, launcher.open(store))


def talk(person, server=None):
    """Somebody's socket of the lobby with the chat open; the chat."""
    socket = person.lobby(server)
    socket.send({"type": "chat"})
    return socket, socket.next("chat")


def say(socket, text, command=None):
    return socket.ask({"type": "say", "id": command or command_id(), "text": text})


class TestSockets:
    def test_a_line_is_heard_live_at_every_process(self, servers):
        speaker, here, there = guest(servers[0]), Person(servers[0]), Person(servers[1])
        with talk(speaker)[0] as mine, talk(here)[0] as one, talk(there)[0] as two:
            command = command_id()
            assert say(mine, "Good evening", command) == {"type": "accepted", "id": command}
            heard = [one.next("line")["line"], two.next("line")["line"]]
        assert heard[0] == heard[1]
        assert heard[0]["text"] == "Good evening"

    def test_socket_without_chat_request_hears_no_lines(self, servers):
        with talk(guest(servers[0]))[0] as speaker, Person(servers[0]).lobby() as other:
            say(speaker, "quiet")
            other.send({"type": "chat"})
            chat = other.next("chat")
            assert "quiet" in [line["text"] for line in chat["lines"]]
            assert "line" not in {message["type"] for message in other.heard}

    def test_socket_reconnect_gets_missed_lines_once(self, servers):
        speaker, listener = guest(servers[0]), Person(servers[1])
        with talk(speaker)[0] as mine:
            socket, _chat = talk(listener)
            say(mine, "before the tunnel")
            socket.next("line")
            socket.abort()
            say(mine, "in the tunnel")
            socket, chat = talk(listener)
            with socket:
                said = [line["text"] for line in chat["lines"]]
        assert said[-2:] == ["before the tunnel", "in the tunnel"]
        assert len({line["id"] for line in chat["lines"]}) == len(chat["lines"])

    def test_a_command_that_is_sent_over_and_over_is_said_once(self, servers):
        speaker, command = guest(servers[0]), command_id()
        sockets = [speaker.lobby(server) for server in servers for _ in range(2)]
        with ThreadPoolExecutor(4) as pool:
            answers = list(pool.map(lambda socket: say(socket, "only once", command), sockets))
        for socket in sockets:
            socket.close()
        assert {answer["type"] for answer in answers} == {"accepted"}
        assert servers[0].rows("SELECT COUNT(*) FROM lobby_chatline WHERE command = ?", command) == [(1,)]

    def test_socket_above_rate_refused_until_later(self, servers):
        with talk(guest(servers[0]))[0] as socket:
            answers = [say(socket, f"line {number}") for number in range(6)]
        assert [answer["type"] for answer in answers] == ["accepted"] * 5 + ["refused"]
        assert answers[-1]["code"] == "too-fast"
        assert answers[-1]["detail"].startswith("Too fast.")

    def test_a_visitor_reads_and_is_not_heard(self, servers):
        with talk(Person(servers[0]))[0] as socket:
            answer = say(socket, "hello")
        assert (answer["type"], answer["code"]) == ("refused", "signed-out")

    @pytest.mark.parametrize(
        "message",
        [
            {"type": "say", "id": "command-1"},
            {"type": "say", "id": "x", "text": "hello"},
            {"type": "say", "id": "command-1", "text": 5},
            {"type": "say", "id": "command-1", "text": "x" * 4001},
            {"type": "say", "id": "command-1", "text": "hello", "name": "Ulno"},
        ],
    )
    def test_socket_malformed_message_closes_it(self, servers, message):
        with guest(servers[0]).lobby() as socket:
            socket.send(message)
            assert socket.next("error")["code"] == "malformed"
            assert socket.closed_with() == 4400

    def test_a_line_is_reported_with_its_speaker(self, servers):
        speaker, listener = guest(servers[0]), guest(servers[0])
        with talk(speaker)[0] as mine, talk(listener)[0] as socket:
            say(mine, "something rude")
            line = socket.next("line")["line"]
        listener.post(f"/people/{line['name']}/report", line=str(line["id"]), reason="rude")
        assert servers[0].rows("SELECT reason, verdict FROM lobby_report WHERE line_id = ?", line["id"]) == [
            ("rude", "open")
        ]


@pytest.mark.django_db(transaction=True)
async def test_a_line_that_is_said_while_the_list_is_read_is_heard_after_it(monkeypatch):
    reads = lines.latest

    def read_slowly(user_id):
        told = reads(user_id)
        lines.say(User.objects.create_user("Ulno").pk, "command-1", "meanwhile")
        return told

    monkeypatch.setattr(lines, "latest", read_slowly)
    socket = Communicator(AuthMiddlewareStack(carrying(LobbyFeed)), "/ws/lobby")
    await socket.connect()
    await socket.send_json_to({"type": "chat"})
    heard = []
    while {"chat", "line"} - set(heard):
        heard.append((await socket.receive_json_from())["type"])
    await socket.disconnect()
    assert heard.index("chat") < heard.index("line")


@pytest.mark.parametrize("pair", PAIRS)
def test_a_crowd_of_one_address_is_stopped_over_sockets(launcher, pair):
    server = launcher.open(launcher.store(pair))
    crowd = [guest(server) for _ in range(8)]
    sockets = [person.lobby() for person in crowd]
    answers = [say(socket, f"line {number}")["type"] for number in range(5) for socket in sockets]
    for socket in sockets:
        socket.close()
    assert answers.count("accepted") >= 20
    assert "refused" in answers
    assert server.rows("SELECT COUNT(*) FROM lobby_chatline") == [(answers.count("accepted"),)]
