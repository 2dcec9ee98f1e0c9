"""The interface for programs at a real server: what it does, what it refuses and how it says so."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlencode

import pytest

from games.api.scopes import SCOPES
from games.domain.position import Position
from games.registry import GAMES
from lobby.sockets.messages import MatchFields
from tests.conftest import Launcher
from tests.helpers import finished
from tests.helpers.programs import Program, programs, until
from tools.harness import subprocess_call
from tools.harness.people import Person, command_id, guest
from tools.harness.servers import ParlourServer

RATED = next(slug for slug, game in GAMES.items() if not game.pure_luck)


@pytest.fixture(scope="module")
def server(launcher: Launcher) -> ParlourServer:
    return launcher.open(launcher.store("sqlite"), API_RATE="0", TABLES_PER_HOST="100")


@pytest.fixture(scope="module")
def anna(server: ParlourServer) -> Program:
    return programs(server, "Anna")[0]


@pytest.fixture(scope="module")
def bert(server: ParlourServer) -> Program:
    return programs(server, "Bert")[0]


@pytest.fixture(scope="module")
def nobody(server: ParlourServer) -> Program:
    return Program(server)


def set_table(program: Program, **body: Any) -> Any:
    reply = program.post(
        "/tables", **{"game": RATED, "first": "lot" if body.get("rated") else "host", **body}
    )
    assert reply.status == 201, reply
    return reply.fields


def begin(first: Program, second: Program, **body: Any) -> str:
    """A match of two, in which the first one moves first."""
    reply = second.post(f"/tables/{set_table(first, **body)['id']}/sit")
    assert reply.status == 200, reply
    match: str = reply.fields["match"]
    return match


class TestGames:
    @pytest.mark.all_games
    def test_all_of_them_with_their_options(self, nobody):
        games = nobody.get("/games").fields["games"]
        assert [game["slug"] for game in games] == list(GAMES)
        assert all(nobody.get(f"/games/{game['slug']}").fields == game for game in games)

    @pytest.mark.parametrize("slug", GAMES)
    def test_one_says_what_its_rules_forbid(self, nobody, slug):
        told = nobody.get(f"/games/{slug}").fields["refusals"]
        assert {each["code"]: each["sentence"] for each in told} == GAMES[slug].rules.REFUSALS

    def test_an_unknown_one(self, nobody):
        assert nobody.get("/games/no-such-game").refusal == (404, "unknown-game")


class TestMatchesFromPositions:
    TEXT = "kalah.1 classic turn=1 board=4,4,0,5*3,1,4*6,0"

    @pytest.fixture
    def sent(self):
        return {"game": "kalah", "position": self.TEXT}

    def check(self, program: Program, match: str) -> None:
        told = program.get(f"/matches/{match}").fields
        assert told["match"]["from_position"]
        assert told["state"]["board"] == [4, 4, 0, 5, 5, 5, 1, 4, 4, 4, 4, 4, 4, 0]
        assert (told["state"]["turn"], told["you"], "legal" in told) == (1, 1, True)

    def test_at_an_open_table(self, anna, bert, sent):
        assert set_table(anna, **sent)["position"] == self.TEXT
        self.check(anna, begin(anna, bert, **sent))

    def test_against_the_computer(self, anna, sent):
        self.check(anna, set_table(anna, **sent, computers=[1])["match"])

    def test_by_challenge(self, anna, bert, sent):
        table = anna.post("/users/Bert/challenge", first="host", **sent).fields["id"]
        self.check(anna, bert.post(f"/challenges/{table}/accept").fields["match"])

    @pytest.mark.parametrize(
        ("body", "field"),
        [
            ({"position": "kalah.1 classic turn=0 board=4"}, "board"),
            ({"preset": "classic"}, "options"),
            ({"seats": 3}, "seats"),
            ({"game": "morris"}, "game"),
        ],
    )
    def test_what_does_not_fit_is_refused_by_its_field(self, anna, sent, body, field):
        reply = anna.post("/tables", **{**sent, **body})
        assert (reply.refusal, reply.fields["field"]) == ((422, "bad-position"), field)

    def test_it_is_never_rated(self, anna, sent):
        assert anna.post("/tables", **sent, rated=True).refusal == (409, "rated-position")

    def test_a_table_that_the_computer_cannot_join_is_not_set(self, anna):
        before = len(anna.get("/tables").fields["tables"])
        assert anna.post("/tables", game="kalah", computers=[99]).refusal == (422, "bad-level")
        assert len(anna.get("/tables").fields["tables"]) == before


class TestPositions:
    @pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
    def test_a_game_is_played_without_a_match(self, nobody, game):
        seats = game.rules.SEATS[0]
        text = str(Position(game, game.rules.setup(game.rules.Options(), seats), seats))
        for _ in range(4):
            told = nobody.get(f"/position?{urlencode({'position': text})}").fields
            assert told["position"] == text
            assert (told["game"], told["seats"], told["value"]) == (game.slug, seats, None)
            sent = {"dice": [1] * told["dice"]["count"]} if told["dice"] else {"move": told["legal"][0]}
            query = urlencode({"position": text, **sent}, doseq=True)
            step = nobody.get(f"/position/move?{query}").fields
            assert step["after"]["turn"] == step["after"]["state"]["turn"]
            text = step["after"]["position"]

    def test_other_programs_write_it_and_are_read(self, nobody):
        query = urlencode({"position": "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>", "notation": "kgp", "game": "kalah"})
        told = nobody.get(f"/position?{query}").fields
        assert told["position"] == "kalah.1 classic turn=0 board=4*6,0,4*6,0"
        assert told["notations"] == {"kgp": "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>"}

    @pytest.mark.parametrize(
        ("query", "field"),
        [
            ({"position": "kalah.1 classic turn=0 board=4"}, "board"),
            ({"position": "<6>", "notation": "kgp", "game": "kalah"}, "board"),
            ({"position": "<6>", "notation": "sgf", "game": "kalah"}, "notation"),
            ({"position": "<6>", "notation": "kgp", "game": "kalah", "preset": "huge"}, "preset"),
        ],
    )
    def test_what_is_no_position_is_refused_by_its_field(self, nobody, query, field):
        reply = nobody.get(f"/position?{urlencode(query)}")
        assert reply.refusal == (422, "bad-position")
        assert reply.fields["field"] == field

    def test_what_is_not_legal_is_refused_as_in_a_match(self, nobody):
        text = "kalah.1 classic turn=0 board=0,4*5,0,4*6,0"
        for move, code in [("1", "empty-pit"), ("x", "unparseable"), ("", "unparseable")]:
            query = urlencode({"position": text, "move": move})
            assert nobody.get(f"/position/move?{query}").refusal == (422, code)
        query = urlencode({"position": text, "dice": "6"})
        assert nobody.get(f"/position/move?{query}").refusal == (422, "no-dice-due")


class TestTables:
    def test_create_table_listed_for_everybody(self, anna, nobody):
        table = set_table(anna, preset=list(GAMES[RATED].rules.PRESETS)[1])
        assert table["taken"] == ["Anna"]
        assert table in nobody.get("/tables").fields["tables"]
        assert nobody.get(f"/tables/{table['id']}").fields == table

    def test_single_options_change_the_preset(self, anna, nobody):
        option = next(each for each in nobody.get(f"/games/{RATED}").fields["options"] if each["values"])
        value = next(each["value"] for each in option["values"] if each["value"] != option["default"])
        assert set_table(anna, options={option["name"]: value})["options"][option["name"]] == value

    def test_join_table_last_seat_begins_match(self, anna, bert):
        match = begin(anna, bert)
        assert anna.get(f"/matches/{match}").fields["match"]["seats"][1]["name"] == "Bert"

    def test_standing_up_clears_it_away(self, anna, bert):
        table = set_table(anna)["id"]
        assert bert.post(f"/tables/{table}/stand").refusal == (409, "not-seated")
        assert anna.post(f"/tables/{table}/stand").status == 204
        assert anna.get(f"/tables/{table}").refusal == (404, "gone")

    def test_begin_table_with_free_seats(self, anna, bert):
        many = next(slug for slug, game in GAMES.items() if game.rules.SEATS[-1] > 2)
        table = set_table(anna, game=many, seats=3)["id"]
        assert anna.post(f"/tables/{table}/start").refusal == (409, "too-few")
        assert bert.post(f"/tables/{table}/sit").fields["match"] is None
        assert bert.post(f"/tables/{table}/start").refusal == (403, "not-host")
        assert anna.post(f"/tables/{table}/start").fields["match"]
        assert anna.post(f"/tables/{table}/start").refusal == (409, "begun")
        assert bert.post(f"/tables/{table}/stand").refusal == (409, "begun")

    def test_a_chair_is_taken_once(self, anna, bert, server):
        table = set_table(anna)["id"]
        assert anna.post(f"/tables/{table}/sit").refusal == (409, "seated")
        bert.post(f"/tables/{table}/sit")
        assert programs(server, "Cora")[0].post(f"/tables/{table}/sit").refusal == (409, "full")

    @pytest.mark.parametrize(
        ("body", "code"),
        [
            ({"game": "chess"}, "unknown-game"),
            ({"preset": "nonsense"}, "bad-option"),
            ({"options": {"nonsense": 1}}, "bad-option"),
            ({"seats": 99}, "bad-seats"),
            ({"clock": "1+1000"}, "bad-clock"),
            ({"delay": 7}, "bad-delay"),
            ({"delay": 15, "watchable": False}, "delay-unwatched"),
            ({"lowest_rating": 1000}, "range-casual"),
            ({"rated": True, "lowest_rating": 2000, "highest_rating": 1000}, "bad-range"),
            ({"first": "me"}, "malformed"),
            ({"seats": "2"}, "malformed"),
            ({"nonsense": 1}, "malformed"),
        ],
    )
    def test_create_table_invalid_refused(self, anna, body, code):
        assert anna.post("/tables", **{"game": RATED, **body}).refusal == (422, code)

    def test_the_wrong_option_is_named(self, anna):
        reply = anna.post("/tables", game=RATED, options={"nonsense": 1})
        assert reply.fields["option"] == "nonsense"


class TestChallenges:
    def test_accept_challenge_begins_match(self, anna, bert):
        made = anna.post("/users/Bert/challenge", game=RATED)
        assert made.status == 201
        assert made.fields in bert.get("/challenges").fields["received"]
        assert made.fields in anna.get("/challenges").fields["made"]
        table = made.fields["id"]
        assert anna.post("/users/bert/challenge", game=RATED).refusal == (409, "challenged-already")
        assert anna.post(f"/challenges/{table}/accept").refusal == (403, "not-challenged")
        assert bert.post(f"/challenges/{table}/accept").fields["match"]

    def test_decline_challenge_closes_it(self, anna, bert):
        table = anna.post("/users/Bert/challenge", game=RATED).fields["id"]
        assert anna.post(f"/challenges/{table}/decline").refusal == (403, "not-challenged")
        with anna.stream("/events") as events:
            until(events, "hello")
            assert bert.post(f"/challenges/{table}/decline").status == 204
            declined = until(events, "declined")
        assert (declined["table"], declined["name"]) == (table, "Bert")
        assert bert.post(f"/challenges/{table}/decline").refusal == (404, "gone")

    def test_withdraw_challenge_notifies_opponent(self, anna, bert):
        with bert.stream("/events") as events:
            until(events, "hello")
            table = anna.post("/users/Bert/challenge", game=RATED).fields["id"]
            assert until(events, "challenge")["table"]["id"] == table
            anna.post(f"/tables/{table}/stand")
            assert until(events, "challenge-gone")["table"] == table

    def test_challenge_oneself_or_unknown_refused(self, anna):
        assert anna.post("/users/Anna/challenge", game=RATED).refusal == (403, "yourself")
        assert anna.post("/users/Nobody-Here/challenge", game=RATED).refusal == (404, "unknown-person")


class TestQuickPairing:
    def test_two_who_wait_for_the_same_are_paired(self, anna, bert):
        tile = {"game": RATED, "preset": next(iter(GAMES[RATED].rules.PRESETS)), "clock": "5+3"}
        with anna.stream("/events") as mine, bert.stream("/events") as theirs:
            until(mine, "hello")
            until(theirs, "hello")
            assert anna.ask("PUT", "/seek", tile).fields["seek"]["clock"] == "5+3"
            bert.ask("PUT", "/seek", tile)
            assert until(mine, "match")["match"]["id"] == until(theirs, "match")["match"]["id"]

    def test_cancel_seek(self, server):
        (cora,) = programs(server, "Cora")
        tile = {"game": RATED, "preset": next(iter(GAMES[RATED].rules.PRESETS)), "clock": ""}
        cora.ask("PUT", "/seek", tile)
        assert cora.get("/seek").fields["seek"]["clock"] == ""
        assert cora.ask("DELETE", "/seek").status == 204
        assert cora.get("/seek").fields == {"seek": None, "paired": None}

    def test_seek_with_unknown_tile_refused(self, anna):
        tile = {"game": RATED, "preset": "nonsense", "clock": ""}
        assert anna.ask("PUT", "/seek", tile).refusal == (422, "no-such-tile")


class TestMatches:
    def test_a_command_acts_once(self, anna, bert):
        match = begin(anna, bert)
        now = anna.get(f"/matches/{match}").fields
        command = {"type": "move", "id": command_id(), "after": 0, "move": now["legal"][0]}
        first, again = anna.command(match, **command), anna.command(match, **command)
        assert first.fields == again.fields == {"type": "accepted", "id": command["id"], "ply": 1}
        reply = anna.get(f"/matches/{match}/plies")
        assert reply.status == 200, reply
        assert len(reply.fields["plies"]) == 1

    def test_conditional_moves_are_entered_read_and_removed(self, anna, bert):
        match = begin(anna, bert, game="kalah", preset="circle", clock="3d")
        address = f"/matches/{match}/conditional"
        body = {"after": 0, "lines": [["1", "2"]]}
        assert bert.ask("PUT", address, body).fields == {"ply": 0, "lines": [["1", "2"]]}
        assert anna.get(address).fields == {"ply": 0, "lines": []}
        assert bert.ask("PUT", address, {"after": 0, "lines": [["1"]]}).refusal == (422, "open-line")
        assert bert.ask("PUT", address, {"after": 0, "lines": []}).fields == {"ply": 0, "lines": []}

    def test_a_long_match_comes_in_pages(self, anna, bert):
        match = begin(anna, bert)
        first = anna.get(f"/matches/{match}").fields["legal"][0]
        anna.command(match, type="move", after=0, move=first)
        anna.command(match, type="offer", after=1, kind="take-back")
        bert.command(match, type="offer", after=1, kind="take-back")
        pages, after = [], 0
        while after is not None:
            page = anna.get(f"/matches/{match}/plies?limit=1&after={after}").fields
            pages, after = [*pages, [ply["number"] for ply in page["plies"]]], page["next"]
        assert pages == [[1], [2]]
        assert anna.get(f"/matches/{match}/plies?after=7").fields["next"] is None
        assert anna.get(f"/matches/{match}/plies?limit=201").refusal == (422, "malformed")

    def test_the_same_id_on_the_socket_is_the_same_command(self, server, anna, bert):
        match, person = begin(anna, bert), Person(server)
        now = anna.get(f"/matches/{match}").fields
        command = {"type": "move", "id": command_id(), "after": 0, "move": now["legal"][0]}
        with person.watch(match) as watcher:
            anna.command(match, **command)
            assert watcher.next("plies")["plies"][0]["command"] == command["id"]

    def test_a_refusal_comes_with_the_position(self, anna, bert):
        match = begin(anna, bert)
        reply = bert.command(
            match, type="move", after=0, move=anna.get(f"/matches/{match}").fields["legal"][0]
        )
        assert reply.refusal == (409, "not-your-turn")
        assert reply.fields["ply"] == 0
        assert reply.fields["state"] == anna.get(f"/matches/{match}").fields["state"]
        reply = anna.command(match, type="move", after=7, move="x")
        assert reply.refusal == (409, "stale")
        assert reply.fields["legal"]

    def test_an_illegal_move(self, anna, bert):
        match = begin(anna, bert)
        assert anna.command(match, type="move", after=0, move="nonsense").refusal == (422, "unparseable")

    def test_command_without_seat_refused(self, server, anna, bert):
        match = begin(anna, bert)
        (cora,) = programs(server, "Cora")
        assert cora.command(match, type="resign", after=0).refusal == (403, "not-seated")

    def test_offers_are_made_and_taken(self, anna, bert):
        match = begin(anna, bert)
        move = anna.get(f"/matches/{match}").fields["legal"][0]
        assert anna.command(match, type="move", after=0, move=move).status == 200
        assert anna.command(match, type="offer", after=1, kind="take-back").status == 200
        assert bert.get(f"/matches/{match}").fields["offers"][0]["kind"] == "take-back"
        assert bert.command(match, type="offer", after=1, kind="take-back").fields["ply"] == 2

    def test_match_file_only_after_end(self, anna, bert, nobody):
        match = begin(anna, bert)
        assert nobody.get(f"/matches/{match}/file").refusal == (409, "not-over")
        anna.command(match, type="resign", after=0)
        assert anna.command(match, type="resign", after=1).refusal == (409, "game-over")
        assert nobody.get(f"/matches/{match}/file").fields["format"] == "parlour-match"
        assert match in [each["id"] for each in nobody.get("/users/Anna/matches").fields["matches"]]

    def test_both_agree_to_a_rematch(self, anna, bert):
        match = begin(anna, bert)
        assert anna.command(match, type="rematch").refusal == (409, "not-over")
        anna.command(match, type="resign", after=0)
        with anna.stream("/events") as events:
            until(events, "hello")
            assert anna.command(match, type="rematch").status == 200
            assert bert.command(match, type="rematch").status == 200
            begun = until(events, "match")["match"]["id"]
        assert anna.get(f"/matches/{match}").fields["match"]["rematch"] == begun

    def test_the_odds(self, anna, bert):
        told = next(slug for slug, game in GAMES.items() if game.odds)
        match = begin(anna, bert, game=told)
        assert anna.get(f"/matches/{match}/odds").fields == {"type": "odds", "ply": 0, "chance": 0.0}

    def test_a_finished_match_is_analysed_once_somebody_asks(self, anna, bert, nobody):
        match = begin(anna, bert)
        assert nobody.get(f"/matches/{match}/analysis").refusal == (409, "not-over")
        move = anna.get(f"/matches/{match}").fields["legal"][0]
        anna.command(match, type="move", after=0, move=move)
        anna.command(match, type="resign", after=1)
        assert nobody.get(f"/matches/{match}/analysis").fields["asked"] is False
        assert nobody.post(f"/matches/{match}/analysis").refusal == (401, "bad-token")
        for _ in range(2):
            told = anna.post(f"/matches/{match}/analysis")
            assert (told.status, told.fields["asked"], told.fields["positions"]) == (202, True, 2)

    def test_list_matches_in_play(self, anna, bert, nobody):
        match = begin(anna, bert)
        mine = anna.get("/me/matches").fields
        assert match in mine["waiting"]
        shown = next(each for each in nobody.get("/matches").fields["matches"] if each["id"] == match)
        assert set(shown) == set(MatchFields.__annotations__)
        assert shown in mine["matches"]

    def test_an_unknown_one(self, anna):
        assert anna.get("/matches/nosuchmatch").refusal == (404, "unknown-match")
        assert anna.command("nosuchmatch", type="resign", after=0).refusal == (404, "unknown-match")


class TestRatedMatches:
    def test_no_program_moves_in_one_but_people_whose_program_it_is_may_end_it(self, anna, bert):
        match = begin(anna, bert, rated=True)
        positions = {each: each.get(f"/matches/{match}").fields for each in (anna, bert)}
        # Lots are drawn in a rated match.
        mover, other = (anna, bert) if "legal" in positions[anna] else (bert, anna)
        move = {"type": "move", "id": command_id(), "after": 0, "move": positions[mover]["legal"][0]}
        assert mover.post(f"/matches/{match}/commands", **move).refusal == (403, "program")
        assert mover.get(f"/matches/{match}").fields["ply"] == 0
        lines = {"after": 0, "lines": [["1", "2"]]}
        assert other.ask("PUT", f"/matches/{match}/conditional", lines).refusal == (403, "program")
        resign = {"type": "resign", "id": command_id(), "after": 0}
        assert mover.post(f"/matches/{match}/commands", **resign).fields["ply"] == 1


class TestChat:
    def test_chat_line_sent_twice_stored_once(self, anna, bert):
        match, said = begin(anna, bert), {"id": command_id(), "room": "players", "text": "Good luck!"}
        for _ in range(2):
            assert anna.post(f"/matches/{match}/chat", **said).fields == {
                "type": "accepted",
                "id": said["id"],
            }
        lines = bert.get(f"/matches/{match}/chat").fields["lines"]
        assert [(line["name"], line["text"]) for line in lines] == [("Anna", "Good luck!")]

    def test_rooms_are_for_whom_they_are(self, anna, bert, nobody):
        match = begin(anna, bert)
        assert nobody.get(f"/matches/{match}/chat").fields["read"] == ["watchers"]
        body = {"id": command_id(), "room": "watchers", "text": "Hello"}
        assert anna.post(f"/matches/{match}/chat", **body).refusal == (403, "not-your-room")

    def test_chat_without_text_refused(self, anna, bert):
        body = {"id": command_id(), "room": "players"}
        assert anna.post(f"/matches/{begin(anna, bert)}/chat", **body).refusal == (422, "empty")

    def test_chat_rate_limit_refuses_with_retry_after(self, anna, bert):
        match = begin(anna, bert)
        body = {"room": "players", "preset": "hello"}
        replies = [bert.post(f"/matches/{match}/chat", id=command_id(), **body) for _ in range(7)]
        refused = next(reply for reply in replies if reply.status != 200)
        assert refused.refusal == (429, "too-fast")
        assert refused.headers["retry-after"] == "3"


class TestPeople:
    def test_me_names_user_and_scopes(self, anna):
        assert anna.get("/me").fields == {"name": "Anna", "bot": False, "scopes": sorted(SCOPES)}

    def test_user_page_has_results_and_ratings(self, server, nobody):
        subprocess_call.call(server.database_url, _rated_match, "Dora", "Emil")
        dora = nobody.get("/users/dora").fields
        assert (dora["name"], dora["bot"], dora["guest"]) == ("Dora", False, False)
        assert dora["results"] == [{"game": RATED, "won": 1, "drawn": 0, "lost": 0}]
        assert dora["ratings"][0]["rating"] > 1500

    def test_user_page_unknown_name_not_found(self, nobody):
        assert nobody.get("/users/Nobody-Here").refusal == (404, "unknown-person")

    def test_the_best(self, nobody):
        preset = next(iter(GAMES[RATED].rules.PRESETS))
        assert nobody.get(f"/leaderboards/{RATED}/{preset}").fields["players"] == "two"
        assert nobody.get(f"/leaderboards/{RATED}/nonsense").refusal == (404, "unknown-game")


def _rated_match(*names: str) -> None:
    from lobby.people.models import User
    from lobby.ratings.results import settle

    users = [User.objects.create_user(name) for name in names]
    settle(finished.won(users).pk)


class TestComputerPlayers:
    def test_an_account_becomes_one_for_good(self, server, anna, nobody):
        (bot,) = programs(server, "Sprocket")
        table = set_table(bot)["id"]
        assert bot.post("/bot/upgrade").refusal == (409, "at-table")
        bot.post(f"/tables/{table}/stand")
        for _ in range(2):
            assert bot.post("/bot/upgrade").fields["bot"] is True
        assert nobody.get("/users/Sprocket").fields["bot"] is True
        assert "computer player" in Person(server).get("/@/Sprocket")
        # It plays, but for nothing.
        assert bot.post("/tables", game=RATED, rated=True).refusal == (403, "bot")
        assert anna.post("/users/Sprocket/challenge", game=RATED, rated=True).refusal == (403, "bot")
        assert bot.post(f"/tables/{set_table(anna, rated=True)['id']}/sit").refusal == (403, "bot")
        tile = {"game": RATED, "preset": next(iter(GAMES[RATED].rules.PRESETS)), "clock": ""}
        assert bot.ask("PUT", "/seek", tile).refusal == (403, "bot")
        assert begin(anna, bot)

    def test_upgrade_to_bot_after_match_refused(self, server):
        one, other = programs(server, "Finn", "Gina")
        begin(one, other)
        assert one.post("/bot/upgrade").refusal == (409, "has-played")


class TestTokens:
    def test_request_without_token_sees_public_data(self, nobody):
        assert nobody.get("/tables").status == 200
        reply = nobody.get("/me")
        assert reply.refusal == (401, "bad-token")
        assert reply.headers["www-authenticate"].startswith("Bearer")

    @pytest.mark.parametrize("header", ["Bearer prl_nonsense", "Bearer", "Basic QW5uYTpwcmw=", "prl_x"])
    def test_request_with_invalid_token_refused(self, server, header):
        assert Program(server, Authorization=header).get("/games").refusal == (401, "bad-token")

    @pytest.mark.parametrize("scope", SCOPES)
    def test_token_limited_to_its_scopes(self, server, scope, request):
        (program,) = programs(server, f"Only-{scope}", scopes=[scope])
        asked = {
            "read": program.get("/me"),
            "play": program.command("nosuchmatch", type="resign", after=0),
            "lobby": program.ask("DELETE", "/seek"),
            "clubs": program.post("/clubs/nosuchclub/leave", id=command_id()),
            "tournaments": program.post("/tournaments/nosuchcup/withdraw", id=command_id()),
            "chat": program.post("/matches/nosuchmatch/chat", id=command_id(), room="players", text="x"),
            "vacation": program.post("/vacation/end", id=command_id()),
            "studies": program.get("/me/studies"),
            "bot": program.post("/bot/upgrade"),
        }
        refused = {each for each, reply in asked.items() if reply.status == 403}
        assert refused == set(SCOPES) - {scope}
        assert all(asked[each].refusal == (403, "scope") for each in refused)

    def test_token_without_read_scope_sees_public_data(self, server, anna, bert):
        (program,) = programs(server, "Anna", scopes=["play"])
        assert "legal" not in program.get(f"/matches/{begin(anna, bert)}").fields

    def test_a_session_is_of_no_use(self, server):
        person = guest(server)
        assert Program(server, **person.headers()).get("/me").refusal == (401, "bad-token")

    def test_token_neither_stored_nor_logged(self, server, anna):
        anna.get("/me")
        anna.get("/nothing/here")
        Program(server, anna.token[:-1]).get("/me")
        stored = str(server.rows("SELECT * FROM lobby_token"))
        assert anna.token not in stored
        assert "/api/v1/nothing/here" in server.log
        for secret in (anna.token, anna.token[4:-1], "sessionid=", "csrftoken=", "only-for-tests-"):
            assert secret not in server.log


class TestAddresses:
    @pytest.mark.parametrize("path", ["", "/", "/nothing", "/matches/x/y/z", "/../v2/games"])
    def test_unknown_ones(self, nobody, path):
        assert nobody.get(path).refusal == (404, "not-found")

    def test_a_method_that_is_not_taken(self, nobody):
        reply = nobody.ask("DELETE", "/games")
        assert reply.refusal == (405, "method")
        assert reply.headers["allow"] == "GET"

    def test_body_not_json_refused(self, anna):
        assert anna.ask("POST", "/tables", "{").refusal == (400, "malformed")

    def test_body_error_names_field(self, anna):
        assert anna.post("/tables", game=RATED, seats="two").fields["detail"].startswith("seats")

    def test_the_document_and_the_page_about_it(self, server, nobody):
        document = nobody.get("/openapi.json").fields
        page = server.get("/api").text
        operations = {
            details["operationId"] for path in document["paths"].values() for details in path.values()
        }
        assert all(f'id="{each}"' in page for each in operations)
        # Nothing on it comes from anywhere else; its own addresses, for search engines, are whole.
        fetched = re.sub(r"""<link rel="(canonical|alternate)"[^>]*>""", "", page)
        assert not re.search(r"""(src|href)="(https?:)?//""", fetched)
