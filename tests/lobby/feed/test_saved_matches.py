"""Matches that were saved for later: who sees them, who is asked back to them, and by which process."""

from __future__ import annotations

import json

import pytest

from lobby.sockets.messages import CallFields
from tests.conftest import PAIRS, Launcher
from tools.harness.people import Person, Socket, command_id, seat_two
from tools.harness.servers import ParlourServer

TEN_MINUTES = 600_000


def offer(socket: Socket, kind: str, after: int) -> dict:
    """Offer something, or agree to it."""
    answer = socket.ask({"type": "offer", "id": command_id(), "after": after, "kind": kind})
    assert answer["type"] == "accepted", answer
    return answer


def save(person: Person, match_id: str, server: ParlourServer | None = None) -> int:
    """Save a casual match in which this person is to move; the number of that ply."""
    with person.watch(match_id, server) as board:
        return offer(board, "save", board.snapshot["ply"])["ply"]


def invite(person: Person, match_id: str, server: ParlourServer | None = None) -> None:
    """Ask the others to go on, or agree to it."""
    with person.watch(match_id, server) as board:
        offer(board, "resume", board.snapshot["ply"])


def saved_pages(me: Socket) -> list[dict]:
    me.send({"type": "saved"})
    return me.next("saved")["matches"]


def next_shelf(me: Socket, wanted: bool, match_id: str) -> list[dict]:
    """The next list in which the match is, or is not."""
    while True:
        matches = me.next("saved")["matches"]
        if wanted == (match_id in [match["id"] for match in matches]):
            return matches


def when_present(me: Socket, present: bool) -> dict:
    """The only opponent of the only saved match, once they are here or away."""
    while True:
        ((opponent,),) = [match["others"] for match in me.next("saved")["matches"]]
        if opponent["here"] == present:
            return opponent


def call_to(match_id: str, messages: list[CallFields]) -> CallFields:
    (call,) = [call for call in messages if call["match"] == match_id]
    return call


def in_play(person: Person, server: ParlourServer | None = None) -> list[str]:
    with person.lobby(server) as lobby:
        return [match["id"] for match in lobby.snapshot["matches"]]


class TestTheShelf:
    def test_a_saved_match_is_on_it_and_no_longer_in_play(self, server):
        first, second, match_id = seat_two(server)
        with second.me() as me, second.lobby() as lobby:
            assert saved_pages(me) == []
            save(first, match_id)
            (saved,) = next_shelf(me, True, match_id)
            assert saved["title"] == "Kalah"
            assert saved["words"].endswith("’s turn · saved a moment ago")
            assert lobby.next("match-over")["id"] == match_id
        assert match_id not in in_play(second)

    def test_saved_match_says_whose_turn(self, server):
        first, _second, match_id = seat_two(server)
        save(first, match_id)
        with first.me() as me:
            assert saved_pages(me)[0]["words"] == "Your turn · saved a moment ago"

    def test_saved_match_says_who_is_online(self, server):
        first, second, match_id = seat_two(server)
        save(first, match_id)
        with first.me() as me:
            (away,) = saved_pages(me)[0]["others"]
            assert (away["here"], away["words"]) == (False, f"{away['name']} is away")
            with second.me():
                assert when_present(me, True)["words"] == f"{away['name']} is here"
            when_present(me, False)

    def test_saved_matches_of_others_not_listed(self, server):
        first, _second, match_id = seat_two(server)
        save(first, match_id)
        stranger = Person(server)
        stranger.become_guest()
        with stranger.me() as me:
            assert saved_pages(me) == []

    def test_saved_match_on_rendered_front_page(self, server):
        first, _second, match_id = seat_two(server)
        assert 'id="saved" aria-labelledby="saved-title" hidden' in first.get("/")
        save(first, match_id)
        page = first.get("/")
        assert 'id="saved" aria-labelledby="saved-title">' in page
        assert f'data-id="{match_id}"' in page

    def test_a_match_that_is_resigned_leaves_it(self, server):
        first, second, match_id = seat_two(server)
        ply = save(first, match_id)
        with second.me() as me, first.watch(match_id) as board:
            assert saved_pages(me)
            board.ask({"type": "resign", "id": command_id(), "after": ply})
            next_shelf(me, False, match_id)


class TestTheInvitation:
    def test_the_other_is_told_wherever_they_are(self, server):
        first, second, match_id = seat_two(server)
        save(first, match_id)
        with second.me() as me:
            invite(first, match_id)
            call = me.next("call")["call"]
            assert (call["match"], call["kind"], call["title"]) == (match_id, "resume", "Kalah")
            assert 0 < call["left"] <= TEN_MINUTES

    def test_resume_call_not_sent_to_its_author(self, server):
        first, _second, match_id = seat_two(server)
        save(first, match_id)
        invite(first, match_id)
        with first.me() as me:
            assert me.snapshot["calls"] == []

    def test_resume_call_sent_on_next_page(self, server):
        first, second, match_id = seat_two(server)
        save(first, match_id)
        invite(first, match_id)
        with second.me() as me:
            assert call_to(match_id, me.snapshot["calls"])["kind"] == "resume"

    def test_resume_call_ends_when_declined(self, server):
        first, second, match_id = seat_two(server)
        ply = save(first, match_id)
        invite(first, match_id)
        with second.me() as me, second.watch(match_id) as board:
            board.ask({"type": "decline", "id": command_id(), "after": ply, "kind": "resume"})
            assert me.next("call-over")["match"] == match_id
        with second.me() as me:
            assert me.snapshot["calls"] == []

    def test_resume_call_ends_after_ten_minutes(self, server):
        first, second, match_id = seat_two(server)
        save(first, match_id)
        invite(first, match_id)
        make_older(server, match_id, TEN_MINUTES)
        with second.me() as me:
            assert me.snapshot["calls"] == []

    def test_resume_call_of_blocked_player_not_sent(self, server):
        first, second, match_id = seat_two(server)
        save(first, match_id)
        with first.me() as me:
            (other,) = saved_pages(me)[0]["others"]
        first.post(f"/people/{other['name']}/block")
        invite(first, match_id)
        with second.me() as me:
            assert me.snapshot["calls"] == []

    def test_resume_call_accepted_resumes_match(self, server):
        first, second, match_id = seat_two(server)
        ply = save(first, match_id)
        invite(first, match_id)
        with second.me() as me, second.lobby() as lobby:
            assert saved_pages(me)
            invite(second, match_id)
            assert me.next("call-over")["match"] == match_id
            next_shelf(me, False, match_id)
            assert lobby.next("match")["match"]["id"] == match_id
        with first.watch(match_id) as board:
            assert board.snapshot["ply"] == ply + 1
            assert board.snapshot["legal"]


def make_older(server: ParlourServer, match_id: str, milliseconds: int) -> None:
    """Have everything that is offered in a match been offered that much earlier."""
    ((text,),) = server.rows("SELECT offers FROM games_match WHERE id = ?", match_id)
    noted = json.loads(text)
    for each in noted["offers"]:
        each["until"] -= milliseconds
    server.write("UPDATE games_match SET offers = ? WHERE id = ?", json.dumps(noted), match_id)


def test_saved_at_one_process_and_taken_up_at_another(launcher: Launcher) -> None:
    store = launcher.store("postgres+redis")
    one, other = launcher.open(store), launcher.open(store)
    first, second, match_id = seat_two(one)
    with second.me(other) as me, second.lobby(other) as lobby:
        assert saved_pages(me) == []
        save(first, match_id)
        next_shelf(me, True, match_id)
        assert lobby.next("match-over")["id"] == match_id
        with first.me():
            assert me.next("saved")["matches"][0]["others"][0]["here"]
            invite(first, match_id)
            assert me.next("call")["call"]["match"] == match_id
            invite(second, match_id, other)
            assert me.next("call-over")["match"] == match_id
            next_shelf(me, False, match_id)
            assert lobby.next("match")["match"]["id"] == match_id
    with first.watch(match_id) as board:
        assert board.snapshot["halted"] is None


def finish(match_id: str, first: Person, second: Person) -> int:
    """Both move, and the second resigns; the number of the last ply."""
    with first.watch(match_id) as mine, second.watch(match_id) as theirs:
        ply = mine.move(0, "1")["ply"]
        ply = theirs.move(ply, "1")["ply"]
        return theirs.ask({"type": "resign", "id": command_id(), "after": ply})["ply"]


class TestARematch:
    def test_rematch_call_reaches_player_elsewhere(self, server):
        first, second, match_id = seat_two(server)
        finish(match_id, first, second)
        with second.me() as me, first.watch(match_id) as board:
            board.ask({"type": "rematch", "id": command_id()})
            call = me.next("call")["call"]
            assert (call["match"], call["kind"], call["left"]) == (match_id, "rematch", None)
        with second.me() as me:
            assert call_to(match_id, me.snapshot["calls"])["kind"] == "rematch"
        with first.me() as me:
            assert me.snapshot["calls"] == []

    def test_rematch_begun_announced_to_player_elsewhere(self, server):
        first, second, match_id = seat_two(server)
        finish(match_id, first, second)
        offer_rematch(first, match_id)
        with first.me() as me:
            offer_rematch(second, match_id)
            begun = me.next("begun")
            assert (begun["rematch_of"], begun["title"]) == (match_id, "Kalah")
        assert begun["match"] in in_play(first)

    def test_rematch_call_ends_after_an_hour(self, server):
        first, second, match_id = seat_two(server)
        finish(match_id, first, second)
        offer_rematch(first, match_id)
        make_ended_earlier(server, match_id, 3600)
        with second.me() as me:
            assert me.snapshot["calls"] == []
        with second.watch(match_id) as board:
            assert board.snapshot["match"]["offered"] == [0]

    @pytest.mark.parametrize("pair", PAIRS)
    def test_rematch_call_survives_absence_and_restart(self, launcher, pair):
        """The other side has no socket open for ten minutes, and meanwhile the server is another."""
        server = launcher.open(launcher.store(pair))
        first, second, match_id = seat_two(server)
        finish(match_id, first, second)
        offer_rematch(first, match_id)
        make_ended_earlier(server, match_id, 600)
        server.restart()
        watcher = Person(server)
        with (
            first.watch(match_id) as mine,
            second.watch(match_id) as theirs,
            watcher.watch(match_id) as others,
        ):
            assert theirs.snapshot["match"]["offered"] == [0]
            theirs.ask({"type": "rematch", "id": command_id()})
            links = [next_link(socket) for socket in (mine, theirs, others)]
            assert links == [links[0]] * 3
        with second.me() as me:
            assert me.snapshot["calls"] == []


def offer_rematch(person: Person, match_id: str) -> None:
    with person.watch(match_id) as board:
        board.ask({"type": "rematch", "id": command_id()})


def next_link(socket: Socket) -> str:
    """The id of the rematch, once everybody wants it, heard before or still to come."""
    told = [message["match"] for message in socket.heard if message["type"] == "rematch"]
    while not any(told):
        told.append(socket.next("rematch")["match"])
    return str(told[-1])


def make_ended_earlier(server: ParlourServer, match_id: str, seconds: int) -> None:
    """Have a match ended that many seconds earlier."""
    moment = (
        f"strftime('%Y-%m-%d %H:%M:%f', ended, '-{seconds} seconds')"
        if server.database_url.startswith("sqlite")
        else f"ended - interval '{seconds} seconds'"
    )
    server.write(f"UPDATE games_match SET ended = {moment} WHERE id = ?", match_id)
