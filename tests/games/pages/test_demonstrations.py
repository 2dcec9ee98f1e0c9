"""The front page has something to show of every game."""

import orjson
import pytest

from games.domain import codec
from games.pages.demonstrations import demonstration
from games.registry import GAMES

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())


@every_game
def test_demonstration_of_every_game_has_plies_and_picture(client, game):
    shown = client.get(f"/rules/{game.slug}.json")
    assert shown.json() == codec_json(demonstration(game.slug))
    assert "max-age" in shown["Cache-Control"]
    assert client.get(f"/rules/{game.slug}.svg").text.startswith("<svg")


@every_game
def test_demonstration_states_decode_without_winner(game):
    shown = codec_json(demonstration(game.slug))
    states = [shown["start"], *(ply["state"] for ply in shown["plies"])]
    assert all(game.rules.outcome(codec.decode(game.rules.State, state)) is None for state in states)
    assert [ply["ply"] for ply in shown["plies"]] == list(range(1, len(states)))
    for ply in shown["plies"]:
        assert [codec.decode_event(game.rules, event) for event in ply["events"]]


def test_demonstration_of_unknown_game_not_found(client):
    assert client.get("/rules/chess.json").status_code == 404
    assert client.get("/rules/chess.svg").status_code == 404


def test_the_rules_of_all_games_are_found_in_one_place(client):
    text = client.get("/rules").text
    assert all(f'href="/rules/{slug}"' in text for slug in GAMES)


def codec_json(value):
    """As it goes over the wire."""
    return orjson.loads(codec.encode(value))
