"""The coach of every board tells the truth, by the rules, in positions of random matches."""

import json
import re
import subprocess
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import pytest

from games.domain import codec
from games.registry import GAMES
from games.rules import cantstop, kalah, morris
from tests.helpers.playout import random_playout
from tests.helpers.samples import sample
from tools.programs import node

ROOT = Path(__file__).parents[2]
MATCHES = 6
"""Of each preset."""
POSITIONS = sample(full=3000, quick=250)


@cache
def advised(slug):
    """Positions of random matches in which there is advice, each with it."""
    engine = node() or pytest.skip("Node is not installed")
    game, positions = GAMES[slug], []
    rules = game.rules
    for preset, options in rules.PRESETS.items():
        for number in range(MATCHES):
            states, _ = random_playout(game, options, rules.SEATS[0], Random(f"{slug} {preset} {number}"))
            positions += [state for state in states if rules.legal_moves(state)]
    positions = Random(slug).sample(positions, min(len(positions), POSITIONS))
    asked = [
        {
            "state": state,
            "legal": [str(move) for move in rules.legal_moves(state)],
            "events": [],
            "names": ["Ann", "Bo"],
        }
        for state in positions
    ]
    done = subprocess.run(
        [engine, "tests/js/coach_advice.js", f"static/{game.board}"],
        cwd=ROOT,
        input=codec.encode(asked),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    pairs = zip(positions, json.loads(done.stdout), strict=True)
    return [(state, advice) for state, advice in pairs if advice is not None]


def happens(rules, state, move, kind):
    return any(isinstance(event, kind) for event in rules.play(state, rules.parse(move)).events)


def closings(state, seat):
    """The points on which a seat could close a mill if it were its turn."""
    turned = replace(state, turn=seat, takes=0)
    moves = [str(move) for move in morris.legal_moves(turned)]
    return {move.split("-")[-1] for move in moves if happens(morris, turned, move, morris.Milled)}


def captures(state, move):
    return happens(kalah, state, move, kalah.Captured)


def reaches_the_store(state, move):
    (sown, *_) = kalah.play(state, kalah.parse(move)).events
    return sown.path[-1] == (state.options.pits if state.turn == 0 else len(state.board) - 1)


def closes_a_mill(state, move):
    return happens(morris, state, move, morris.Milled)


def blocks_a_mill(state, move):
    return move.split("-")[-1] in closings(state, 1 - state.turn)


def helped_to_close(state, move):
    after = morris.play(replace(state, takes=1), morris.parse(move)).state
    return after.ended is not None or len(closings(after, 1 - state.turn)) < len(
        closings(state, 1 - state.turn)
    )


def opens(count):
    def is_so(state, move):
        after = morris.play(state, morris.parse(move)).state
        if after.ended:
            # A draw by repetition, of which a board knows nothing.
            return True
        here = len(closings(after, state.turn))
        return here > 1 if count > 1 else here == 1

    return is_so


def after(state, move):
    return cantstop.play(state, cantstop.parse(move)).state


def percent(chance):
    return f"{round(float(chance) * 100)}%"


def reaches_a_top(state, move):
    return any(
        event.space == cantstop.LENGTHS[event.column]
        for event in cantstop.play(state, cantstop.parse(move)).events
    )


def has_the_smallest_chance(state, move):
    return cantstop.bust_odds(after(state, move)) == min(
        cantstop.bust_odds(after(state, str(each))) for each in cantstop.legal_moves(state)
    )


CLAIMS = {
    "kalah": {"captures": captures, "lands in your store": reaches_the_store},
    "morris": {
        r"closes a mill\.$(?<!one more man closes a mill\.)": closes_a_mill,
        "blocks your opponent’s mill": blocks_a_mill,
        "could help": helped_to_close,
        "threatens two mills": opens(2),
        "one more man": opens(1),
    },
    "cantstop": {
        "reaches the top": reaches_a_top,
        "smallest chance": has_the_smallest_chance,
        "closest to the top": has_the_smallest_chance,
        "that claims": lambda state, move: happens(cantstop, state, move, cantstop.Claimed),
        "bust is impossible": lambda state, move: cantstop.bust_odds(state) == 0,
        "the chance of a bust is|a bust would cost": lambda state, move: cantstop.bust_odds(state) > 0,
    },
}
"""By words of the advice what it claims about a state and the move."""


@pytest.mark.all_games
@pytest.mark.parametrize("slug", GAMES)
def test_advice_is_legal(slug):
    legal = GAMES[slug].rules.legal_moves
    for state, advice in advised(slug):
        assert advice["words"]
        assert advice["move"] in {*map(str, legal(state)), None}


@pytest.mark.parametrize("slug", CLAIMS)
def test_advice_sentences_are_true(slug):
    said = set()
    for state, advice in advised(slug):
        claims = [claim for words, claim in CLAIMS[slug].items() if re.search(words, advice["told"])]
        assert len(claims) == 1, advice
        assert claims[0](state, advice["move"]), (advice, state)
        told = re.search(r"\d+%", advice["told"])
        if told:
            there = after(state, advice["move"]) if state.dice else state
            assert told[0] == percent(cantstop.bust_odds(there))
        said |= set(claims)
    assert said == set(CLAIMS[slug].values())
