"""Kalah. Boards are drawn as the first player sees them: the other side on top, stores at the ends."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules import kalah
from games.rules.base import BadOptions, IllegalMove, Leave, Left, Outcome, Roll, Unparseable
from games.rules.kalah import PRESETS, SWAP, Captured, Options, Sown, State, Swapped, Swept, TurnKept

CIRCLE, KALAHA, CLASSIC = PRESETS["circle"], PRESETS["kalaha"], PRESETS["classic"]
SMALL = replace(CIRCLE, pits=3)


def position(picture, options=CIRCLE, turn=0):
    """The state that a picture shows."""
    top, stores, bottom = ([int(word) for word in line.split()] for line in picture.strip().splitlines())
    board = (*bottom, stores[1], *reversed(top), stores[0])
    return State(replace(options, pits=len(top)), turn, board)


def picture(state):
    pits, board = state.options.pits, state.board
    rows = board[-2:pits:-1], (board[-1], board[pits]), board[:pits]
    return "\n".join(" ".join(map(str, row)) for row in rows)


def drawn(text):
    """A picture without its indentation, to compare with."""
    return "\n".join(" ".join(line.split()) for line in text.strip().splitlines())


def play(state, *moves):
    events = ()
    for move in moves:
        state, events = kalah.play(state, kalah.parse(move))
    return state, events


def refusal(state, action):
    with pytest.raises(IllegalMove) as refused:
        kalah.play(state, action)
    return refused.value.code


# Setting up


def test_presets_in_the_order_of_the_table_form():
    assert list(PRESETS) == ["classic", "pie-rule", "kalaha", "circle"]
    assert Options() == CLASSIC


@pytest.mark.parametrize(("preset", "seeds"), [("circle", 3), ("kalaha", 6), ("classic", 4), ("pie-rule", 4)])
def test_every_pit_starts_with_the_seeds_of_the_preset(preset, seeds):
    assert kalah.setup(PRESETS[preset]).board == (*[seeds] * 6, 0, *[seeds] * 6, 0)


@pytest.mark.parametrize("first", [0, 1])
def test_either_seat_may_move_first(first):
    assert kalah.setup(CIRCLE, 2, first).turn == first


@pytest.mark.parametrize(
    "options",
    [Options(pits=0), Options(pits=7), Options(seeds=0), Options(seeds=7), Options(pie=1)],  # type: ignore[arg-type]
    ids=str,
)
def test_options_outside_their_choices_are_refused(options):
    with pytest.raises(BadOptions):
        kalah.setup(options)


@pytest.mark.parametrize("seats", [1, 3])
def test_kalah_is_for_two(seats):
    with pytest.raises(BadOptions):
        kalah.setup(CIRCLE, seats)


# Sowing


def test_seeds_are_sown_counter_clockwise_from_the_next_pit():
    state, events = play(kalah.setup(SMALL), "1")
    assert picture(state) == drawn("""
          3 3 3
        0       1
          0 4 4""")
    assert events[0] == Sown(seat=0, start=0, path=(1, 2, 3))


def test_pits_are_counted_from_the_movers_left():
    state, events = play(kalah.setup(SMALL, 2, 1), "1")
    assert picture(state) == drawn("""
          4 4 0
        1       0
          3 3 3""")
    assert events[0] == Sown(seat=1, start=4, path=(5, 6, 7))


LAP = """
          0 0 1
        0       0
          1 0 6"""


def test_the_opponents_store_is_sown_in_circle():
    state, events = play(position(LAP), "3")
    assert picture(state) == drawn("""
          1 1 2
        1       1
          2 0 0""")
    assert events == (Sown(seat=0, start=2, path=(3, 4, 5, 6, 7, 0)),)


def test_the_opponents_store_is_skipped_in_classic():
    state, events = play(position(LAP, CLASSIC), "3")
    assert events[0].path == (3, 4, 5, 6, 0, 1)
    assert kalah.stores(state) == (3, 0)


def test_the_first_players_store_is_skipped_by_the_second():
    _, events = play(position("8 0 1\n 0 0\n 1 0 1", CLASSIC, turn=1), "3")
    assert events[0].path == (7, 0, 1, 2, 4, 5, 6, 7)


def test_a_long_lap_sows_its_start_like_any_other():
    state, events = play(position("0 0 1\n 0 0\n 1 9 0", CLASSIC), "2")
    assert events[0].path == (2, 3, 4, 5, 6, 0, 1, 2, 3)
    assert state.board[1] == 1


# Another move


def test_last_seed_in_own_store_moves_again():
    state, events = play(kalah.setup(SMALL), "1")
    assert state.turn == 0
    assert events[-1] == TurnKept(0)


# Capturing


def test_last_seed_in_an_empty_own_pit_captures_it_and_those_opposite():
    state, events = play(position("2 4 5\n 0 0\n 1 0 4"), "1")
    assert events[1:] == (Captured(seat=0, pit=1, opposite=5, seeds=5),)
    assert picture(state) == drawn("""
          2 0 5
        0       5
          0 0 4""")


def test_the_second_player_captures_too():
    state, events = play(position("5 0 1\n 0 0\n 2 3 1", turn=1), "1")
    assert events[1:] == (Captured(seat=1, pit=5, opposite=1, seeds=4),)
    assert kalah.stores(state) == (0, 4)


def test_last_seed_in_an_own_pit_that_was_not_empty_captures_nothing():
    assert len(play(position("2 4 5\n 0 0\n 1 1 4"), "1")[1]) == 1


def test_last_seed_in_an_empty_pit_of_the_opponent_captures_nothing():
    assert len(play(position("2 0 4\n 0 0\n 1 5 3"), "3")[1]) == 1


def test_last_seed_with_nothing_opposite_stays():
    state, events = play(position("2 0 5\n 0 0\n 1 0 4", CLASSIC), "1")
    assert len(events) == 1
    assert state.board[1] == 1


def test_last_seed_with_nothing_opposite_captured_in_kalaha():
    state, events = play(position("2 0 5\n 0 0\n 1 0 4", KALAHA), "1")
    assert events[1:] == (Captured(seat=0, pit=1, opposite=5, seeds=1),)
    assert picture(state) == drawn("""
          2 0 5
        0       1
          0 0 4""")


def test_capture_looks_opposite_after_sowing():
    _, events = play(position("2 0 1\n 0 0\n 1 7 0", CLASSIC), "2")
    assert events[1:] == (Captured(seat=0, pit=1, opposite=5, seeds=2),), (
        "the lap itself sowed the pit opposite"
    )


def test_a_full_lap_into_its_own_start_captures():
    _, events = play(position("3 3 3\n 0 0\n 1 0 8"), "3")
    assert events[1:] == (Captured(seat=0, pit=2, opposite=4, seeds=5),)


def test_a_pit_that_the_lap_itself_filled_is_not_empty_any_more():
    state, events = play(position("3 3 3\n 0 0\n 0 1 9"), "3")
    assert state.board[2:4] == (1, 2)
    _, events = play(position("3 3 3\n 0 0\n 1 15 0", CLASSIC), "2")
    assert len(events) == 1


# The end


def test_the_game_ends_when_the_mover_has_emptied_the_own_side():
    state, events = play(position("1 0 2\n 4 5\n 0 0 1"), "3")
    assert events[1:] == (Swept(seat=1, pits=(4, 6), seeds=3),)
    assert picture(state) == drawn("""
          0 0 0
        7       6
          0 0 0""")


def test_the_game_ends_when_the_opponents_side_is_empty():
    state, events = play(position("0 4 0\n 0 0\n 1 0 4"), "1")
    assert events[2:] == (Swept(seat=0, pits=(2,), seeds=4),)
    assert kalah.outcome(state) == Outcome((0,), "swept", (9, 0))


def test_sweep_absent_when_both_sides_empty():
    state, events = play(position("0 5 0\n 0 0\n 1 0 0"), "1")
    assert kalah.outcome(state) == Outcome((0,), "swept", (6, 0))
    assert [type(event) for event in events] == [Sown, Captured]


def test_outcome_absent_before_end():
    assert kalah.outcome(kalah.setup(CIRCLE)) is None


# The pie rule

PIE = replace(SMALL, pie=True)


def test_the_preset_is_classic_but_for_the_swap():
    assert replace(PRESETS["pie-rule"], pie=False) == CLASSIC
    assert SWAP in kalah.legal_moves(play(kalah.setup(PRESETS["pie-rule"]), "1")[0])


def test_the_second_player_may_swap_on_the_first_turn():
    state, _ = play(kalah.setup(PIE), "2")
    assert SWAP in kalah.legal_moves(state)


def test_swapping_exchanges_the_sides_and_the_first_player_moves():
    state, events = play(kalah.setup(PIE), "1", "2", "swap")
    assert events == (Swapped(seat=1),)
    assert state.turn == 0
    assert picture(state) == drawn("""
          5 0 0
        2       0
          4 4 3""")


def test_sowing_instead_gives_the_swap_up():
    state, _ = play(kalah.setup(PIE), "2", "1")
    assert SWAP not in kalah.legal_moves(state)
    assert play(state, str(kalah.legal_moves(state)[0]))[0].swapper is None


def test_pie_rule_second_player_may_swap():
    assert SWAP in kalah.legal_moves(play(kalah.setup(PIE, 2, 1), "2")[0])


# Refusals


@pytest.mark.parametrize("pit", [4, 0, -1])
def test_pit_beyond_side_refused(pit):
    assert refusal(kalah.setup(SMALL), kalah.Move(pit)) == "no-such-pit"


def test_no_dice_are_thrown_in_kalah():
    state = kalah.setup(CIRCLE)
    assert kalah.chance(state) is None
    assert refusal(state, Roll((1,))) == "no-dice-due"


@pytest.mark.parametrize("action", [kalah.Move(1), SWAP, Leave(0), Roll((1,))], ids=str)
def test_actions_after_end_refused(action):
    over, _ = play(position("1 0 2\n 4 5\n 0 0 1"), "3")
    assert kalah.legal_moves(over) == ()
    assert refusal(over, action) == "game-over"


@pytest.mark.parametrize("text", ["", "0", "13", "07", "1 ", " 1", "01", "१", "Swap", "dice", "left:0:time"])
def test_text_that_is_no_move(text):
    with pytest.raises(Unparseable):
        kalah.parse(text)


# Pits counted on round the board


@pytest.mark.parametrize("pit", range(1, 7))
def test_the_player_of_the_far_side_may_count_7_to_12(pit):
    state = kalah.setup(CIRCLE, first=1)
    move = kalah.parse(str(pit + 6))
    assert (move, str(move)) == (kalah.Move(pit), str(pit))
    assert kalah.play(state, move) == kalah.play(state, kalah.Move(pit))


def test_pits_7_to_12_need_six_pits_a_side():
    assert refusal(kalah.setup(SMALL, first=1), kalah.parse("7")) == "no-such-pit"


# Leaving


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("reason", ["resigned", "time", "abandoned"])
def test_the_other_seat_wins_when_one_leaves(seat, reason):
    state, _ = play(kalah.setup(CIRCLE), "4")
    left, events = kalah.play(state, Leave(seat, reason))
    assert kalah.outcome(left) == Outcome((1 - seat,), reason, (1, 0))
    assert events == (Left(seat, reason),)
    assert left.board == state.board
    assert kalah.legal_moves(left) == ()


def test_a_seat_leaves_once():
    assert refusal(kalah.play(kalah.setup(CIRCLE), Leave(0)).state, Leave(0)) == "game-over"


@pytest.mark.parametrize("seat", [-1, 2])
def test_leave_of_third_seat_refused(seat):
    assert refusal(kalah.setup(CIRCLE), Leave(seat)) == "no-such-seat"


# What always holds

ANY_OPTIONS = st.builds(
    Options,
    pits=st.integers(1, 6),
    seeds=st.integers(1, 6),
    sow_both_stores=st.booleans(),
    empty_capture=st.booleans(),
    pie=st.booleans(),
)
CHOOSERS = st.lists(st.integers(0, 6), max_size=80)


def told(options, board, event):
    """The board after `event`, by the event alone."""
    board, half = list(board), options.pits + 1
    match event:
        case Sown(_, start, path):
            board[start] = 0
            for place in path:
                board[place] += 1
        case Captured(seat, pit, opposite, seeds):
            board[pit] = board[opposite] = 0
            board[seat * half + options.pits] += seeds
        case Swept(seat, pits, seeds):
            for pit in pits:
                board[pit] = 0
            board[seat * half + options.pits] += seeds
        case Swapped(_):
            board = board[half:] + board[:half]
    return tuple(board)


@given(ANY_OPTIONS, CHOOSERS)
def test_seeds_are_conserved_and_events_tell_the_whole_story(options, choosers):
    state = kalah.setup(options)
    for chooser in choosers:
        moves = kalah.legal_moves(state)
        if not moves:
            break
        board = state.board
        state, events = kalah.play(state, moves[chooser % len(moves)])
        assert sum(state.board) == 2 * options.pits * options.seeds
        for event in events:
            board = told(options, board, event)
        assert board == state.board


@given(ANY_OPTIONS, CHOOSERS)
def test_a_match_goes_on_exactly_while_both_sides_hold_seeds(options, choosers):
    state = kalah.setup(options)
    for chooser in choosers:
        pits, board = options.pits, state.board
        assert (state.ended is None) == (any(board[:pits]) and any(board[pits + 1 : -1]))
        if not (moves := kalah.legal_moves(state)):
            break
        state, _ = kalah.play(state, moves[chooser % len(moves)])


# As it stands


def test_standing_more_seeds_in_store_ahead():
    state = position("""
        1 1 1
        4   7
        1 1 1
    """)
    assert kalah.standing(state) == Outcome((0,), "ended", (7, 4))


def test_equal_stores_are_equal_standings():
    state = position("""
        1 1 1
        4   4
        9 9 9
    """)
    assert kalah.standing(state).winners == (0, 1)
