"""The list of games, and that mypy holds every entry against the protocol."""

import os
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest
from mypy import api

from games.domain import clock
from games.registry import GAMES

ROOT = Path(__file__).parents[2]

A_GAME = """
from collections.abc import Mapping
from dataclasses import dataclass
from games.rules.base import Dice, Outcome, Section, Step, Upgrade

SEATS = range(2, 3)
PRESETS: dict[str, "Options"] = {}
GUIDE: tuple[Section, ...] = ()
FIELDS: Mapping[str, str] = {}
REFUSALS: Mapping[str, str] = {}
EVENTS = ()
UPGRADES: tuple[Upgrade, ...] = ()

@dataclass(frozen=True, slots=True)
class Options: ...

@dataclass(frozen=True, slots=True)
class State:
    options: Options
    turn: int

@dataclass(frozen=True, slots=True)
class Move: ...

def setup(options: Options, seats: int, first: int = 0) -> State:
    return State(options, first)

def check(state: State, seats: int) -> None:
    pass


def legal_moves(state: State) -> tuple[Move, ...]:
    return ()

def parse(text: str) -> Move:
    return Move()

def chance(state: State) -> Dice | None:
    return None

def standing(state: State) -> Outcome:
    return Outcome((0, 1), "ended")

def play(state: State, action: object) -> Step:
    return Step(state, ())

def outcome(state: State) -> Outcome | None:
    return None
"""

DEFECTS = {
    "no_chance": ("def chance(", "def dice(", "chance"),
    "seats_no_range": ("SEATS = range(2, 3)", "SEATS = 2", "SEATS"),
    "no_guide": ("GUIDE: tuple[Section, ...] = ()", "", "GUIDE"),
    "refusals_without_sentences": (
        "REFUSALS: Mapping[str, str] = {}",
        "REFUSALS: tuple[str, ...] = ()",
        "REFUSALS",
    ),
    "parse_of_bytes": ("def parse(text: str)", "def parse(text: bytes)", "parse"),
    "moves_in_a_list": (
        "-> tuple[Move, ...]:\n    return ()",
        "-> list[Move]:\n    return []",
        "legal_moves",
    ),
}
"""What is wrong with a module: the code replaced, what stands instead, what mypy must mention."""


@pytest.mark.all_games
def test_games_are_found_by_slug():
    assert all(game.slug == slug for slug, game in GAMES.items())


def test_kalah_is_registered():
    assert GAMES["kalah"].title == "Kalah"
    assert GAMES["kalah"].full_title == "Kalah (Mancala)"
    assert GAMES["kalah"].board == "boards/kalah.js"
    assert not GAMES["kalah"].dice


def test_a_game_with_one_name_only_has_it_for_a_full_title():
    assert GAMES["aces"].full_title == GAMES["aces"].title == "Aces"


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_only_clocks_of_the_list_are_suggested(game):
    assert set(game.clocks) < set(clock.CONTROLS)


def test_bullet_is_suggested_where_a_turn_is_one_quick_move():
    assert {slug for slug, game in GAMES.items() if "1+0" in game.clocks} == {"kalah"}
    assert {slug for slug, game in GAMES.items() if "2+1" in game.clocks} == {"kalah", "morris"}


def test_an_entry_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        GAMES["kalah"].title = "Mancala"  # type: ignore[misc]


def complaints(folder, modules):
    """What mypy says about registering each of the modules, by name."""
    lines = {name: f"import {name}; entry_{name}: Rules = {name}" for name in modules}
    for name, source in modules.items():
        (folder / f"{name}.py").write_text(source)
    entries = folder / "entries.py"
    entries.write_text("\n".join(["from games.rules.base import Rules", *lines.values()]))
    found, _, _ = api.run(["--config-file", os.devnull, "--cache-dir", os.devnull, "--strict", str(entries)])
    return {
        name: [line for line in found.splitlines() if f"entries.py:{number}:" in line]
        for number, name in enumerate(lines, start=2)
    }


def test_mypy_holds_a_rules_module_against_the_protocol(tmp_path, monkeypatch):
    monkeypatch.setenv("MYPYPATH", os.pathsep.join([str(tmp_path), str(ROOT)]))
    broken = {name: A_GAME.replace(code, instead) for name, (code, instead, _) in DEFECTS.items()}
    found = complaints(tmp_path, {"sound": A_GAME, **broken})
    assert found.pop("sound") == []
    for name, lines in found.items():
        assert any(DEFECTS[name][2] in line for line in lines), name
