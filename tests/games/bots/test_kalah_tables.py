"""Exact endings of Kalah: their values, where they are kept, and who uses them."""

from dataclasses import replace
from random import Random

import pytest

from games.bots import kalah as player
from games.bots import kalah_check, kalah_solver, kalah_tables
from games.bots.base import Proved
from games.bots.kalah_levels import LEVELS
from games.computers import thinking
from games.registry import GAMES
from games.rules import kalah
from games.rules.base import Leave
from games.rules.kalah import PRESETS, State
from tests.helpers.samples import sample

MOST = 7
"""Seeds in the pits of the tables made here."""
every_variant = pytest.mark.parametrize("variant", kalah_tables.MOST_SEEDS)
every_preset = pytest.mark.parametrize("preset", PRESETS)


@pytest.fixture
def small(monkeypatch, tmp_path):
    """A folder for small tables, none of which is made."""
    monkeypatch.setattr(kalah_tables, "MOST_SEEDS", dict.fromkeys(kalah_tables.MOST_SEEDS, MOST))
    monkeypatch.setattr(kalah_solver, "MOST_SEEDS", kalah_tables.MOST_SEEDS)
    for module in (kalah_tables, kalah_solver):
        monkeypatch.setattr(module, "path", lambda variant: tmp_path / "".join(map(str, map(int, variant))))
    return tmp_path


def endings(preset, seeds, number) -> list[State]:
    """Random positions with so many seeds in the pits."""
    rng, found = Random(preset), []
    while len(found) < number:
        pits = [0] * 12
        for pit in rng.choices(range(12), k=seeds):
            pits[pit] += 1
        board = (*pits[:6], rng.randrange(9), *pits[6:], rng.randrange(9))
        if any(pits[:6]) and any(pits[6:]):
            found.append(State(PRESETS[preset], rng.randrange(2), board))
    return found


def perfect_lead(state, seat) -> int:
    """The lead of a seat at the end, by the rules alone."""
    if state.ended:
        return state.ended.scores[seat] - state.ended.scores[1 - seat]
    leads = [perfect_lead(kalah.play(state, move).state, seat) for move in kalah.legal_moves(state)]
    return max(leads) if state.turn == seat else min(leads)


@every_variant
def test_every_value_follows_from_those_after_each_move(variant):
    values = kalah_solver.solve(variant, MOST)
    kalah_check.check_all(variant, values, MOST)
    kalah_check.check_some(variant, values, MOST, sample(2_000, 200), Random(1))


@pytest.mark.full
@every_variant
def test_the_tables_of_the_site_are_right(variant):
    most = kalah_tables.MOST_SEEDS[variant]
    values = kalah_solver.solve(variant, most)
    kalah_check.check_all(variant, values, most)
    kalah_check.check_some(variant, values, most, 500, Random(1))


def test_a_wrong_value_is_found():
    variant = next(iter(kalah_tables.MOST_SEEDS))
    values = kalah_solver.solve(variant, MOST)
    values[1000] ^= 1
    with pytest.raises(kalah_check.Wrong):
        kalah_check.check_all(variant, values, MOST)
    values[:] ^= 1
    with pytest.raises(kalah_check.Wrong):
        kalah_check.check_some(variant, values, MOST, 20, Random(1))


def test_every_preset_has_a_table_within_twenty_megabytes():
    assert {kalah_tables.variant_of(options) for options in PRESETS.values()} == {*kalah_tables.MOST_SEEDS}
    assert sum(map(kalah_tables.size, kalah_tables.MOST_SEEDS.values())) <= 20_000_000
    assert max(kalah_tables.MOST_SEEDS.values()) <= kalah_tables.LIMIT


@every_preset
def test_a_proved_lead_is_that_of_the_rules(preset, small):
    kalah_solver.make_missing()
    for seeds in (2, 5, MOST):
        for state in endings(preset, seeds, 8):
            lead = perfect_lead(state, state.turn)
            assert GAMES["kalah"].proved(state) == Proved((lead > 0) - (lead < 0), lead)


def test_nothing_is_proved_beyond_the_tables(small):
    (state,), (fuller,) = endings("classic", MOST, 1), endings("classic", MOST + 1, 1)
    assert kalah_tables.proved(state) is None
    kalah_solver.make_missing()
    assert kalah_tables.proved(state)
    after = kalah.play(state, Leave(0, "resigned")).state
    other_rules = replace(state, options=replace(state.options, sow_both_stores=True, empty_capture=True))
    with_pie = replace(state, options=PRESETS["pie-rule"])
    fewer_pits = State(replace(state.options, pits=4), 0, (0, 1, 0, 1, 0, 1, 0, 0, 1, 0))
    for unknown in (fuller, after, other_rules, fewer_pits, replace(with_pie, swapper=1)):
        assert kalah_tables.proved(unknown) is None
    assert kalah_tables.proved(with_pie) == kalah_tables.proved(state)


def test_tables_are_made_once_and_a_short_one_is_not_read(small):
    thinking.make_tables("kalah")
    files = {file: file.stat().st_ino for file in small.iterdir()}
    assert len(files) == len(kalah_tables.MOST_SEEDS)
    thinking.make_tables("kalah")
    thinking.make_tables("aces")
    assert {file: file.stat().st_ino for file in small.iterdir()} == files
    for file in files:
        file.write_bytes(file.read_bytes()[:-1])
    assert kalah_tables.table(PRESETS["classic"]) is None


def test_a_player_without_a_folder_for_tables_plays_without(small, monkeypatch):
    monkeypatch.setattr(kalah_solver, "path", lambda variant: small / "missing" / "table")
    thinking.make_tables("kalah")
    (state,) = endings("classic", MOST, 1)
    assert player.look(state, 2, Random(1)).proved


@every_preset
def test_a_look_and_the_highest_level_use_the_tables(preset, small, monkeypatch):
    few = 40
    monkeypatch.setattr(player, "POSITIONS_OF_A_LOOK", few)
    monkeypatch.setattr(player, "POSITIONS", few)
    states = [state for state in endings(preset, MOST, 60) if len(kalah.legal_moves(state)) > 2]
    without = sum(player.look(state, 2, Random(1)).proved for state in states)
    kalah_solver.make_missing()
    for state in states:
        look, result = player.look(state, 2, Random(1)), kalah_tables.proved(state)
        assert (look.proved, look.moves[0].score) == (True, result.score)
        after = kalah.play(state, player.choose(state, len(LEVELS), 1, Random(1))).state
        assert perfect_lead(after, state.turn) == result.score
    assert without < len(states)
