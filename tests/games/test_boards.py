"""What every board module owes to the page that shows it. A registered game inherits all of this."""

import subprocess
from pathlib import Path
from random import Random

import pytest

from games.domain import codec
from games.registry import GAMES
from games.rules.base import Left, Roll
from tests.helpers.playout import random_playout
from tools.programs import node

ROOT = Path(__file__).parents[2]
MOST_POSITIONS = 10
"""Of one match; the first and the last are always among them."""


def ply(rules, before, action, number):
    """A ply as the wire has it."""
    state, events = rules.play(before, action)
    return {
        "number": number,
        "seat": None if isinstance(action, Roll) else getattr(action, "seat", before.turn),
        "action": codec.action_text(action),
        "dice": codec.action_dice(action),
        "events": [codec.encode_event(event) for event in events],
        "state": state,
    }


def played(game, options, seats, leaving=0):
    """A random match as positions with the plies around them."""
    rules, rng = game.rules, Random(f"{game.slug} {seats} {leaving}")
    states, actions = random_playout(game, options, seats, rng, leaving=leaving)
    plies = [None, *(ply(rules, states[n], action, n + 1) for n, action in enumerate(actions)), None]
    between = rng.sample(range(1, len(states) - 1), min(len(states) - 2, MOST_POSITIONS))
    positions = [
        {
            "state": states[n],
            "legal": [str(move) for move in rules.legal_moves(states[n])],
            "outcome": rules.outcome(states[n]),
            "last": plies[n],
            "next": plies[n + 1],
        }
        for n in sorted({0, len(states) - 1, *between})
    ]
    return {"seats": seats, "positions": positions}


def kinds(rules):
    """What the events of a game are called, but the one that every game has."""
    return [kind.__name__.lower() for kind in rules.EVENTS if kind is not Left]


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
def test_a_board_keeps_its_contract(game):
    engine = node() or pytest.skip("Node is not installed")
    rules = game.rules
    seats = {rules.SEATS[0], rules.SEATS[-1]}
    matches = [played(game, options, n) for options in rules.PRESETS.values() for n in sorted(seats)]
    matches.append(played(game, rules.Options(), rules.SEATS[-1], leaving=0.05))
    done = subprocess.run(
        [engine, "tests/js/board_contract.js", f"static/{game.board}", *kinds(rules)],
        cwd=ROOT,
        input=codec.encode(matches),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
