"""Aces, held against its rules and the averages that follow from them.

Most rules have their examples in games/examples/aces.json.

A position is written as the number of dice by seat; the dice of a position lie unthrown.
"""

import random
from collections.abc import Sequence
from dataclasses import replace
from statistics import mean, stdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules import aces
from games.rules.aces import ROLL, STOP, Centred, HandedOver, Options, Passed, State, Thrown, TurnEnded
from games.rules.base import BadOptions, Dice, IllegalMove, Leave, Left, Outcome, Roll, Step, Unparseable
from tests.helpers.samples import sample

STANDARD = Options()
STOPPING = Options(may_stop=True)
LOSING = Options(last_ace="loses")


def position(*held: int, turn: int = 0, options: Options = STANDARD, centre: int = 0) -> State:
    start = aces.setup(options, len(held), first=turn)
    return replace(start, dice=tuple((aces.UNTHROWN,) * count for count in held), centre=centre)


def held(state: State) -> list[int]:
    return [len(dice) for dice in state.dice]


def throw(state: State, *faces: int) -> Step:
    return aces.play(aces.play(state, ROLL).state, Roll(faces))


def refused(state: State, action: aces.Move | Roll | Leave) -> str:
    with pytest.raises(IllegalMove) as refusal:
        aces.play(state, action)
    return refusal.value.code


# Setting up


def test_setup_five_dice_for_each_seat() -> None:
    assert held(aces.setup(Options(), 4)) == [5, 5, 5, 5]


@pytest.mark.parametrize("count", [3, 4, 5, 6])
def test_the_table_chooses_three_to_six_dice_each(count: int) -> None:
    assert held(aces.setup(Options(dice=count), 2)) == [count, count]


@pytest.mark.parametrize("count", [2, 7])
def test_other_numbers_of_dice_are_refused(count: int) -> None:
    with pytest.raises(BadOptions) as refusal:
        aces.setup(Options(dice=count), 2)
    assert refusal.value.code == "bad-option"


@pytest.mark.parametrize("seats", [1, 9])
def test_aces_is_for_two_to_eight(seats: int) -> None:
    with pytest.raises(BadOptions) as refusal:
        aces.setup(Options(), seats)
    assert refusal.value.code == "bad-seats"


def test_any_seat_may_begin() -> None:
    assert aces.setup(Options(), 3, first=2).turn == 2


# A throw


def test_throw_1_all_dice_held_are_thrown() -> None:
    assert aces.chance(aces.play(position(4, 2), ROLL).state) == Dice(4, 6)


def test_throw_2_the_same_player_throws_again() -> None:
    state, _ = throw(position(3, 3), 1, 4, 6)
    assert (state.turn, aces.legal_moves(state)) == (0, (ROLL,))


def test_throw_2_the_next_throw_is_of_what_is_left() -> None:
    state, _ = throw(position(3, 3), 1, 4, 6)
    assert aces.chance(aces.play(state, ROLL).state) == Dice(2, 6)


def test_throw_1a_without_ones_twos_and_fives_the_turn_passes() -> None:
    state, events = throw(position(3, 3), 3, 4, 6)
    assert state.turn == 1
    assert events[-1] == TurnEnded(0, 1, "nothing-moved")


def test_throw_1b_without_dice_the_turn_passes() -> None:
    state, events = throw(position(2, 3), 2, 1)
    assert state.turn == 1
    assert events[-1] == TurnEnded(0, 1, "no-dice")


def test_throw_the_only_holder_of_dice_is_next_again() -> None:
    state, events = throw(position(2, 0), 3, 4)
    assert state.turn == 0
    assert events[-1] == TurnEnded(0, 0, "nothing-moved")


# Dice handed to other players


def test_hand_over_1_twos_go_to_the_next_seat() -> None:
    state, events = throw(position(2, 2, 2, 2, turn=3), 2, 4)
    assert held(state) == [3, 2, 2, 1]
    assert Passed(3, 0, 1, "left") in events


def test_hand_over_1a_fives_go_to_the_seat_before() -> None:
    state, events = throw(position(2, 2, 2, 2), 5, 4)
    assert held(state) == [1, 2, 2, 3]
    assert Passed(0, 3, 1, "right") in events


def test_hand_over_dice_arrive_with_the_faces_they_show() -> None:
    state, _ = throw(position(3, 1), 2, 5, 4)
    assert state.dice[1] == (aces.UNTHROWN, 2, 5)


# The centre


def test_centre_1_ones_leave_the_player_for_the_centre() -> None:
    state, events = throw(position(3, 3), 1, 1, 4)
    assert (held(state), state.centre) == ([1, 3], 2)
    assert events == (Thrown(0, (1, 1, 4)), Centred(0, 2, in_play=4))


def test_centre_1b_is_looked_at_before_1a() -> None:
    _, events = throw(position(0, 1, turn=1, centre=9), 1)
    assert events == (Thrown(1, (1,)), Centred(1, 1, in_play=0))


# Options


def test_last_ace_loses_player_who_left_does_not_win() -> None:
    state, _ = aces.play(position(1, 0, 0, options=LOSING), Leave(2))
    state, _ = throw(state, 1)
    assert aces.outcome(state) == Outcome((1,), "last-ace")


def test_stopping_is_offered_after_a_throw() -> None:
    state, _ = throw(position(3, 3, options=STOPPING), 1, 4, 6)
    assert aces.legal_moves(state) == (ROLL, STOP)


def test_stopping_passes_the_turn_and_keeps_the_dice() -> None:
    state, _ = throw(position(3, 3, options=STOPPING), 1, 4, 6)
    state, events = aces.play(state, STOP)
    assert (state.turn, held(state)) == (1, [2, 3])
    assert events == (TurnEnded(0, 1, "stopped"),)


def test_the_first_preset_is_the_game_of_the_use_cases() -> None:
    assert next(iter(aces.PRESETS.values())) == Options(dice=5, may_stop=False, last_ace="wins")


# Leaving


def test_leaving_hands_the_dice_to_the_left() -> None:
    state, events = aces.play(position(2, 3, 1), Leave(1))
    assert held(state) == [2, 0, 4]
    assert events == (Left(1, "resigned"), HandedOver(1, 2, 3))


def test_leaving_without_dice_hands_none_over() -> None:
    _, events = aces.play(position(2, 0, 1), Leave(1))
    assert events == (Left(1, "resigned"),)


def test_leaving_on_turn_passes_the_turn() -> None:
    state, events = aces.play(position(2, 3, 1), Leave(0, "time"))
    assert state.turn == 1
    assert events == (Left(0, "time"), HandedOver(0, 1, 2), TurnEnded(0, 1, "left"))


def test_leaving_while_dice_are_due_cancels_the_throw() -> None:
    state, _ = aces.play(aces.play(position(2, 3, 1), ROLL).state, Leave(0))
    assert aces.chance(state) is None


def test_leaving_off_turn_keeps_the_turn() -> None:
    state, _ = aces.play(position(2, 3, 1), Leave(2))
    assert state.turn == 0


def test_leaving_with_the_last_dice_leaves_somebody_to_throw_them() -> None:
    state, _ = aces.play(position(0, 2, 0, turn=1), Leave(1))
    assert (held(state), state.turn) == ([0, 0, 2], 2)


def test_dice_skip_players_who_left() -> None:
    state, _ = aces.play(position(3, 1, 1, 1, 1), Leave(1))
    state, _ = aces.play(state, Leave(4))
    state, _ = throw(state, 2, 5, 4, 4)
    assert held(state) == [2, 0, 3, 2, 0]


def test_leaving_two_players_makes_the_other_win() -> None:
    state, _ = aces.play(position(2, 3), Leave(0, "abandoned"))
    assert aces.outcome(state) == Outcome((1,), "abandoned")


def test_the_match_goes_on_until_one_is_left() -> None:
    state, _ = aces.play(position(2, 3, 1), Leave(0))
    assert aces.outcome(state) is None
    assert aces.outcome(aces.play(state, Leave(2)).state) == Outcome((1,), "resigned")


# Refusals and notation


def finished() -> State:
    state: State = throw(position(1, 0), 1).state
    return state


@pytest.mark.parametrize("action", [ROLL, STOP, Roll((1,)), Leave(1)])
def test_refused_game_over(action: aces.Move | Roll | Leave) -> None:
    assert refused(finished(), action) == "game-over"


@pytest.mark.parametrize("move", [ROLL, STOP])
def test_refused_dice_due(move: aces.Move) -> None:
    assert refused(aces.play(position(2, 2), ROLL).state, move) == "dice-due"


def test_refused_no_dice_due() -> None:
    assert refused(position(2, 2), Roll((1, 2))) == "no-dice-due"


@pytest.mark.parametrize("faces", [(), (1,), (1, 2, 3), (0, 1), (1, 7)])
def test_refused_wrong_dice(faces: tuple[int, ...]) -> None:
    assert refused(aces.play(position(2, 2), ROLL).state, Roll(faces)) == "wrong-dice"


@pytest.mark.parametrize("seat", [-1, 2])
def test_refused_no_such_seat(seat: int) -> None:
    assert refused(position(2, 2), Leave(seat)) == "no-such-seat"


def test_refused_has_left() -> None:
    state, _ = aces.play(position(2, 2, 2), Leave(1))
    assert refused(state, Leave(1)) == "has-left"


@pytest.mark.parametrize("text", ["", "Roll", "roll ", "1"])
def test_refused_unparseable(text: str) -> None:
    with pytest.raises(Unparseable):
        aces.parse(text)


@pytest.mark.parametrize("move", [ROLL, STOP])
def test_notation_reads_back(move: aces.Move) -> None:
    assert aces.parse(str(move)) == move


def test_legal_moves_empty_while_dice_due_or_over() -> None:
    assert aces.legal_moves(aces.play(position(2, 2), ROLL).state) == ()
    assert aces.legal_moves(finished()) == ()
    assert aces.chance(finished()) is None


# The game as a whole


@given(
    seats=st.integers(2, 8),
    options=st.builds(Options, st.integers(3, 6), st.booleans(), st.sampled_from(["wins", "loses"])),
    seed=st.integers(0, 2**32),
)
@settings(max_examples=sample(60, 25), deadline=None)
def test_dice_are_conserved(seats: int, options: Options, seed: int) -> None:
    rng = random.Random(seed)
    state = aces.setup(options, seats, first=rng.randrange(seats))
    for _ in range(60):
        if state.ended:
            break
        state, _ = aces.play(state, any_action(state, rng))
        assert sum(held(state)) + state.centre == seats * options.dice


def any_action(state: State, rng: random.Random) -> aces.Move | Roll | Leave:
    if rng.random() < 0.03:
        return Leave(rng.choice([seat for seat, here in enumerate(state.present) if here]))
    if dice := aces.chance(state):
        return Roll(faces(rng, dice.count))
    return rng.choice(aces.legal_moves(state))


def faces(rng: random.Random, count: int) -> tuple[int, ...]:
    return tuple(rng.choices(range(1, 7), k=count))


def play_out(seats: int, rng: random.Random) -> tuple[int, int, int]:
    """Throws, turns and dice thrown of a whole game with five dice each."""
    state = aces.setup(Options(), seats)
    throws, turns, thrown = 0, 1, 0
    while not state.ended:
        count = len(state.dice[state.turn])
        state, events = throw(state, *faces(rng, count))
        throws, thrown = throws + 1, thrown + count
        turns += isinstance(events[-1], TurnEnded)
    return throws, turns, thrown


def near(sample: Sequence[float], expected: float) -> bool:
    """Within four standard errors."""
    return bool(abs(mean(sample) - expected) < 4 * stdev(sample) / len(sample) ** 0.5)


@pytest.mark.parametrize(("seats", "throws", "turns"), [(2, 24.46, 14.64), (3, 36.50, 21.85)])
def test_average_length_is_the_known_one(seats: int, throws: float, turns: float) -> None:
    rng = random.Random(1)
    games = [play_out(seats, rng) for _ in range(600)]
    throws_seen, turns_seen, thrown_seen = zip(*games, strict=True)
    assert near(throws_seen, throws)
    assert near(turns_seen, turns)
    assert near(thrown_seen, 6 * 5 * seats)


def test_seats_are_all_but_equal() -> None:
    rng = random.Random(2)
    wins = [winner(3, rng) for _ in range(600)]
    assert all(near([seat == won for won in wins], 1 / 3) for seat in range(3))


def winner(seats: int, rng: random.Random) -> int:
    state = aces.setup(Options(), seats)
    while not state.ended:
        state, _ = throw(state, *faces(rng, len(state.dice[state.turn])))
    return state.ended.winners[0]


def test_standing_most_dice_ahead() -> None:
    assert aces.standing(position(1, 3, 3)) == Outcome((1, 2), "ended")


def test_standing_fewest_dice_ahead_when_last_ace_loses() -> None:
    assert aces.standing(position(1, 3, 3, options=LOSING)).winners == (0,)


def test_standing_excludes_player_who_left() -> None:
    without = aces.play(position(1, 1, 9), Leave(2)).state
    assert aces.standing(without).winners == (0,), "who sits to the left has got the dice"
