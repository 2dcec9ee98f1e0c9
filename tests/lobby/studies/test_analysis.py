"""The analysis board: what its page holds, and the positions of the moves that it sends."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from games.domain import position
from games.registry import GAMES
from tests.helpers import finished
from tests.helpers.tournaments import people

pytestmark = pytest.mark.django_db

KALAH = "kalah.1 classic turn=0 board=4*6,0,4*6,0"


def held(page: Any) -> Any:
    """The data of the page."""
    return page.context["board"]


def sent(client: Client, content: Any) -> Any:
    return client.post("/analysis/plies", json.dumps(content), content_type="application/json")


@pytest.mark.parametrize("slug", GAMES)
def test_the_board_begins_at_the_start_of_the_game(client: Client, slug: str) -> None:
    page = client.get(f"/analysis/{slug}")
    assert page.status_code == 200
    chapter = held(page)["chapter"]
    assert position.parse(chapter["position"]).game is GAMES[slug]
    assert chapter["nodes"] == [{"id": 0, "rank": 0, "removed": False}]
    assert held(page)["kept"]


def test_there_is_no_board_of_an_unknown_game(client: Client) -> None:
    assert client.get("/analysis/chess").status_code == 404


def test_a_position_is_shown_and_not_kept(client: Client) -> None:
    text = "kalah.1 classic turn=1 board=0,4*5,1,4*6,3"
    board = held(client.get("/analysis/kalah", {"p": text}))
    assert (board["chapter"]["position"], board["kept"]) == (text, False)


@pytest.mark.parametrize("text", ["nonsense", "morris.1 nine turn=0 board=" + "." * 24 + " hand=9,9"])
def test_what_is_no_position_of_the_game_says_so(client: Client, text: str) -> None:
    page = client.get("/analysis/kalah", {"p": text})
    assert page.status_code == 422
    assert "is missing or not valid" in page.text or "does not have the game" in page.text


def test_a_finished_match_is_one_line_without_what_was_taken_back(client: Client) -> None:
    users = people("Ada Bo")
    match = finished.at_random(users, "cantstop", 60)
    board = held(client.get("/analysis/cantstop", {"match": match.pk}))
    assert board["names"] == ["Ada", "Bo"]
    nodes = board["chapter"]["nodes"]
    assert [node.get("parent") for node in nodes[1:]] == list(range(len(nodes) - 1))
    assert sent(client, without_ranks(board["chapter"])).status_code == 200


def without_ranks(chapter: Any) -> Any:
    nodes = [
        {name: node[name] for name in node if name not in ("rank", "removed")} for node in chapter["nodes"]
    ]
    return {"position": chapter["position"], "nodes": nodes}


def test_a_match_in_play_is_not_shown(client: Client) -> None:
    match = finished.begun(people("Ada Bo"))
    page = client.get("/analysis/kalah", {"match": match.pk})
    assert page.status_code == 409
    assert "not over yet" in page.text
    assert held(page)["chapter"]["nodes"] == [{"id": 0, "rank": 0, "removed": False}]


def test_moves_come_back_as_the_game_writes_them_with_their_positions(client: Client) -> None:
    nodes = [{"id": 0}, {"id": 7, "parent": 0, "action": "3", "comment": "Again", "glyph": "!"}]
    told = sent(client, {"position": KALAH, "nodes": nodes}).json()
    assert told["nodes"][1] == {
        **{"id": 1, "parent": 0, "action": "3", "comment": "Again", "glyph": "!"},
        **{"rank": 0, "removed": False},
    }
    ply = told["plies"]["1"]
    assert ply["state"]["turn"] == 0
    assert ply["position"] == "kalah.1 classic turn=0 board=4,4,0,5*3,1,4*6,0"
    assert ply["legal"] == ["1", "2", "4", "5", "6"]


def test_an_illegal_move_is_refused_in_the_words_of_the_game(client: Client) -> None:
    answer = sent(client, {"position": KALAH, "nodes": [{"id": 0}, {"id": 1, "parent": 0, "action": "7"}]})
    assert answer.status_code == 422
    assert answer.json()["detail"] == "Pit 7 is your opponent’s."


def test_what_is_no_chapter_says_where_it_is_wrong(client: Client) -> None:
    answer = sent(client, {"position": KALAH, "nodes": []})
    assert (answer.status_code, answer.json()["code"]) == (422, "bad-study")
    assert "“nodes”" in answer.json()["detail"]
