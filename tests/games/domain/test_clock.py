"""Clocks are arithmetic: every millisecond is charged, credited or given, and none is lost."""

from dataclasses import replace

import pytest
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st

from games.domain import absence, clock, clock_words, codec
from games.domain.clock import BUDGET, CREDIT, DAY, FIRST_MOVE, REFILL, BadClock, Clocks, Control, OutOfTime
from games.watch.match_consumer import Lag

NOON = 1_800_000_000_000
LIVE = clock.parse("5+3")
SLOW = clock.parse("3d")


def begun(control=LIVE, seats=2):
    """Clocks of a match in which every seat has played its first ply, seat 0 to move, at noon."""
    return replace(clock.start(control, seats, 0, NOON), fresh=())


def played(control, clocks, now, turn, lag=0):
    return clock.turn_to(control, clock.press(control, clocks, now, lag), now, turn)


# Notation


@pytest.mark.parametrize(
    "notation", [*clock.CONTROLS, "0.1+1", "0.05+0", "90+30", "5+d3", "2d", "5+3 20@0", "9+d5 0@1"]
)
def test_a_notation_is_read_and_written_alike(notation):
    assert str(clock.parse(notation)) == notation


def test_parse_notation():
    assert clock.parse("") == Control()
    assert clock.parse("5+3") == Control(initial=300_000, increment=3_000)
    assert clock.parse("0.1+1") == Control(initial=6_000, increment=1_000)
    assert clock.parse("5+d3") == Control(initial=300_000, simple_delay=3_000)
    assert clock.parse("3d") == Control(per_move=3 * DAY)


@pytest.mark.parametrize(
    "text",
    [
        *("5", "5+", "+3", "0+3", "05+3", "5.0+3", "5+03", "181+0", "5+181", "-5+3", "1d+3", "0.001+0"),
        *("5+d0", "5+3d", "5+d181", "5+3+d3"),
        *("5+3 20", "5+3 20@2", "5+3 05@0", "5+3 100@0", "3d 5@0", "5+3  5@0"),
        *("d", "0d", "31d", "5e1+0", "٥+٣", "5+3 ", "5+3\n"),
    ],
)
def test_any_other_text_is_no_clock(text):
    with pytest.raises(BadClock) as refused:
        clock.parse(text)
    assert refused.value.code == "bad-clock"
    assert refused.value.sentence % refused.value.params


def test_the_host_of_a_simul_has_more_time():
    control = clock.parse(clock.hosted("5+3", 1, 20))
    assert str(control) == "5+3 20@1"
    assert clock.start(control, 2, 0, NOON).left == (300_000, 1_500_000)
    assert clock.unhosted("5+3 20@1") == "5+3"


def test_first_plies_of_a_simul_have_the_time_of_their_clocks_and_cost_none():
    control = clock.parse("5+3 20@0")
    clocks = clock.start(control, 2, 0, NOON)
    assert clock.deadline(control, clocks) == NOON + 1_500_000
    clocks = played(control, clocks, NOON + 1_000_000, 1)
    assert clock.deadline(control, clocks) == NOON + 1_300_000
    assert clocks.left == (1_500_000, 300_000)


@pytest.mark.parametrize("notation", ["", "3d"])
def test_other_clocks_know_no_host(notation):
    assert clock.hosted(notation, 0, 20) == notation


def test_only_the_clock_counts_while_the_host_is_at_other_boards():
    assert absence.patience(clock.parse("5+3 0@0"), 60) is None


@pytest.mark.parametrize("notation", [*clock.CONTROLS, "1+60", "180+0", "7+4", "180+d60", "1+d1"])
def test_people_may_play_by_it(notation):
    assert clock.may_be_chosen(notation)


@pytest.mark.parametrize(
    "notation", ["0.5+0", "1.5+2", "181+0", "5+61", "5+d61", "2d", "5", "5+3+d3", "5+3 5@0"]
)
def test_people_may_not_play_by_it(notation):
    assert not clock.may_be_chosen(notation)


@pytest.mark.parametrize(
    ("notation", "words"),
    [
        ("", "No clock"),
        ("5+3 20@0", "5 minutes + 3 seconds per move, host: 20 minutes more"),
        ("5+0 1@1", "5 minutes each, host: 1 minute more"),
        ("5+3 0@1", "5 minutes + 3 seconds per move"),
        ("1+0", "1 minute each"),
        ("2+1", "2 minutes + 1 second per move"),
        ("5+3", "5 minutes + 3 seconds per move"),
        ("0.1+1", "0.1 minutes + 1 second per move"),
        ("5+d3", "5 minutes, 3-second delay per move"),
        ("1d", "1 day per move"),
        ("3d", "3 days per move"),
    ],
)
def test_every_control_has_words(notation, words):
    assert clock_words.in_words(notation) == words


@pytest.mark.parametrize(
    ("language", "notation", "words"),
    [
        ("ru", "1+0", "по 1 минуте"),
        ("ru", "2+1", "2 минуты + 1 секунда на ход"),
        ("ru", "21+d5", "21 минута, задержка 5 секунд на ход"),
        ("et", "5+3", "5 minutit + 3 sekundit käigu kohta"),
    ],
)
def test_words_agree_with_their_numbers(language, notation, words):
    with override(language):
        assert clock_words.in_words(notation) == words


# A delay


def test_the_seconds_of_the_delay_are_free():
    control = clock.parse("5+d3")
    assert played(control, begun(control), NOON + 3_000, 1).left == (300_000, 300_000)
    assert played(control, begun(control), NOON + 3_001, 1).left == (299_999, 300_000)


def test_delay_remainder_lost():
    control = clock.parse("5+d3")
    after = played(control, begun(control), NOON + 1_000, 1)
    assert played(control, after, NOON + 1_000 + 10_000, 0).left == (300_000, 293_000)


def test_delay_applies_to_each_ply_of_a_turn():
    control = clock.parse("5+d3")
    after = played(control, begun(control), NOON + 3_000, 0)
    assert played(control, after, NOON + 6_000, 1).left == (300_000, 300_000)


def test_a_flag_falls_after_the_delay():
    control = clock.parse("5+d3")
    clocks = replace(begun(control), budget=(0, 0))
    assert clock.deadline(control, clocks) == NOON + 303_000
    with pytest.raises(OutOfTime):
        clock.press(control, clocks, NOON + 303_000)
    assert clock.press(control, clocks, NOON + 302_999).left == (1, 300_000)


def test_lag_is_credited_only_for_time_that_was_charged():
    control = clock.parse("5+d3")
    assert played(control, begun(control), NOON + 3_100, 1, lag=400).left == (300_000, 300_000)


def test_turn_passed_without_ply_charges_time_beyond_delay():
    control = clock.parse("5+d3")
    assert clock.turn_to(control, begun(control), NOON + 5_000, 1).left == (298_000, 300_000)


def test_only_a_control_with_time_is_timed():
    assert [clock.parse(text).timed for text in ("", "5+3", "3d")] == [False, True, True]
    assert [clock.parse(text).live for text in ("", "5+3", "3d")] == [False, True, False]


# What is charged


def test_a_ply_costs_its_time_and_brings_the_increment():
    clocks = played(LIVE, begun(), NOON + 10_000, 1)
    assert clocks.left == (300_000 - 10_000 + 3_000, 300_000)
    assert (clocks.running, clocks.at) == (1, NOON + 10_000)


def test_increment_added_for_each_ply_of_a_turn():
    clocks = played(LIVE, begun(), NOON + 10_000, 0)
    clocks = played(LIVE, clocks, NOON + 15_000, 1)
    assert clocks.left == (300_000 - 15_000 + 6_000, 300_000)


def test_a_throw_costs_nothing():
    before = played(LIVE, begun(), NOON + 10_000, 0)
    after = clock.turn_to(LIVE, before, NOON + 10_000, 1)
    assert after.left == before.left
    assert after.running == 1


def test_the_first_ply_of_a_seat_is_free_and_has_its_own_limit():
    clocks = clock.start(LIVE, 2, 0, NOON)
    assert clock.deadline(LIVE, clocks) == NOON + FIRST_MOVE
    clocks = played(LIVE, clocks, NOON + 59_999, 1)
    assert clocks.left == (300_000, 300_000)
    assert clocks.fresh == (1,)
    assert clock.deadline(LIVE, clocks) == NOON + 59_999 + FIRST_MOVE


def test_a_first_ply_at_the_limit_is_too_late():
    with pytest.raises(OutOfTime):
        clock.press(LIVE, clock.start(LIVE, 2, 0, NOON), NOON + FIRST_MOVE)


def test_a_slow_clock_is_full_again_after_every_ply_and_has_no_first_limit():
    clocks = clock.start(SLOW, 2, 0, NOON)
    assert clock.deadline(SLOW, clocks) == NOON + 3 * DAY
    clocks = played(SLOW, clocks, NOON + 2 * DAY, 1)
    assert clocks.left == (3 * DAY, 3 * DAY)
    assert clock.deadline(SLOW, clocks) == NOON + 5 * DAY


def test_clocks_unchanged_when_player_off_turn_leaves():
    for clocks in (begun(seats=3), clock.start(LIVE, 3, 0, NOON)):
        assert clock.turn_to(LIVE, clocks, NOON + 10_000, 0) == clocks


def test_leave_on_turn_charges_time_and_starts_next_clock():
    clocks = clock.turn_to(LIVE, begun(seats=3), NOON + 10_000, 1)
    assert clocks.left == (290_000, 300_000, 300_000)
    assert clock.deadline(LIVE, clocks) == NOON + 10_000 + 300_000 + CREDIT


def test_clocks_stop_after_end():
    clocks = clock.turn_to(LIVE, begun(), NOON + 10_000, None)
    assert clocks.left == (290_000, 300_000)
    assert clock.deadline(LIVE, clocks) is None
    assert not clock.flagged(LIVE, clocks, NOON + 10 * DAY)


def test_a_pause_is_charged_to_nobody():
    clocks = clock.paused(begun(), 40_000)
    assert clock.deadline(LIVE, clocks) == NOON + 40_000 + 300_000 + CREDIT
    assert played(LIVE, clocks, NOON + 50_000, 1).left == (300_000 - 10_000 + 3_000, 300_000)


def test_a_clock_that_was_set_back_takes_no_time():
    assert clock.press(LIVE, begun(), NOON - 5_000).left == (303_000, 300_000)


# The flag


def test_a_flag_falls_when_no_credit_could_save_the_move():
    due = clock.deadline(LIVE, begun())
    assert due == NOON + 300_000 + CREDIT
    assert not clock.flagged(LIVE, begun(), due - 1)
    assert clock.flagged(LIVE, begun(), due)


def test_press_without_lag_in_time_until_last_millisecond():
    assert clock.press(LIVE, begun(), NOON + 299_999).left[0] == 1 + 3_000
    with pytest.raises(OutOfTime):
        clock.press(LIVE, begun(), NOON + 300_000)


def test_press_after_deadline_late_despite_lag():
    with pytest.raises(OutOfTime):
        clock.press(LIVE, begun(), NOON + 300_000 + CREDIT, lag=60_000)


# Credit for lag


def test_measured_lag_is_credited():
    assert clock.press(LIVE, begun(), NOON + 10_000, lag=120).left[0] == 300_000 - 10_000 + 120 + 3_000


def test_pretending_to_be_far_away_is_worth_the_cap_and_no_more():
    assert clock.press(LIVE, begun(), NOON + 10_000, lag=60_000).left[0] == 300_000 - 10_000 + CREDIT + 3_000


def test_credit_is_never_more_than_the_ply_took():
    assert clock.press(LIVE, begun(), NOON + 30, lag=400).left[0] == 303_000


def test_a_steady_lag_up_to_the_refill_is_always_credited():
    clocks = begun()
    for number in range(1, 101):
        clocks = clock.press(LIVE, clocks, NOON + number * 3_000, lag=REFILL)
    assert clocks.left[0] == 300_000 + 100 * REFILL


def test_the_budget_is_soon_spent():
    clocks = begun()
    for number in range(1, 101):
        clocks = clock.press(LIVE, clocks, NOON + number * 3_000, lag=CREDIT)
    credited = clocks.left[0] - 300_000
    assert credited <= BUDGET + 100 * REFILL


def test_lag_credit_bounded_to_tenth_of_second_per_ply():
    clocks = begun()
    for number in range(1, 1001):
        before, clocks = clocks, clock.press(LIVE, clocks, NOON + number * 3_000, lag=60_000)
    assert clocks.left[0] - before.left[0] == 100


def test_a_slow_clock_is_full_again_for_whoever_lost_the_turn_to_a_take_back():
    after_two_days = clock.turn_to(SLOW, begun(SLOW), NOON + 2 * DAY, 1)
    again = played(SLOW, after_two_days, NOON + 2 * DAY + 5, 0)
    assert clock.deadline(SLOW, again) == NOON + 5 * DAY + 5


def test_slow_matches_credit_nobody():
    assert clock.start(SLOW, 2, 0, NOON).budget == ()


# Everything at once

times = st.integers(0, 20_000)
steps = st.lists(
    st.tuples(st.sampled_from(["pass", "keep", "leave", "throw", "pause"]), times, st.integers(0, 900)),
    max_size=60,
)


@given(seats=st.integers(2, 8), steps=steps)
def test_clocks_add_up_to_the_wall_less_credit_and_pauses_plus_increments(seats, steps):
    """To the millisecond. Nobody has so little time here that a flag could fall."""
    control = clock.parse("180+10")
    clocks, now = clock.start(control, seats, 0, NOON), NOON
    charged = uncharged = given_back = 0
    for kind, ms, lag in steps:
        seat, following = clocks.running, (clocks.running + 1) % seats
        first, before = seat in clocks.fresh, clocks.left[seat]
        if kind == "throw":
            clocks = clock.turn_to(control, clocks, now, following)
            continue
        now += ms
        if kind == "pause":
            clocks, uncharged = clock.paused(clocks, ms), uncharged + ms
            continue
        if kind != "leave":
            clocks = clock.press(control, clocks, now, lag)
            increment = 0 if first else control.increment
            credit = clocks.left[seat] - before - increment + (0 if first else ms)
            assert 0 <= credit <= (0 if first else min(lag, CREDIT, ms))
            given_back += credit + increment
        clocks = clock.turn_to(control, clocks, now, seat if kind == "keep" else following)
        charged, uncharged = (charged, uncharged + ms) if first else (charged + ms, uncharged)
    assert charged + uncharged == now - NOON
    assert sum(clocks.left) == seats * control.initial - charged + given_back
    assert all(0 <= budget <= BUDGET for budget in clocks.budget)


@given(seats=st.integers(2, 8), turn=st.integers(0, 1), notation=st.sampled_from(clock.CONTROLS[1:]))
def test_clocks_survive_json(seats, turn, notation):
    clocks = clock.start(clock.parse(notation), seats, turn, NOON)
    assert codec.decode(Clocks, codec.encode(clocks)) == clocks


@given(now=st.integers(0, 400_000), lag=st.integers(0, 1_000))
def test_a_move_is_either_in_time_or_too_late_whatever_comes_first(now, lag):
    """Once a flag may fall no move is taken, and a move that is refused stays too late."""
    clocks = begun()
    try:
        clock.press(LIVE, clocks, NOON + now, lag)
    except OutOfTime:
        with pytest.raises(OutOfTime):
            clock.press(LIVE, clocks, NOON + now + 1, lag)
    else:
        assert not clock.flagged(LIVE, clocks, NOON + now)


# The measure of lag


def test_lag_is_half_the_mean_round_trip():
    lag = Lag()
    assert lag.milliseconds == 0
    for sent, back in ((10.0, 10.2), (20.0, 20.4)):
        lag.answered(lag.ask(sent), back)
    assert lag.milliseconds == 150


def test_only_the_last_measures_count():
    lag = Lag()
    for round_trip in (9.0, 0.2, 0.2, 0.2, 0.2):
        lag.answered(lag.ask(100.0), 100.0 + round_trip)
    assert lag.milliseconds == 100


def test_an_answer_that_was_not_asked_for_says_nothing():
    lag = Lag()
    lag.answered(0, 5.0)
    number = lag.ask(10.0)
    lag.answered(number + 1, 11.0)
    assert lag.milliseconds == 0
    lag.answered(number, 10.1)
    lag.answered(number, 19.0)
    assert lag.milliseconds == 50


# Vacations

HOUR = clock.MINUTE * 60


@given(
    st.lists(st.integers(0, 60), min_size=2, max_size=8, unique=True).map(sorted),
    st.integers(0, 40),
    st.integers(1, 40),
)
def test_a_vacation_leaves_the_total_time_on_the_clock_as_it_is(edges, begins, limit):
    """Hour by hour: the time up to the deadline, without the vacations, is what the player was given."""
    vacations = list(zip(edges[::2], edges[1::2], strict=False))
    in_ms = [(away * HOUR, back * HOUR) for away, back in vacations]
    due = begins + limit + clock.pause(begins * HOUR, (begins + limit) * HOUR, in_ms) // HOUR
    charged = [hour for hour in range(begins, due) if not any(a <= hour < b for a, b in vacations)]
    assert len(charged) == limit
    assert charged[-1] == due - 1
