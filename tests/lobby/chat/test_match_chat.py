"""The chat at a match: its two rooms, who reads and speaks where, and what opens at the end."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from games.domain.refusals import UnknownMatch
from games.domain.terms import Terms
from games.models import Match
from games.net.hub import hub
from games.net.limits import Buckets
from games.play import begin, offers
from games.registry import GAMES
from games.watch.visibility import PlayersOnly
from lobby.accounts import deletion
from lobby.chat import lines, match_rooms
from lobby.chat.lines import ChatError, Room
from lobby.chat.match_rooms import PLAYERS, PRESETS, WATCHERS
from lobby.chat.models import LINE_LENGTH, ChatLine
from lobby.moderation import moderation, reports
from lobby.people import preferences, relationships
from lobby.people.models import User
from tests.helpers.samples import in_full
from tools.harness.people import Person, agree, command_id, guest, seat_two

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
BOTH = (PLAYERS, WATCHERS)


@pytest.fixture(autouse=True)
def no_limit(monkeypatch):
    monkeypatch.setattr(lines, "limits", Buckets(rate=0, burst=0))


@pytest.fixture
def watcher():
    return User.objects.create_user("Watcher")


@pytest.fixture
def match(ulno, artjom):
    return match_of(ulno, artjom)


def match_of(*users, **terms):
    game = next(iter(GAMES.values()))
    return begin.create(game.slug, next(iter(game.rules.PRESETS.values())), users, terms=Terms(**terms))


def end(match, at=NOW):
    Match.objects.filter(pk=match.pk).update(status=Match.Status.FINISHED, ended=at)


def standing(match, user, now=NOW):
    return match_rooms.standing(match.pk, user and user.pk, now)


def says(match, user, text, room, command="command-1"):
    return match_rooms.say(match.pk, user and user.pk, command, room, text)


def texts(match, user, room):
    return [line["text"] for line in lines.last_lines(user and user.pk, Room(room, match.pk))]


def refused(act, *arguments):
    """The code with which something is not said."""
    with pytest.raises(ChatError) as refusal:
        act(*arguments)
    assert refusal.value.sentence
    return refusal.value.code


@pytest.mark.django_db
class TestWhoIsWhere:
    def test_players_read_and_speak_in_their_own_room(self, match, ulno):
        where = standing(match, ulno)
        assert (where.read, where.speak) == ((PLAYERS,), (PLAYERS,))

    def test_spectator_reads_and_writes_in_watchers_room(self, match, watcher):
        where = standing(match, watcher)
        assert (where.read, where.speak) == ((WATCHERS,), (WATCHERS,))

    def test_a_site_may_have_no_chat(self, match, ulno, client, settings):
        settings.CHAT = False
        where = match_rooms.standing(match.pk, ulno.pk, timezone.now())
        assert (where.read, where.speak) == ((), ())
        client.force_login(ulno)
        assert 'id="talk"' not in client.get(f"/m/{match.pk}").text

    def test_a_table_may_have_no_chat(self, ulno, artjom, watcher, client):
        match = match_of(ulno, artjom, chat=False)
        for user, room in ((ulno, PLAYERS), (watcher, WATCHERS)):
            where = standing(match, user)
            assert (where.read, where.speak) == ((), ())
            assert refused(says, match, user, "hello", room) == "no-chat-here"
        assert not ChatLine.objects.exists()
        client.force_login(ulno)
        assert 'id="talk"' not in client.get(f"/m/{match.pk}").text
        end(match)
        assert refused(says, match, ulno, "thanks", PLAYERS) == "no-chat-here"

    def test_private_match_without_chat_admits_players_only(self, ulno, artjom, watcher):
        match = match_of(ulno, artjom, chat=False, watchable=False)
        assert standing(match, ulno).speak == ()
        with pytest.raises(PlayersOnly):
            standing(match, watcher)

    def test_a_rematch_has_no_chat_either(self, ulno, artjom):
        match = match_of(ulno, artjom, chat=False)
        end(match)
        offers.want_rematch(match.pk, 0)
        _, again = offers.want_rematch(match.pk, 1)
        assert not Match.objects.get(pk=again).chat

    def test_chat_hidden_by_preference_on_match_page(self, match, ulno, client):
        client.force_login(ulno)
        assert 'id="talk"' in client.get(f"/m/{match.pk}").text
        preferences.save(ulno, "chat", "nobody")
        assert 'id="talk"' not in client.get(f"/m/{match.pk}").text

    def test_a_visitor_reads_only(self, match):
        where = standing(match, None)
        assert (where.read, where.speak) == ((WATCHERS,), ())

    def test_players_enter_the_watchers_room_at_the_end(self, match, ulno):
        end(match)
        where = standing(match, ulno)
        assert (where.read, where.speak) == (BOTH, BOTH)

    def test_watchers_never_enter_the_players_room(self, match, watcher):
        end(match)
        assert standing(match, watcher).read == (WATCHERS,)

    def test_players_speak_to_late_watchers_once_these_know_of_the_end(self, ulno, artjom):
        match = match_of(ulno, artjom, delay=30)
        end(match, NOW)
        for seconds, speak in ((0, (PLAYERS,)), (29, (PLAYERS,)), (30, BOTH)):
            where = standing(match, ulno, NOW + timedelta(seconds=seconds))
            assert (where.read, where.speak) == (BOTH, speak)

    def test_standing_cached_once_it_is_lasting(self, match, ulno, watcher):
        assert not standing(match, ulno).lasting
        assert standing(match, watcher).lasting
        end(match)
        assert standing(match, ulno).lasting

    def test_a_match_that_is_not_watchable_has_one_room(self, ulno, artjom, watcher):
        match = match_of(ulno, artjom, watchable=False)
        end(match)
        assert standing(match, ulno).read == (PLAYERS,)
        for stranger in (watcher, None):
            with pytest.raises(PlayersOnly):
                standing(match, stranger)

    def test_an_unknown_match_has_none(self, ulno):
        with pytest.raises(UnknownMatch):
            match_rooms.standing("nowhere", ulno.pk, NOW)


@pytest.mark.django_db
class TestSaying:
    def test_a_line_is_in_its_room_and_nowhere_else(self, match, ulno, artjom, watcher):
        other = match_of(ulno, artjom)
        says(match, ulno, "among us", PLAYERS)
        says(match, watcher, "a bold move", WATCHERS)
        lines.say(ulno.pk, "command-2", "to all")
        assert texts(match, None, PLAYERS) == ["among us"]
        assert texts(match, None, WATCHERS) == ["a bold move"]
        assert texts(other, None, PLAYERS) == texts(other, None, WATCHERS) == []
        assert [line["text"] for line in lines.latest(None)["lines"]] == ["to all"]

    def test_author_has_the_name_of_the_match(self, match, ulno, artjom):
        match.seatings.filter(user=ulno).update(name="Uku M.")
        ulno.first_name = "Uku M."
        ulno.save()
        for number, author in enumerate((ulno, artjom)):
            says(match, author, "Hello", PLAYERS, f"command-{number}")
        told = lines.last_lines(artjom.pk, Room(PLAYERS, match.pk))
        assert [(line["name"], line["called"]) for line in told] == [("Ulno", "Uku M."), ("Artjom", None)]

    def test_only_a_room_of_ones_own_is_spoken_in(self, match, ulno, watcher):
        assert refused(says, match, ulno, "hello", WATCHERS) == "not-your-room"
        assert refused(says, match, watcher, "hello", PLAYERS) == "not-your-room"
        end(match, datetime.now(UTC))
        says(match, ulno, "thanks for watching", WATCHERS)
        assert refused(says, match, watcher, "hello", PLAYERS) == "not-your-room"
        assert texts(match, watcher, WATCHERS) == ["thanks for watching"]

    @pytest.mark.parametrize("room", BOTH)
    def test_a_visitor_is_asked_to_sign_in(self, match, room):
        assert refused(says, match, None, "hello", room) == "signed-out"

    @pytest.mark.parametrize(
        ("text", "line"),
        [("left\u202eright", "leftright"), ("bell\x07", "bell"), ("two \n lines", "two lines")],
    )
    def test_a_line_is_one_line_of_what_can_be_seen(self, match, ulno, text, line):
        says(match, ulno, text, PLAYERS)
        assert texts(match, ulno, PLAYERS) == [line]

    @pytest.mark.parametrize(
        ("text", "code"), [("\u202e\u200b", "empty"), ("x" * (LINE_LENGTH + 1), "too-long")]
    )
    def test_line_invalid_refused(self, match, ulno, text, code):
        assert refused(says, match, ulno, text, PLAYERS) == code

    def test_the_same_command_is_said_once(self, match, ulno):
        assert says(match, ulno, "hello", PLAYERS) == says(match, ulno, "hello", PLAYERS)
        assert ChatLine.objects.count() == 1

    def test_one_limit_counts_lines_and_presets_of_all_rooms(self, match, ulno, monkeypatch):
        monkeypatch.setattr(lines, "limits", Buckets(rate=1 / 3, burst=3))
        lines.say(ulno.pk, "command-1", "hello")
        says(match, ulno, "hello", PLAYERS, "command-2")
        match_rooms.say_preset(match.pk, ulno.pk, "command-3", PLAYERS, "good-game")
        again = (match.pk, ulno.pk, "command-4", PLAYERS, "good-game")
        assert refused(match_rooms.say_preset, *again) == "too-fast"

    @pytest.mark.parametrize("preset", PRESETS)
    def test_a_preset_is_told_by_its_key_with_a_text_to_fall_back_on(self, match, ulno, preset):
        match_rooms.say_preset(match.pk, ulno.pk, "command-1", PLAYERS, preset)
        (line,) = lines.last_lines(ulno.pk, Room(PLAYERS, match.pk))
        assert (line["preset"], line["text"]) == (preset, PRESETS[preset])

    def test_preset_unknown_refused(self, match, ulno):
        unknown = (match.pk, ulno.pk, "command-1", PLAYERS, "insult")
        assert refused(match_rooms.say_preset, *unknown) == "unknown-preset"

    def test_lines_of_those_one_mutes_or_blocks_are_left_out(self, match, ulno, artjom):
        says(match, artjom, "hello", PLAYERS)
        for silence, undo in (
            (relationships.mute, relationships.unmute),
            (relationships.block, relationships.unblock),
        ):
            silence(ulno, artjom)
            told = match_rooms.rooms(match.pk, ulno.pk, standing(match, ulno))
            assert (told["lines"], told["silenced"]) == ([], ["Artjom"])
            undo(ulno, artjom)
        assert texts(match, ulno, PLAYERS) == ["hello"]

    def test_lines_stay_with_their_match_and_go_with_it(self, match, ulno):
        says(match, ulno, "long ago", PLAYERS)
        ChatLine.objects.update(at=NOW - timedelta(days=400))
        lines.say(ulno.pk, "command-2", "which clears the lobby of old lines")
        assert texts(match, ulno, PLAYERS) == ["long ago"]
        match.delete()
        assert ChatLine.objects.count() == 1

    def test_lines_of_somebody_who_leaves_for_good_go(self, match, ulno):
        says(match, ulno, "hello", PLAYERS)
        deletion.forget(ulno.pk)
        assert not ChatLine.objects.exists()

    def test_a_line_is_reported_and_hidden(self, match, ulno, artjom):
        number = says(match, artjom, "something rude", PLAYERS)
        report = reports.report(ulno, artjom, "rude", ChatLine.objects.get(pk=number))
        moderation.hide_line(ulno, ChatLine.objects.get(), "rude")
        report.refresh_from_db()
        assert report.verdict == "acted"
        assert texts(match, ulno, PLAYERS) == []


@pytest.fixture(scope="module", params=in_full("postgres+redis", "sqlite"))
def servers(request, launcher):
    """Two processes of one site, where there can be two."""
    store = launcher.store(request.param)
    first = launcher.open(store)
    return (first, first) if request.param == "sqlite" else (first, launcher.open(store))


@pytest.fixture
def seats(servers):
    """Two players, the id of their match, and somebody who watches."""
    host, other, match = seat_two(servers[0])
    watcher = guest(servers[0])
    return host, other, match, watcher


def say(socket, text, room=PLAYERS, command=None):
    return socket.ask({"type": "say", "id": command or command_id(), "room": room, "text": text})


def resign(person, match, server=None):
    with person.watch(match, server) as board:
        answer = board.ask({"type": "resign", "id": command_id(), "after": board.snapshot["ply"]})
        assert answer["type"] == "accepted"


def asked(socket):
    """All that was heard once the server has answered a ping."""
    socket.send({"type": "ping", "t": 1})
    socket.next("pong")
    return [message["type"] for message in socket.heard]


class TestSockets:
    def test_the_rooms_are_apart_at_every_process(self, servers, seats):
        host, other, match, watcher = seats
        with (
            host.talk(match) as mine,
            other.talk(match, servers[1]) as theirs,
            watcher.talk(match) as outside,
        ):
            assert (mine.snapshot["read"], mine.snapshot["speak"]) == (["players"], ["players"])
            assert (outside.snapshot["read"], outside.snapshot["speak"]) == (["watchers"], ["watchers"])
            command = command_id()
            assert say(mine, "Good evening", command=command) == {"type": "accepted", "id": command}
            heard = theirs.next("line")["line"]
            assert (heard["text"], heard["room"], heard["preset"]) == ("Good evening", "players", None)
            assert say(outside, "what a move", WATCHERS)["type"] == "accepted"
            say(mine, "Your turn")
            assert theirs.next("line")["line"]["text"] == "Your turn"
            assert asked(outside).count("line") == 1

    def test_line_in_other_room_refused(self, seats):
        host, _, match, watcher = seats
        with host.talk(match) as mine, watcher.talk(match) as outside:
            assert say(mine, "hello", WATCHERS)["code"] == "not-your-room"
            assert say(outside, "hello", PLAYERS)["code"] == "not-your-room"

    def test_a_visitor_reads_and_is_not_heard(self, servers, seats):
        with seats[3].talk(seats[2]) as outside, Person(servers[1]).talk(seats[2]) as visitor:
            assert visitor.snapshot["speak"] == []
            say(outside, "hello", WATCHERS)
            assert visitor.next("line")["line"]["text"] == "hello"
            assert say(visitor, "hello", WATCHERS)["code"] == "signed-out"

    def test_the_end_opens_the_watchers_room_to_players_wherever_it_came(self, servers, seats):
        host, other, match, watcher = seats
        with host.talk(match) as mine, watcher.talk(match) as outside:
            say(outside, "red is lost", WATCHERS)
            say(mine, "I am not", PLAYERS)
            resign(other, match, servers[1])
            rooms = mine.next("rooms")
            assert (rooms["read"], rooms["speak"]) == (["players", "watchers"], ["players", "watchers"])
            assert [line["text"] for line in rooms["lines"]] == ["I am not", "red is lost"]
            say(outside, "you were right", WATCHERS)
            assert mine.next("line")["line"]["text"] == "you were right"
            say(mine, "thanks for watching", WATCHERS)
            while outside.next("line")["line"]["text"] != "thanks for watching":
                pass
            assert asked(outside).count("rooms") == 1

    def test_an_end_that_the_layer_lost_is_noticed_with_the_next_ping(self, servers, seats):
        host, _other, match, _ = seats
        # Nobody is told: it is as if a match had ended where the layer was away.
        with host.talk(match) as mine:
            servers[0].write(
                "UPDATE games_match SET status = 'finished', ended = ? WHERE id = ?",
                "2026-01-01 12:00:00+00:00",
                match,
            )
            assert "rooms" not in [message["type"] for message in mine.heard[1:]]
            mine.send({"type": "ping", "t": 1})
            assert mine.next("rooms")["read"] == ["players", "watchers"]

    def test_rooms_open_for_delayed_watchers_only_after_delay(self, servers, seats):
        host, other, match, watcher = seats
        agree(servers[0], match, delay=3600)
        with host.talk(match) as mine, watcher.talk(match) as outside:
            resign(other, match, servers[1])
            rooms = mine.next("rooms")
            assert (rooms["read"], rooms["speak"]) == (["players", "watchers"], ["players"])
            assert say(mine, "thanks", WATCHERS)["code"] == "not-your-room"
            assert asked(outside) == ["rooms", "pong"]
            # The delay has passed.
            servers[0].write("UPDATE games_match SET delay = 0 WHERE id = ?", match)
            mine.send({"type": "ping", "t": 1})
            assert mine.next("rooms")["speak"] == ["players", "watchers"]

    def test_socket_of_players_only_match_closed_to_others(self, servers, seats):
        host, _, match, watcher = seats
        agree(servers[0], match, watchable=False)
        with host.talk(match) as mine, watcher.talk(match) as outside:
            assert mine.snapshot["read"] == ["players"]
            assert outside.snapshot["code"] == "players-only"
            assert outside.closed_with() == 4403

    def test_an_unknown_match_is_closed(self, servers):
        with Person(servers[0]).talk("nowhere") as socket:
            assert socket.snapshot["code"] == "unknown-match"
            assert socket.closed_with() == 4404

    def test_a_command_that_is_sent_over_and_over_is_said_once(self, servers, seats):
        host, _, match, _ = seats
        command = command_id()
        sockets = [host.talk(match, server) for server in servers for _ in range(2)]
        with ThreadPoolExecutor(4) as pool:
            answers = list(pool.map(lambda socket: say(socket, "only once", command=command), sockets))
        for socket in sockets:
            socket.close()
        assert {answer["type"] for answer in answers} == {"accepted"}
        assert servers[0].rows("SELECT COUNT(*) FROM lobby_chatline WHERE command = ?", command) == [(1,)]

    def test_presets_above_rate_refused(self, seats):
        with seats[0].talk(seats[2]) as socket:
            preset = {"type": "preset", "room": "players", "preset": "hello"}
            answers = [socket.ask({**preset, "id": command_id()}) for _ in range(6)]
        assert [answer["type"] for answer in answers] == ["accepted"] * 5 + ["refused"]
        assert answers[-1]["code"] == "too-fast"

    def test_a_preset_is_heard_by_its_key(self, seats):
        host, other, match, _ = seats
        with host.talk(match) as mine, other.talk(match) as theirs:
            told = mine.ask({"type": "preset", "id": command_id(), "room": "players", "preset": "good-luck"})
            assert told["type"] == "accepted"
            line = theirs.next("line")["line"]
            assert (line["preset"], line["text"]) == ("good-luck", "Good luck")

    def test_rooms_message_names_silenced_players(self, seats):
        host, other, match, _ = seats
        with other.talk(match) as theirs, host.talk(match) as mine:
            say(theirs, "hello")
            name = mine.next("line")["line"]["name"]
            host.post(f"/people/{name}/mute")
            mine.send({"type": "chat"})
            rooms = mine.next("rooms")
            assert (rooms["lines"], rooms["silenced"]) == ([], [name])

    def test_a_line_is_reported_with_its_speaker(self, servers, seats):
        host, other, match, _ = seats
        with other.talk(match) as theirs, host.talk(match) as mine:
            say(theirs, "something rude")
            line = mine.next("line")["line"]
        host.post(f"/people/{line['name']}/report", line=str(line["id"]), reason="rude")
        found = servers[0].rows("SELECT reason, verdict FROM lobby_report WHERE line_id = ?", line["id"])
        assert found == [("rude", "open")]

    def test_another_name_is_seen_above_old_lines(self, seats):
        host, other, match, _ = seats
        with other.talk(match) as theirs, host.talk(match) as mine:
            say(theirs, "hello")
            old = mine.next("line")["line"]["name"]
            new = f"Renamed-{match}"
            other.sign_up(new)
            assert mine.next("renamed") == {"type": "renamed", "old": old, "new": new}

    @pytest.mark.parametrize(
        "message",
        [
            {"type": "say", "id": "command-1", "text": "hello"},
            {"type": "say", "id": "command-1", "room": "lobby", "text": "hello"},
            {"type": "preset", "id": "command-1", "room": "players", "preset": 5},
            {"type": "list"},
        ],
    )
    def test_socket_malformed_message_closes_it(self, seats, message):
        with seats[0].talk(seats[2]) as socket:
            socket.send(message)
            assert socket.next("error")["code"] == "malformed"
            assert socket.closed_with() == 4400


@pytest.mark.django_db
def test_moderators_are_heard_in_the_room_of_the_line(
    match, ulno, monkeypatch, django_capture_on_commit_callbacks
):
    told = []
    monkeypatch.setattr(hub, "announce", lambda topic, message: told.append((topic, message)))
    number = says(match, ulno, "something rude", PLAYERS)
    line = ChatLine.objects.get()
    with django_capture_on_commit_callbacks(execute=True):
        moderation.hide_line(ulno, line)
        moderation.show_line(ulno, line)
    room = Room(PLAYERS, match.pk).topic
    assert told == [
        (room, {"type": "line-gone", "id": number}),
        (room, {"type": "line", "line": lines.fields(line)}),
    ]
