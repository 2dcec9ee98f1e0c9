"""The interface of docs/reference/kalaha-note.md, line by line, against the rules and the store."""

import json
import re
import secrets
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.domain import codec
from games.domain.refusals import SavingUnavailable
from games.models import Match, Ply
from games.net.limits import Buckets
from games.rules import kalah
from games.store import history
from lobby import commands
from lobby.accounts import guests
from lobby.commands.models import Command
from lobby.kalaha import answers, games, views
from lobby.kalaha.games import status_of
from lobby.kalaha.models import NoteGame
from lobby.people.models import User
from tests.helpers.samples import sample
from tools.harness.patience import patience
from tools.harness.servers import Answer

pytestmark = pytest.mark.django_db(transaction=True)

START = [6, 6, 6, 6, 6, 6, 0] * 2
GAME = "/mancala/game"
MOVE = "/mancala/game/move"
DOCUMENT = (Path(__file__).parents[3] / "docs" / "reference" / "kalaha-note.md").read_text()
PROBLEM = "application/problem+json"
NOTHING = {
    "nextTurn": False,
    "extraTurn": False,
    "pebblesCaptured": 0,
    "player1Won": False,
    "player2Won": False,
    "draw": False,
}
"""What a move has done of which nothing is so."""


@pytest.fixture(autouse=True)
def no_limits(monkeypatch):
    monkeypatch.setattr(guests, "guests", Buckets(rate=0, burst=0))
    monkeypatch.setattr(views, "_moves", Buckets(rate=0, burst=0))


class Program:
    """A program that uses the interface: JSON there, JSON back."""

    def __init__(self, client):
        self.client = client

    def begin(self, name="evening", board=START, players=("ann", "bob"), key=None):
        body = {"gameboard": {}, "player1": {"id": players[0]}, "player2": {"id": players[1]}}
        if name is not None:
            body["gameboard"]["id"] = name
        if board is not None:
            body["gameboard"]["board"] = board
        return self.send("post", GAME, body, key)

    def move(self, start, player="ann", board=None, name="evening", key=None):
        body = {"gameboard": {"id": name}, "startPosition": start, "player": {"id": player}}
        if board is not None:
            body["gameboard"]["board"] = board
        return self.send("put", MOVE, body, key)

    def send(self, method, path, body, key=None):
        text = body if isinstance(body, str) else json.dumps(body)
        headers = {} if key is None else {"Idempotency-Key": key}
        return getattr(self.client, method)(path, text, content_type="application/json", headers=headers)


@pytest.fixture
def program(client):
    return Program(client)


@pytest.fixture
def game(program):
    assert program.begin().status_code == 201
    return NoteGame.objects.get()


def refused(answer, status, code):
    assert (answer.status_code, answer.headers["Content-Type"]) == (status, PROBLEM)
    problem = answer.json()
    assert (problem["status"], problem["code"]) == (status, code)
    assert problem["title"]
    assert problem["detail"]
    return problem


def put_board(game, board, turn=0):
    """Have a game stand at a board, whatever led there."""
    state = kalah.State(kalah.PRESETS["kalaha"], turn, tuple(board))
    Match.objects.filter(pk=game.match_id).update(start=codec.encode_state(kalah, state).decode())


class TestBeginning:
    def test_new_game_has_six_seeds_in_each_pit(self, program):
        answer = program.begin(board=None)
        assert answer.status_code == 201
        assert answer.json() == {
            "gameboard": {"id": "evening", "board": START},
            "gameStatus": "in-progress",
            "playsNextTurn": {"id": "ann"},
            "player1": {"id": "ann"},
            "player2": {"id": "bob"},
        }

    def test_new_game_is_watchable_match(self, program):
        address = program.begin()["Location"]
        match = Match.objects.get()
        assert address == f"/m/{match.pk}"
        assert program.client.get(address).status_code == 200

    def test_two_guests_who_cannot_sign_in_sit_there(self, game):
        seated = User.objects.filter(seatings__match=game.match_id)
        assert [(user.is_guest, user.has_usable_password()) for user in seated] == [(True, False)] * 2

    @pytest.mark.parametrize(("seeds", "preset"), [(6, "kalaha"), (3, "circle"), (4, "classic")])
    def test_the_seeds_in_a_pit_say_which_rules_hold(self, program, seeds, preset):
        assert program.begin(board=[*[seeds] * 6, 0] * 2).status_code == 201
        match = Match.objects.get()
        assert history.state_after(match.pk, 0).options == kalah.PRESETS[preset]

    @pytest.mark.parametrize(
        "board", [[5, 5, 5, 5, 5, 5, 0] * 2, [6] * 14, [6, 6, 6, 6, 6, 7, 0, *START[7:]]]
    )
    def test_no_other_board_begins_a_game(self, program, board):
        refused(program.begin(board=board), 422, "no-such-opening")
        assert not Match.objects.exists()
        assert not User.objects.exists()

    def test_a_game_without_an_id_gets_that_of_its_match(self, program):
        name = program.begin(name=None).json()["gameboard"]["id"]
        assert name == Match.objects.get().pk
        assert program.move(0, name=name).status_code == 200

    def test_an_id_that_is_taken_is_refused_and_leaves_nothing(self, game, program):
        refused(program.begin(), 409, "id-taken")
        assert (Match.objects.count(), User.objects.count()) == (1, 2)

    def test_two_players_with_the_same_id_are_refused(self, program):
        refused(program.begin(players=("ann", "ann")), 422, "same-player")

    @pytest.mark.parametrize("players", [(True, False), (1, 2), ("1", 1), (1, True)])
    def test_the_id_of_a_player_may_be_a_boolean_as_the_note_has_it_or_a_number(self, program, players):
        assert program.begin(players=players).json()["player1"] == {"id": players[0]}
        answer = program.move(1, players[0]).json()
        assert answer["playsNextTurn"] == {"id": players[1]}
        assert type(answer["playsNextTurn"]["id"]) is type(players[1])

    def test_the_id_of_a_game_may_be_a_number(self, program):
        assert program.begin(name=7).json()["gameboard"]["id"] == 7
        refused(program.move(1, name="7"), 404, "unknown-game")
        assert program.move(1, name=7).status_code == 200


class TestMoving:
    def test_seeds_go_into_each_following_pit(self, game, program):
        assert program.move(1, board=START).json() == {
            "originalGameboard": {"id": "evening", "board": START},
            "gameboard": {"id": "evening", "board": [6, 0, 7, 7, 7, 7, 1, 7, 6, 6, 6, 6, 6, 0]},
            "gameStatus": "in-progress",
            "playsNextTurn": {"id": "bob"},
            "consequence": {**NOTHING, "nextTurn": True},
        }

    def test_the_move_is_a_ply_like_any_other(self, game, program):
        program.move(1)
        ply = Ply.objects.get()
        assert (ply.number, ply.seat, ply.action) == (1, 0, "2")

    def test_the_second_players_pits_are_7_to_12(self, game, program):
        program.move(1)
        board = program.move(12, "bob").json()["gameboard"]["board"]
        assert board == [7, 1, 8, 8, 8, 7, 1, 7, 6, 6, 6, 6, 0, 1]

    def test_the_last_seed_in_the_own_store_moves_again(self, game, program):
        answer = program.move(0).json()
        assert answer["gameboard"]["board"] == [0, 7, 7, 7, 7, 7, 1, 6, 6, 6, 6, 6, 6, 0]
        assert answer["playsNextTurn"] == {"id": "ann"}
        assert answer["consequence"] == {**NOTHING, "extraTurn": True}

    def test_the_other_players_store_is_skipped(self, game, program):
        put_board(game, [0, 1, 0, 0, 1, 9, 0, 1, 0, 0, 0, 0, 0, 0])
        board = program.move(5).json()["gameboard"]["board"]
        assert board == [1, 2, 0, 0, 1, 0, 1, 2, 1, 1, 1, 1, 1, 0]

    def test_the_last_seed_in_an_empty_own_pit_captures_what_lies_opposite(self, game, program):
        put_board(game, [1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 5, 0, 0])
        answer = program.move(0).json()
        assert answer["gameboard"]["board"] == [0, 0, 0, 0, 0, 1, 6, 1, 0, 0, 0, 0, 0, 0]
        assert answer["playsNextTurn"] == {"id": "bob"}
        assert answer["consequence"] == {**NOTHING, "nextTurn": True, "pebblesCaptured": 6}

    def test_the_last_seed_is_captured_where_nothing_lies_opposite(self, game, program):
        put_board(game, [1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0])
        assert program.move(0).json()["gameboard"]["board"] == [0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0]

    @pytest.mark.parametrize(
        ("stores", "status"), [((20, 3), "player1Won"), ((3, 20), "player2Won"), ((4, 4), "draw")]
    )
    def test_the_game_ends_when_a_side_is_empty_and_everybody_keeps_their_own(
        self, game, program, stores, status
    ):
        put_board(game, [0, 0, 0, 0, 0, 1, stores[0], 0, 0, 0, 0, 0, 1, stores[1]])
        answer = program.move(5).json()
        over = [0, 0, 0, 0, 0, 0, stores[0] + 1, 0, 0, 0, 0, 0, 0, stores[1] + 1]
        assert (answer["gameboard"]["board"], answer["gameStatus"]) == (over, status)
        assert answer["playsNextTurn"] is None
        assert answer["consequence"] == {**NOTHING, status: True}
        assert Match.objects.get().status == Match.Status.FINISHED

    def test_a_game_and_its_board_may_be_one_member_as_the_note_has_it(self, game, program):
        body = {"gameboard": {"evening": START}, "startPosition": 1, "player": {"id": "ann"}}
        assert program.send("put", MOVE, body).json()["originalGameboard"] == {
            "id": "evening",
            "board": START,
        }
        refused(program.send("put", MOVE, body), 409, "stale")


class TestRefusals:
    def test_an_unknown_game(self, program):
        refused(program.move(0), 404, "unknown-game")

    @pytest.mark.parametrize(("player", "named"), [("eve", '"eve"'), (1, "1"), (True, "true")])
    def test_move_by_unknown_player_refused(self, game, program, player, named):
        problem = refused(program.move(0, player), 403, "not-seated")
        assert problem["detail"] == f"No player of this game has the id {named}."

    def test_move_by_player_id_of_other_type_refused(self, program):
        program.begin(players=("1", "2"))
        refused(program.move(0, 1), 403, "not-seated")

    def test_an_empty_pit_is_named_as_it_was_sent(self, game, program):
        program.move(0)
        assert refused(program.move(0), 422, "empty-pit")["detail"] == "Pit 0 is empty."
        put_board(game, [0, 7, 7, 7, 7, 7, 1, 6, 6, 0, 6, 6, 6, 0], turn=1)
        Command.objects.all().delete()
        Ply.objects.all().delete()
        assert refused(program.move(9, "bob"), 422, "empty-pit")["detail"] == "Pit 9 is empty."

    @pytest.mark.parametrize("place", [6, 13])
    def test_a_store(self, game, program, place):
        refused(program.move(place), 422, "store")

    @pytest.mark.parametrize("place", range(7, 13))
    def test_a_pit_of_the_other_player(self, game, program, place):
        refused(program.move(place), 422, "not-your-pit")

    @pytest.mark.parametrize("place", [-1, 14, 10**30])
    def test_a_place_that_is_not_on_the_board(self, game, program, place):
        refused(program.move(place), 422, "no-such-pit")

    def test_move_out_of_turn_refused(self, game, program):
        refused(program.move(7, "bob"), 409, "not-your-turn")

    def test_the_game_is_over(self, game, program):
        put_board(game, [0, 0, 0, 0, 0, 1, 20, 0, 0, 0, 0, 0, 1, 3])
        program.move(5)
        refused(program.move(5), 409, "game-over")

    def test_a_board_that_is_not_the_stored_one_is_refused_with_the_stored_one(self, game, program):
        played = program.move(1, board=START).json()
        problem = refused(program.move(2, "bob", board=START), 409, "stale")
        assert {name: problem[name] for name in ("gameboard", "gameStatus", "playsNextTurn")} == {
            name: played[name] for name in ("gameboard", "gameStatus", "playsNextTurn")
        }

    def test_move_refused_changes_nothing(self, game, program):
        for start, player in ((6, "ann"), (7, "ann"), (7, "bob"), (14, "ann"), (0, "eve")):
            program.move(start, player)
        assert not Ply.objects.exists()


class TestBodies:
    @pytest.mark.parametrize("body", ["{", "[1,", "\x00", "{'a': 1}"])
    @pytest.mark.parametrize(("method", "path"), [("post", GAME), ("put", MOVE)])
    def test_body_not_json_refused(self, program, method, path, body):
        refused(program.send(method, path, body), 400, "malformed")

    @pytest.mark.parametrize(
        "body",
        [
            [],
            {},
            {"player1": {"id": "a"}, "player2": {}},
            {"player1": {"id": "a"}, "player2": {"id": "b"}, "more": 1},
            {"player1": {"id": "a"}, "player2": {"id": 1.5}},
            {"player1": {"id": "a"}, "player2": {"id": ""}},
            {"player1": {"id": "a"}, "player2": {"id": "b" * 65}},
            {"player1": {"id": "a"}, "player2": {"id": "<b>"}},
            {"player1": {"id": "a"}, "player2": {"id": None}},
            {"player1": {"id": "a"}, "player2": {"id": "b"}, "gameboard": {"board": [6] * 13}},
            {"player1": {"id": "a"}, "player2": {"id": "b"}, "gameboard": {"board": [True] * 14}},
            {"player1": {"id": "a"}, "player2": {"id": "b"}, "gameboard": {"board": "6"}},
            {"player1": {"id": "a"}, "player2": {"id": "b"}, "gameboard": {"id": True}},
        ],
    )
    def test_a_game_of_another_shape(self, program, body):
        problem = refused(program.send("post", GAME, body), 422, "invalid")
        assert problem["errors"]
        assert not NoteGame.objects.exists()

    @pytest.mark.parametrize("start", ["0", 1.5, True, None, [0], {}])
    def test_a_start_position_of_another_type(self, game, program, start):
        problem = refused(program.move(start), 422, "invalid")
        assert [error["pointer"] for error in problem["errors"]] == ["/startPosition"]

    @pytest.mark.parametrize(
        ("gameboard", "player", "pointers"),
        [
            ({}, {"id": "ann"}, ["/gameboard/id"]),
            ({"id": "evening"}, {}, ["/player/id"]),
            ({"id": "evening"}, {"id": {"int": 1}}, ["/player/id"]),
            ({"id": [6] * 14}, {"id": "ann"}, ["/gameboard/id"]),
            ({"id": "evening", "board": [6, 6, "6", *[6] * 11]}, {"id": "ann"}, ["/gameboard/board/2"]),
            ({"evening": [6, 6, "6", *[6] * 11]}, {"id": "ann"}, ["/gameboard/evening/2"]),
            ({"a/b~c": START}, {"id": "ann"}, ["/gameboard/a~1b~0c"]),
            ({"id": "evening"}, {"id": "ann", "a/b": 1}, ["/player/a~1b"]),
            ({"id": "evening"}, {"a": [1]}, ["/player/id", "/player/a"]),
            ("evening", {"id": None}, ["/gameboard", "/player/id"]),
        ],
    )
    def test_the_places_of_mistakes_are_json_pointers(self, game, program, gameboard, player, pointers):
        body = {"gameboard": gameboard, "startPosition": 0, "player": player}
        problem = refused(program.send("put", MOVE, body), 422, "invalid")
        assert [error["pointer"] for error in problem["errors"]] == pointers

    def test_a_body_that_is_no_object_is_wrong_as_a_whole(self, program):
        problem = refused(program.send("put", MOVE, []), 422, "invalid")
        assert [error["pointer"] for error in problem["errors"]] == [""]

    def test_a_body_that_is_too_large(self, program):
        body = json.dumps({"gameboard": {"id": "x" * 5000}})
        refused(program.send("post", GAME, body), 413, "too-large")

    def test_a_body_of_another_kind(self, client):
        refused(client.post(GAME, {"a": "b"}), 415, "not-json")

    @pytest.mark.parametrize(("path", "method"), [(GAME, "POST"), (MOVE, "PUT")])
    def test_another_method(self, client, path, method):
        for other in {"get", "post", "put", "delete", "patch"} - {method.lower()}:
            answer = getattr(client, other)(path)
            refused(answer, 405, "method-not-allowed")
            assert answer["Allow"] == method

    def test_no_token_against_forgery_is_asked_for_and_no_cookie_set(self):
        answer = Program(Client(enforce_csrf_checks=True)).begin()
        assert answer.status_code == 201
        assert not answer.cookies


class TestIdempotency:
    def test_the_same_game_again_is_the_same_answer(self, program):
        first, again = (program.begin(name=None, key="k") for _ in range(2))
        assert (first.status_code, first.content, first["Location"]) == (
            again.status_code,
            again.content,
            again["Location"],
        )
        assert Match.objects.count() == 1

    def test_the_same_move_again_is_the_same_answer(self, game, program):
        answers = {program.move(0, board=START, key="k").content for _ in range(3)}
        assert len(answers) == 1
        assert Ply.objects.count() == 1

    def test_move_repeated_without_key_is_new_move(self, game, program):
        assert program.move(0).status_code == 200
        refused(program.move(0), 422, "empty-pit")

    def test_move_repeated_with_key_after_other_move_gets_first_answer(self, game, program):
        first = program.move(1, key="k")
        program.move(7, "bob")
        assert program.move(1, key="k").content == first.content

    def test_refusal_is_not_stored_and_may_be_tried_again(self, game, program):
        refused(program.move(7, "bob", key="k"), 409, "not-your-turn")
        refused(program.begin(key="g"), 409, "id-taken")
        assert not Command.objects.exists()
        program.move(1)
        assert program.move(7, "bob", key="k").status_code == 200

    def test_the_same_key_of_another_caller_is_another_key(self, game, program):
        program.move(0, key="k")
        program.client.defaults["REMOTE_ADDR"] = "192.0.2.7"
        refused(program.move(7, "bob", key="k"), 409, "not-your-turn")

    def test_the_same_key_with_another_body_is_refused(self, game, program):
        program.move(0, key="k")
        refused(program.move(1, key="k"), 422, "key-reused")
        refused(program.begin(name="other", key="k"), 422, "key-reused")
        assert Ply.objects.count() == 1

    def test_move_repeated_after_lost_answer_not_played_again(self, game, program):
        first = program.move(0, key="k")
        began = program.begin(name=None, key="g")
        # The deed was stored and the answer was not.
        Command.objects.all().delete()
        assert program.move(0, key="k").content == first.content
        assert program.begin(name=None, key="g").content == began.content
        assert (Ply.objects.count(), Match.objects.count()) == (1, 2)

    def test_a_key_that_nobody_answers_any_more_is_taken_on(self, game, program):
        first = program.move(0, key="k")
        long_ago = timezone.now() - answers.LEASE * 2
        Command.objects.update(result=None, at=long_ago)
        assert program.move(0, key="k").content == first.content

    def test_a_failure_of_the_store_is_not_kept(self, game, program, monkeypatch):
        async def fail(*_):
            raise SavingUnavailable

        with monkeypatch.context() as failing:
            failing.setattr(games, "sow", fail)
            answer = program.move(0, key="k")
        refused(answer, 503, "unavailable")
        assert answer["Retry-After"] == "1"
        assert program.move(0, key="k").status_code == 200

    def test_a_key_that_is_too_long(self, game, program):
        refused(program.move(0, key="k" * 256), 400, "bad-key")

    def test_old_answers_are_forgotten(self, game, program):
        program.move(0, key="k")
        commands.purge(timezone.now() + 2 * commands.LIFETIME)
        assert not Command.objects.exists()


class TestLimits:
    def test_an_address_begins_only_so_many_games(self, program, monkeypatch):
        monkeypatch.setattr(guests, "guests", Buckets(rate=1 / 60, burst=3))
        assert program.begin(name="one").status_code == 201
        refused(program.begin(name="two"), 429, "too-many")

    def test_a_repeated_request_begins_nothing_and_costs_nothing(self, program, monkeypatch):
        monkeypatch.setattr(guests, "guests", Buckets(rate=1 / 60, burst=3))
        assert [program.begin(key="k").status_code for _ in range(3)] == [201] * 3

    def test_an_address_sends_only_so_many_moves(self, game, program, monkeypatch):
        monkeypatch.setattr(views, "_moves", Buckets(rate=1 / 60, burst=1))
        program.move(0)
        answer = program.move(1)
        refused(answer, 429, "too-many")
        assert answer["Retry-After"] == "1"


@settings(max_examples=sample(10, 4), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(chance=st.randoms(use_true_random=False), seeds=st.sampled_from([3, 4, 6]))
def test_a_random_game_is_the_one_that_the_rules_play(client, chance, seeds):
    program, name, board = Program(client), secrets.token_hex(8), [*[seeds] * 6, 0] * 2
    begun = program.begin(name, board).json()
    state = history.state_after(NoteGame.objects.get(pk=f'"{name}"').match_id, 0)
    assert begun["gameboard"]["board"] == list(state.board)
    while kalah.outcome(state) is None:
        move = chance.choice(kalah.legal_moves(state))
        before, player = state, ("ann", "bob")[state.turn]
        answer = program.move(7 * state.turn + move.pit - 1, player, list(state.board), name).json()
        state = kalah.play(state, move).state
        assert answer["originalGameboard"]["board"] == list(before.board)
        assert answer["gameboard"]["board"] == list(state.board)
        assert answer["gameStatus"] == status_of(kalah.outcome(state))
        if answer["gameStatus"] == "in-progress":
            assert answer["playsNextTurn"] == {"id": ("ann", "bob")[state.turn]}


# Against a running server


def send(server, method, path, body, key=None):
    headers = {"Content-Type": "application/json"} | ({"Idempotency-Key": key} if key else {})
    request = urllib.request.Request(server.url + path, json.dumps(body).encode(), headers, method=method)
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(request, timeout=patience(30)) as response:
            return Answer(response.status, dict(response.headers.items()), response.read())
    except urllib.error.HTTPError as error:
        with error:
            return Answer(error.code, dict(error.headers.items()), error.read())


def new_game(server):
    name = secrets.token_hex(8)
    body = {"gameboard": {"id": name}, "player1": {"id": True}, "player2": {"id": False}}
    assert send(server, "POST", GAME, body).status == 201
    return name


def sowing(name, start, player=True):
    return {"gameboard": {"id": name}, "startPosition": start, "player": {"id": player}}


class TestServers:
    def test_the_status_line_bears_the_phrase_of_its_status(self, server):
        asked = HTTPConnection("127.0.0.1", server.port, timeout=patience(30))
        asked.request("PUT", MOVE, json.dumps({}), {"Content-Type": "application/json"})
        answer = asked.getresponse()
        problem = json.load(answer)
        asked.close()
        assert (answer.status, answer.reason) == (422, "Unprocessable Entity")
        assert problem["title"] == answer.reason

    def test_concurrent_moves_play_one(self, server):
        name = new_game(server)
        with ThreadPoolExecutor(2) as pool:
            answers = list(pool.map(lambda start: send(server, "PUT", MOVE, sowing(name, start)), (1, 2)))
        assert sorted(answer.status for answer in answers) == [200, 409]
        refusal = next(json.loads(answer.body) for answer in answers if answer.status == 409)
        assert refusal["code"] == "not-your-turn"

    def test_copies_at_once_are_one_move_with_one_answer(self, server):
        name, key = new_game(server), secrets.token_hex(8)
        with ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(lambda _: send(server, "PUT", MOVE, sowing(name, 0), key), range(16)))
        assert {answer.status for answer in answers} == {200}
        assert len({answer.body for answer in answers}) == 1

    def test_copies_to_two_processes_begin_one_game(self, launcher, store, server):
        other, key = launcher.open(store), secrets.token_hex(8)
        body = {"player1": {"id": 1}, "player2": {"id": 2}}
        with ThreadPoolExecutor(8) as pool:
            sent = list(
                pool.map(lambda nth: send((server, other)[nth % 2], "POST", GAME, body, key), range(12))
            )
        assert {answer.status for answer in sent} == {201}
        assert len({answer.body for answer in sent}) == 1

    def test_the_answer_outlives_the_server(self, launcher):
        server = launcher.open(launcher.store("sqlite"))
        name, key = new_game(server), secrets.token_hex(8)
        first = send(server, "PUT", MOVE, sowing(name, 0), key)
        server.restart()
        assert send(server, "PUT", MOVE, sowing(name, 0), key).body == first.body
        refused = send(server, "PUT", MOVE, sowing(name, 1), key)
        assert json.loads(refused.body)["code"] == "key-reused"
        assert send(server, "PUT", MOVE, sowing(name, 5)).status == 200


def test_the_examples_of_the_document_are_true(client):
    """Each request of docs/reference/kalaha-note.md, in order, is answered as it says there."""
    request = r"```http\n(POST|PUT) (\S+)\n(?:Idempotency-Key: (\S+)\n)?\n(.*?)```"
    answer = r"```http\n(\d+) [^\n]*\n\n(.*?)```"
    examples = re.findall(rf"{request}\s*{answer}", DOCUMENT, re.DOTALL)
    assert len(examples) >= 5
    for method, path, key, body, status, expected in examples:
        answer = Program(client).send(method.lower(), path, body, key or None)
        assert (answer.status_code, answer.json()) == (int(status), json.loads(expected))
