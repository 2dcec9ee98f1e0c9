"""Why a pairing is missing and why a throw busts: the board of Can't Stop gives the reasons of the rules."""

import json
import subprocess
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from games.domain import codec
from games.registry import GAMES
from games.rules import cantstop
from games.rules.base import IllegalMove, Roll
from tests.helpers.playout import random_playout
from tools.harness.patience import patience
from tools.programs import node

ROOT = Path(__file__).parents[3]
WORDS = {
    "pairing-topped": "at the top",
    "topped": "at the top",
    "claimed": "claimed",
    "no-runner-left": "no runner is left",
}
"""What the board calls each reason of the rules."""

TOLD = """
import "./tests/js/catalogue.js";
import { readFileSync } from "node:fs";
const board = await import("./static/boards/cantstop.js");
const look = { bottom: 0, names: ["Ann", "Bo"], selection: null, preview: null, last: null, narrow: false };
const told = JSON.parse(readFileSync(0, "utf8")).map(({ state, legal, events }) => {
  const view = { ...look, seat: state.turn, legal };
  const closed = board.controls(state, view).filter((control) => control.closed);
  const narrated = events.map((event) => board.narrate(event, view, state, events));
  return [closed.map(({ move, hint }) => [move, hint]), narrated];
});
process.stdout.write(JSON.stringify(told));
"""


def thrown(options):
    """Positions of random matches before and after each throw, with the events of it."""
    rng = Random(f"reasons {options.topped}")
    for _ in range(12):
        states, _ = random_playout(GAMES["cantstop"], options, 2, rng)
        for before in (state for state in states if state.due):
            faces = tuple(rng.randint(1, 6) for _ in range(4))
            yield before, faces, cantstop.play(before, Roll(faces))


def told(cases):
    engine = node() or pytest.skip("Node is not installed")
    cases = [{"state": state, "legal": legal, "events": events} for state, legal, events in cases]
    done = subprocess.run(
        [engine, "--input-type=module", "--eval", TOLD],
        input=codec.encode(cases),
        cwd=ROOT,
        capture_output=True,
        check=True,
        timeout=patience(60),
    )
    return json.loads(done.stdout)


def refusals(state):
    """The pairings of a throw of which nothing can be played: their moves with the code and the column."""
    for low, high in cantstop.pairings(state.dice):
        legal = [move for move in cantstop.legal_moves(state) if {low, high} & set(move.columns)]
        if not legal:
            with pytest.raises(IllegalMove) as refused:
                cantstop.play(state, cantstop.Move("climb", (low, high)))
            yield f"{low}+{high}", refused.value.code, refused.value.params["column"]


@pytest.mark.parametrize("options", cantstop.PRESETS.values(), ids=cantstop.PRESETS)
def test_the_board_gives_the_reasons_of_the_rules(options):
    states = [step.state for _, _, step in thrown(options) if step.state.dice]
    cases = [(state, list(map(str, cantstop.legal_moves(state))), []) for state in states]
    missing = 0
    for state, (closed, _) in zip(states, told(cases), strict=True):
        expected = {move: (code, column) for move, code, column in refusals(state)}
        assert {move for move, _ in closed} == set(expected)
        for move, hint in closed:
            code, column = expected[move]
            assert WORDS[code] in hint
            assert str(column) in hint
            missing += 1
    assert missing > 20


@pytest.mark.parametrize("options", cantstop.PRESETS.values(), ids=cantstop.PRESETS)
def test_a_bust_is_told_with_the_reasons_of_the_rules(options):
    busts = [(before, faces, step) for before, faces, step in thrown(options) if not step.state.dice]
    cases = [(before, [], [codec.encode_event(event) for event in step.events]) for before, _, step in busts]
    assert len(cases) > 10
    for (before, faces, _), (_, (_, bust)) in zip(busts, told(cases), strict=True):
        landed = replace(before, dice=faces, due=False)
        reasons = list(refusals(landed))
        assert len(reasons) == len(cantstop.pairings(faces))
        for _, code, column in reasons:
            assert WORDS[code] in bust
            assert str(column) in bust
