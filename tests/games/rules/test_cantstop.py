"""Can't Stop, turn by turn, besides the examples in games/examples/cantstop.json.

A position is written as spaces by column: `position(runners={6: 3}, cones=({7: 2}, {}))`.
"""

import json
import random
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product
from pathlib import Path
from statistics import mean, stdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules import cantstop
from games.rules.base import BadOptions, Dice, IllegalMove, Leave, Left, Outcome, Roll, Step, Unparseable
from games.rules.cantstop import (
    COLUMNS,
    LENGTHS,
    ROLL,
    STOP,
    Banked,
    Busted,
    Claimed,
    Climbed,
    Move,
    Options,
    State,
    Thrown,
)
from tests.helpers.samples import sample

STRICT = Options()
PUBLISHED = Options(topped="published")
BOTH_READINGS = pytest.mark.parametrize("options", [STRICT, PUBLISHED], ids=["strict", "published"])
ODDS = json.loads((Path(__file__).parents[2] / "data" / "cantstop_odds.json").read_text())

Spaces = Mapping[int, int]


def row(spaces: Spaces) -> tuple[int, ...]:
    return tuple(spaces.get(column, 0) for column in range(COLUMNS.stop))


def position(
    runners: Spaces | None = None,
    cones: tuple[Spaces, ...] = ({}, {}),
    claimed: Spaces | None = None,
    turn: int = 0,
    options: Options = STRICT,
) -> State:
    return replace(
        cantstop.setup(options, len(cones), first=turn),
        runners=row(runners or {}),
        cones=tuple(map(row, cones)),
        owners=tuple((claimed or {}).get(column) for column in range(COLUMNS.stop)),
    )


def spaces(of_columns: tuple[int, ...]) -> dict[int, int]:
    return {column: space for column, space in enumerate(of_columns) if space}


def throw(state: State, *faces: int) -> Step:
    return cantstop.play(cantstop.play(state, ROLL).state, Roll(faces))


def thrown(state: State, *faces: int) -> State:
    landed: State = throw(state, *faces).state
    return landed


def offered(state: State) -> list[str]:
    return [str(move) for move in cantstop.legal_moves(state)]


def play(state: State, move: str) -> Step:
    return cantstop.play(state, cantstop.parse(move))


def refused(state: State, action: str | Roll | Leave) -> str:
    with pytest.raises(IllegalMove) as refusal:
        cantstop.play(state, cantstop.parse(action) if isinstance(action, str) else action)
    return refusal.value.code


# Setting up


def test_columns_are_3_to_13_and_back_to_3_spaces_long() -> None:
    assert [LENGTHS[column] for column in COLUMNS] == [3, 5, 7, 9, 11, 13, 11, 9, 7, 5, 3]


def test_the_board_starts_empty() -> None:
    start = cantstop.setup(STRICT, 4, first=2)
    assert (start.turn, start.cones, start.runners) == (2, (row({}),) * 4, row({}))


@pytest.mark.parametrize("seats", [1, 5])
def test_the_game_is_for_two_to_four(seats: int) -> None:
    with pytest.raises(BadOptions) as refusal:
        cantstop.setup(STRICT, seats)
    assert refusal.value.code == "bad-seats"


def test_an_unknown_reading_is_refused() -> None:
    with pytest.raises(BadOptions) as refusal:
        cantstop.setup(Options(topped="lenient"), 2)
    assert refusal.value.code == "bad-option"


def test_the_words_of_the_use_case_are_the_default() -> None:
    assert next(iter(cantstop.PRESETS.values())) == STRICT == Options(topped="strict")


# Main success scenario


def test_1_a_turn_begins_with_a_throw() -> None:
    assert offered(cantstop.setup(STRICT, 2)) == ["roll"]


def test_2_four_dice_are_thrown() -> None:
    assert cantstop.chance(play(position(), "roll").state) == Dice(4, 6)


def test_2_nothing_is_due_before_the_player_throws() -> None:
    assert cantstop.chance(position()) is None


def test_2_nothing_can_be_moved_while_dice_are_due() -> None:
    assert offered(play(position(), "roll").state) == []


def test_2_the_throw_is_told() -> None:
    assert throw(position(), 1, 2, 4, 6).events == (Thrown(0, (1, 2, 4, 6)),)


def test_3_the_climb_is_told() -> None:
    _, events = play(thrown(position(runners={7: 4}), 1, 2, 4, 6), "6+7")
    assert events == (Climbed(0, 6, 0, 1), Climbed(0, 7, 4, 5))


def test_3_the_dice_leave_the_table_with_the_climb() -> None:
    assert play(thrown(position(), 1, 2, 4, 6), "6+7").state.dice == ()


def test_4_the_player_may_stop_once_a_runner_is_out() -> None:
    assert offered(position(runners={7: 1})) == ["roll", "stop"]


def test_6_stopping_is_told() -> None:
    assert play(position(runners={6: 2, 7: 3}), "stop").events == (Banked(0, (6, 7)),)


def test_postcondition_one_stop_may_claim_several() -> None:
    state, _ = play(position(runners={2: 3, 3: 5, 12: 3}, claimed={7: 1}), "stop")
    assert cantstop.outcome(state) == Outcome((0,), "columns", (3, 1))


def test_postcondition_three_topped_runners_win_nothing_before_stopping() -> None:
    assert cantstop.outcome(position(runners={2: 3, 3: 5, 12: 3})) is None


def test_postcondition_nothing_is_open_after_the_win() -> None:
    state, _ = play(position(runners={2: 3}, claimed={3: 0, 7: 0}), "stop")
    assert (offered(state), cantstop.chance(state)) == ([], None)


# Alternative flows


def test_rolls_again_instead_of_ending_the_turn() -> None:
    assert cantstop.chance(play(position(runners={7: 1}), "roll").state) == Dice(4)


def test_four_equal_dice_advance_one_runner_twice() -> None:
    state, events = play(thrown(position(), 3, 3, 3, 3), "6+6")
    assert (spaces(state.runners), events) == ({6: 2}, (Climbed(0, 6, 0, 2),))


def test_equal_sums_take_a_single_runner() -> None:
    state, _ = play(thrown(position(runners={2: 1, 3: 1}), 4, 4, 4, 4), "8+8")
    assert spaces(state.runners) == {2: 1, 3: 1, 8: 2}


def test_no_runner_left_only_running_column_moves() -> None:
    state = thrown(position(runners={2: 1, 3: 1, 8: 1}), 1, 5, 4, 4)
    assert offered(state) == ["8"]


def test_a_new_runner_starts_one_above_the_own_cone() -> None:
    state, events = play(thrown(position(cones=({7: 4}, {7: 9})), 1, 2, 4, 6), "6+7")
    assert (spaces(state.runners), events[1]) == ({6: 1, 7: 5}, Climbed(0, 7, 4, 5))


def test_the_cone_stays_until_the_player_stops() -> None:
    state, _ = play(thrown(position(cones=({7: 4}, {})), 1, 2, 4, 6), "6+7")
    assert spaces(state.cones[0]) == {7: 4}


def test_only_new_columns_and_no_runner_left_is_a_bust() -> None:
    state, events = throw(position(runners={2: 1, 3: 1, 12: 1}), 4, 4, 4, 4)
    assert (state.turn, events[-1]) == (1, Busted(0, (2, 3, 12)))


def test_only_claimed_columns_is_a_bust() -> None:
    assert throw(position(claimed={8: 1}), 4, 4, 4, 4).events[-1] == Busted(0, ())


def test_new_or_claimed_columns_and_no_runner_left_is_a_bust() -> None:
    state = position(runners={2: 1, 3: 1, 12: 1}, claimed={6: 0})
    assert throw(state, 1, 5, 4, 5).events[-1] == Busted(0, (2, 3, 12))


def test_a_bust_takes_the_dice_off_the_table() -> None:
    assert thrown(position(claimed={8: 1}), 4, 4, 4, 4).dice == ()


def test_published_the_other_half_still_moves() -> None:
    state = thrown(position(runners={12: 3}, options=PUBLISHED), 6, 6, 1, 3)
    assert offered(state) == ["4", "7+9"]


def test_strict_three_unusable_pairings_are_a_bust() -> None:
    state = position(runners={2: 3, 4: 7, 7: 3})
    assert throw(state, 1, 1, 6, 3).events[-1] == Busted(0, (2, 4, 7))


@BOTH_READINGS
def test_equal_sums_in_a_topped_column_are_a_bust(options: Options) -> None:
    state = position(runners={2: 3}, options=options)
    assert throw(state, 1, 1, 1, 1).events[-1] == Busted(0, (2,))


@BOTH_READINGS
def test_equal_sums_that_reach_the_top_are_none(options: Options) -> None:
    assert offered(thrown(position(runners={2: 2}, options=options), 1, 1, 1, 1)) == ["2"]


@BOTH_READINGS
def test_a_claimed_column_does_not_spoil_its_pairing(options: Options) -> None:
    state = thrown(position(claimed={12: 1}, options=options), 6, 6, 1, 3)
    assert offered(state) == ["4", "7+9"]


def test_stopping_at_the_end_of_a_column_claims_it() -> None:
    state, events = play(position(runners={2: 3, 7: 1}), "stop")
    assert (state.owners[2], events) == (0, (Banked(0, (2, 7)), Claimed(0, 2)))


def test_a_bust_at_the_top_claims_nothing() -> None:
    assert thrown(position(runners={2: 3}), 1, 1, 1, 1).owners[2] is None


# Leaving


def test_leave_of_two_players_other_wins() -> None:
    state, events = cantstop.play(position(claimed={7: 0}), Leave(0, "time"))
    assert (cantstop.outcome(state), events) == (Outcome((1,), "time", (1, 0)), (Left(0, "time"),))


def test_leave_of_three_players_game_goes_on() -> None:
    state, _ = cantstop.play(position(cones=({}, {}, {})), Leave(0))
    assert (cantstop.outcome(state), state.turn) == (None, 1)


def test_turn_passes_over_player_who_left() -> None:
    state, _ = cantstop.play(position(runners={7: 1}, cones=({}, {}, {})), Leave(1))
    assert play(state, "stop").state.turn == 2


def test_leaving_out_of_turn_leaves_the_turn_as_it_is() -> None:
    state, _ = cantstop.play(thrown(position(runners={7: 1}, cones=({}, {}, {})), 1, 2, 4, 6), Leave(1))
    assert (state.turn, spaces(state.runners), state.dice) == (0, {7: 1}, (1, 2, 4, 6))


def test_leaving_on_turn_takes_runners_and_dice_along() -> None:
    state, _ = cantstop.play(thrown(position(runners={7: 1}, cones=({}, {}, {})), 1, 2, 4, 6), Leave(0))
    assert (spaces(state.runners), state.dice, offered(state)) == ({}, (), ["roll"])


def test_leaving_while_dice_are_due_calls_the_throw_off() -> None:
    state, _ = cantstop.play(play(position(cones=({}, {}, {})), "roll").state, Leave(0))
    assert cantstop.chance(state) is None


def test_leave_removes_cones() -> None:
    state, _ = cantstop.play(position(cones=({7: 3}, {8: 2}, {})), Leave(1))
    assert list(map(spaces, state.cones)) == [{7: 3}, {}, {}]


def test_columns_of_who_left_stay_claimed() -> None:
    state, _ = cantstop.play(position(cones=({}, {}, {}), claimed={7: 1}), Leave(1))
    assert state.owners[7] == 1


def test_the_last_to_stay_wins_whoever_left_first() -> None:
    state, _ = cantstop.play(position(cones=({}, {}, {})), Leave(2, "abandoned"))
    state, _ = cantstop.play(state, Leave(0, "resigned"))
    assert cantstop.outcome(state) == Outcome((1,), "resigned", (0, 0, 0))


def test_no_dice_are_due_after_the_last_leave() -> None:
    state, _ = cantstop.play(play(position(), "roll").state, Leave(1))
    assert cantstop.chance(state) is None


# Refusals, each with its own code


def test_refused_roll_while_dice_are_due() -> None:
    assert refused(play(position(), "roll").state, "roll") == "dice-due"


def test_refused_stop_while_dice_are_due() -> None:
    assert refused(play(position(runners={7: 1}), "roll").state, "stop") == "dice-due"


@pytest.mark.parametrize("move", ["2+11", "7+7", "4", "12"])
def test_refused_sums_the_dice_do_not_make(move: str) -> None:
    assert refused(thrown(position(), 1, 2, 4, 6), move) == "not-in-dice"


def test_refused_throw_nobody_asked_for() -> None:
    assert refused(position(), Roll((1, 2, 3, 4))) == "no-dice-due"


@pytest.mark.parametrize("faces", [(1, 2, 3), (1, 2, 3, 4, 5), (0, 1, 2, 3), (1, 2, 3, 7)])
def test_refused_dice_other_than_those_due(faces: tuple[int, ...]) -> None:
    assert refused(play(position(), "roll").state, Roll(faces)) == "wrong-dice"


@pytest.mark.parametrize("seat", [-1, 2])
def test_refused_leave_of_a_seat_there_is_not(seat: int) -> None:
    assert refused(position(), Leave(seat)) == "no-such-seat"


def test_refused_second_leave() -> None:
    state, _ = cantstop.play(position(cones=({}, {}, {})), Leave(1))
    assert refused(state, Leave(1)) == "has-left"


@pytest.mark.parametrize("action", ["roll", "stop", "7", Roll((1, 2, 3, 4)), Leave(1)])
def test_refused_after_the_end(action: str | Roll | Leave) -> None:
    ended, _ = cantstop.play(position(), Leave(0))
    assert refused(ended, action) == "game-over"


# Notation


@pytest.mark.parametrize("text", ["roll", "stop", "6+8", "7", "7+7", "2+12"])
def test_notation_is_read_and_written_alike(text: str) -> None:
    assert str(cantstop.parse(text)) == text


def test_notation_takes_a_pairing_in_either_order() -> None:
    assert str(cantstop.parse("8+6")) == "6+8"


@pytest.mark.parametrize(
    "text", ["", "1", "13", "07", "6+", "+6", "6+8+9", "6-8", "Roll", " 7", "７", "roll+7"]
)
def test_notation_of_no_move_is_unparseable(text: str) -> None:
    with pytest.raises(Unparseable):
        cantstop.parse(text)


# Chances


def running(*columns: int) -> State:
    """A position in which nothing but low runners in these columns can move."""
    others = set(COLUMNS).difference(columns)
    return position(runners=dict.fromkeys(columns, 1), claimed=dict.fromkeys(others, 1))


@pytest.mark.parametrize("columns", [*ODDS["singles"], *ODDS["triples"]])
@BOTH_READINGS
def test_chance_of_progress(columns: str, options: Options) -> None:
    state = replace(running(*map(int, columns.split("-"))), options=options)
    ways = {**ODDS["singles"], **ODDS["triples"]}[columns]
    assert 1 - cantstop.bust_odds(state) == Fraction(ways, ODDS["total"])


def test_chance_with_runners_left_and_nothing_claimed_is_none() -> None:
    assert cantstop.bust_odds(position(runners={7: 1, 8: 1})) == 0


def test_chance_with_every_runner_topped_is_certain() -> None:
    assert cantstop.bust_odds(position(runners={2: 3, 3: 5, 12: 3}, options=PUBLISHED)) == 1


def test_chance_is_asked_before_a_throw_not_while_one_is_paired() -> None:
    assert cantstop.bust_odds(thrown(position(), 1, 2, 3, 4)) is None


def test_chance_is_not_asked_after_the_end() -> None:
    assert cantstop.bust_odds(cantstop.play(position(), Leave(0)).state) is None


def test_chance_is_worse_in_the_strict_reading() -> None:
    runners = {2: 3, 7: 1, 8: 1}
    strict, published = (position(runners, options=options) for options in (STRICT, PUBLISHED))
    assert cantstop.bust_odds(strict) > cantstop.bust_odds(published)


WORTH = {column: abs(column - 7) + 1 for column in COLUMNS}


def rule_of_28(state: State) -> int:
    """Keller's count of a turn: a column is worth 1 (7) to 6 (2, 12) a space, entering it one more."""
    running = spaces(state.runners)
    cones = state.cones[state.turn]
    total = sum(WORTH[column] * (space - cones[column] + 1) for column, space in running.items())
    if len(running) < 3:
        return total
    total += 2 * all(column % 2 for column in running) - 2 * all(column % 2 == 0 for column in running)
    return total + 4 * (max(running) < 8 or min(running) > 6)


def advance(state: State, move: Move) -> int:
    """What a climb is worth to the player of the rule of 28, who is loath to spend a runner."""
    entering = sum(not state.runners[column] for column in set(move.columns))
    return sum(WORTH[column] for column in move.columns) - 6 * entering


def decide(state: State) -> Move:
    if state.dice:
        return max(cantstop.legal_moves(state), key=lambda move: advance(state, move))
    if not any(state.runners):
        return ROLL
    wins = cantstop.outcome(cantstop.play(state, STOP).state)
    return STOP if wins or rule_of_28(state) >= 28 else ROLL


def turns_alone(chance: random.Random) -> int:
    """The turns that seat 0 needs when nobody else takes any."""
    state, turns = cantstop.setup(PUBLISHED, 2), 1
    while not cantstop.outcome(state):
        due = cantstop.chance(state)
        action = Roll(tuple(chance.choices(range(1, 7), k=due.count))) if due else decide(state)
        state, _ = cantstop.play(state, action)
        if state.turn == 1 and not cantstop.outcome(state):
            state, turns = replace(state, turn=0), turns + 1
    return turns


def test_the_rule_of_28_alone_needs_about_10_7_turns() -> None:
    chance = random.Random(28)
    games = [turns_alone(chance) for _ in range(250)]
    assert abs(mean(games) - 10.7) < 4 * stdev(games) / len(games) ** 0.5


# Properties


def some_state(seats: int, options: Options, seed: int, actions: int) -> list[State]:
    """The states of a match of random actions, a leave now and then among them."""
    chance = random.Random(seed)
    states = [cantstop.setup(options, seats)]
    while len(states) <= actions and not cantstop.outcome(states[-1]):
        state = states[-1]
        action: Move | Roll | Leave
        if cantstop.chance(state):
            action = Roll(tuple(chance.choices(range(1, 7), k=4)))
        elif chance.random() < 0.005:
            action = Leave(chance.choice([seat for seat, here in enumerate(state.present) if here]))
        else:
            action = chance.choice(cantstop.legal_moves(state))
        states.append(cantstop.play(state, action).state)
    return states


matches = st.builds(
    some_state,
    seats=st.integers(2, 4),
    options=st.sampled_from([STRICT, PUBLISHED]),
    seed=st.integers(0, 2**32),
    actions=st.just(600),
)


@given(matches)
@settings(max_examples=sample(25, 10), deadline=None)
def test_a_state_offers_moves_or_dice_or_an_outcome(states: list[State]) -> None:
    for state in states:
        ways = (cantstop.legal_moves(state), cantstop.chance(state), cantstop.outcome(state))
        assert sum(map(bool, ways)) == 1


@given(matches)
@settings(max_examples=sample(25, 10), deadline=None)
def test_runners_at_most_three_above_own_cones(states: list[State]) -> None:
    for state in states:
        running = spaces(state.runners)
        assert len(running) <= 3
        assert all(
            state.cones[state.turn][column] < space <= LENGTHS[column] for column, space in running.items()
        )


@given(matches)
@settings(max_examples=sample(25, 10), deadline=None)
def test_claimed_columns_stay_claimed_and_empty(states: list[State]) -> None:
    for before, after in pairwise(states):
        claimed = [column for column in COLUMNS if before.owners[column] is not None]
        assert all(after.owners[column] == before.owners[column] for column in claimed)
        assert not any(after.runners[column] or any(row[column] for row in after.cones) for column in claimed)


@given(matches)
@settings(max_examples=sample(25, 10), deadline=None)
def test_cones_never_go_down_but_by_a_claim_or_a_leave(states: list[State]) -> None:
    for before, after in pairwise(states):
        for seat, (old, new) in enumerate(zip(before.cones, after.cones, strict=True)):
            for column in COLUMNS:
                kept = after.owners[column] is None and after.present[seat]
                assert new[column] >= old[column] if kept else not new[column]


@given(matches)
@settings(max_examples=10, deadline=None)
def test_every_move_is_legal_or_refused_with_a_code(states: list[State]) -> None:
    notation = ["roll", "stop", *map(str, COLUMNS), *(f"{low}+{high}" for low in COLUMNS for high in COLUMNS)]
    state = states[-1] if len(states) % 2 else states[len(states) // 2]
    legal = cantstop.legal_moves(state)
    for move in map(cantstop.parse, notation):
        if move in legal:
            cantstop.play(state, move)
        else:
            assert refused(state, str(move))


@given(matches)
@settings(max_examples=5, deadline=None)
def test_bust_odds_are_the_share_of_throws_that_bust(states: list[State]) -> None:
    state = next(state for state in reversed(states) if not (state.dice or state.due or state.ended))
    throws = list(product(range(1, 7), repeat=4))
    busts = sum(isinstance(throw(state, *faces).events[-1], Busted) for faces in throws)
    assert cantstop.bust_odds(state) == Fraction(busts, len(throws))


def test_standing_most_columns_ahead() -> None:
    state = position(cones=({6: 10}, {}, {}), claimed={2: 1, 3: 1, 12: 2})
    assert cantstop.standing(state) == Outcome((1,), "ended", (0, 2, 1))


def test_standing_equal_columns_higher_cones_ahead() -> None:
    # Two of three spaces are more than six of thirteen.
    state = position(cones=({7: 6}, {2: 2}, {}), claimed={3: 0, 12: 1})
    assert cantstop.standing(state).winners == (1,)


def test_standing_excludes_player_who_left() -> None:
    state = position(cones=({}, {6: 3}, {}), claimed={2: 0})
    assert cantstop.standing(cantstop.play(state, Leave(0)).state).winners == (1,)
