"""What every game owes to the rest of the site. A registered game inherits all of this."""

import ast
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import FrozenInstanceError, fields, is_dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.bots.any_game import random_action
from games.domain import codec, match_actions, position, texts
from games.domain.match_actions import Act
from games.domain.position import Position
from games.registry import GAMES, Game
from games.rules.base import (
    ENDED,
    SHARED_REFUSALS,
    BadOptions,
    BadPosition,
    IllegalMove,
    Leave,
    Roll,
    Unparseable,
    choices_of,
)
from tests.architecture.source_rules import game_of
from tests.helpers.playout import option_sets, random_playout

ROOT = Path(__file__).parents[2]
RULES = {path.stem for path in (ROOT / "games" / "rules").glob("*.py")} - {"__init__", "base"}


class Case(NamedTuple):
    """A game with certain options and seats, and one match of it played at random."""

    label: str
    game: Game
    options: Any
    seats: int
    states: list[Any]
    actions: list[Any]

    @property
    def rules(self) -> Any:
        return self.game.rules

    @property
    def plies(self) -> list[tuple[Any, Any]]:
        """Each action with the state before it."""
        return list(zip(self.states, self.actions, strict=False))


@cache
def cases(slug: str, leaving: float = 0) -> list[Case]:
    """Presets with every number of seats, other option sets with the fewest and the most."""
    game, made = GAMES[slug], []
    rules = game.rules
    for name, options in option_sets(rules, Random(slug)):
        all_seats = rules.SEATS if name in rules.PRESETS else {rules.SEATS[0], rules.SEATS[-1]}
        for seats in sorted(all_seats):
            label = f"{slug}-{name}-{seats}"
            match = random_playout(game, options, seats, Random(label), leaving=leaving)
            made.append(Case(label, game, options, seats, *match))
    return made


def with_leavers(slug: str) -> list[Case]:
    """The matches of a game, and as many more that somebody leaves."""
    return [*cases(slug), *cases(slug, leaving=0.05)]


every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())


def for_each(matches: Callable[[str], list[Case]]) -> Callable[[Callable[[Case], None]], Any]:
    """A test of one match becomes one of a whole game; a failure says which match it is about."""

    def of_a_game(test: Callable[[Case], None]) -> Any:
        @every_game
        def run(game: Game) -> None:
            for case in matches(game.slug):
                try:
                    test(case)
                except BaseException as error:
                    error.add_note(f"in the match {case.label}")
                    raise

        run.__doc__ = test.__doc__
        return run

    return of_a_game


every_match = for_each(cases)
every_match_with_leavers = for_each(with_leavers)


def refusal(play: Any) -> IllegalMove:
    with pytest.raises(IllegalMove) as refused:
        play()
    return refused.value


@every_game
def test_every_preset_is_played_with_every_number_of_seats(game):
    played = {(case.options, case.seats) for case in cases(game.slug)}
    assert played >= {(preset, seats) for preset in game.rules.PRESETS.values() for seats in game.rules.SEATS}
    assert len(with_leavers(game.slug)) == 2 * len(cases(game.slug))


@every_game
def test_every_field_of_a_state_that_people_may_set_has_a_name(game):
    known = {each.name for each in fields(game.rules.State)}
    assert set(game.rules.FIELDS) == known - {"options", "turn", "ended"}


# A game is registered whole


@pytest.mark.all_games
def test_every_rules_module_is_registered():
    assert set(GAMES) == {game_of(stem) for stem in RULES}


@every_game
def test_a_game_has_its_files(game):
    assert (ROOT / "tests" / "games" / "rules" / f"test_{game.slug}.py").is_file()
    assert (ROOT / "static" / game.board).is_file()


@pytest.mark.all_games
def test_every_test_of_rules_belongs_to_a_registered_game():
    stems = [
        path.stem.removeprefix("test_") for path in (ROOT / "tests" / "games" / "rules").glob("test_*.py")
    ]
    assert [stem for stem in stems if game_of(stem) not in GAMES] == []


@every_game
def test_a_game_introduces_itself(game):
    assert game.title
    assert game.blurb.endswith(".")


# Options


@every_game
def test_options_explain_themselves(game):
    choices = choices_of(game.rules.Options)
    assert len(choices) == len(fields(game.rules.Options))
    for choice in choices:
        assert choice.title
        assert choice.sentence.endswith(".")
        assert choice.default in choice.offered
        assert set(choice.offered) <= set(choice.choices)


@every_game
def test_the_first_preset_is_the_default(game):
    assert next(iter(game.rules.PRESETS.values())) == game.rules.Options()


@every_game
def test_a_value_outside_its_choices_is_refused(game):
    for choice in choices_of(game.rules.Options):
        with pytest.raises(BadOptions) as refused:
            game.rules.setup(game.rules.Options(**{choice.name: object()}), game.rules.SEATS[0])
        assert refused.value.code


@every_game
def test_setup_with_wrong_number_of_seats_refused(game):
    for seats in (game.rules.SEATS[0] - 1, game.rules.SEATS[-1] + 1):
        with pytest.raises(BadOptions) as refused:
            game.rules.setup(game.rules.Options(), seats)
        assert refused.value.code == "bad-seats"


# Play


@every_match_with_leavers
def test_exactly_one_of_dice_moves_and_outcome(case):
    for state in case.states:
        dice, moves, outcome = (
            case.rules.chance(state),
            case.rules.legal_moves(state),
            case.rules.outcome(state),
        )
        assert [bool(dice), bool(moves), outcome is not None].count(True) == 1
        assert len(set(moves)) == len(moves)
        assert state.turn in range(case.seats)


@every_match_with_leavers
def test_only_the_last_state_has_an_outcome(case):
    outcome = case.rules.outcome(case.states[-1])
    assert set(outcome.winners) <= set(range(case.seats))
    assert outcome.winners == tuple(sorted(set(outcome.winners)))
    assert outcome.winners
    assert outcome.reason
    assert len(outcome.scores) in (0, case.seats)


@every_match_with_leavers
def test_standing_winners_still_play(case):
    left = set()
    for before, action in case.plies:
        standing = case.rules.standing(before)
        assert standing.reason == ENDED
        assert standing.winners == tuple(sorted(set(standing.winners)))
        assert standing.winners
        assert set(standing.winners) <= set(range(case.seats)) - left
        assert len(standing.scores) in (0, case.seats)
        if isinstance(action, Leave):
            left.add(action.seat)


@every_match_with_leavers
def test_play_is_pure(case):
    for before, action in case.plies:
        written = codec.encode(before)
        step = case.rules.play(before, action)
        assert step == case.rules.play(before, action)
        assert codec.encode(before) == written


@every_match
def test_states_moves_and_events_cannot_be_changed(case):
    state, events = case.rules.play(case.states[0], case.actions[0])
    for value in (state, case.options, case.actions[0], *events):
        assert is_dataclass(value)
        assert not hasattr(value, "__dict__")
        for field in fields(value):
            with pytest.raises(FrozenInstanceError):
                setattr(value, field.name, None)


@every_match
def test_the_seats_may_start_in_any_order(case):
    for first in range(case.seats):
        assert case.rules.setup(case.options, case.seats, first).turn == first


# JSON and notation


@every_match_with_leavers
def test_states_survive_json(case):
    for state in case.states:
        assert codec.decode_state(case.rules, codec.encode_state(case.rules, state)) == state


@every_match
def test_options_survive_json(case):
    written = codec.encode(case.options)
    assert codec.decode(case.rules.Options, written) == case.options


@every_match_with_leavers
def test_events_survive_json(case):
    for before, action in case.plies:
        for event in case.rules.play(before, action).events:
            assert isinstance(event, case.rules.EVENTS)
            written = codec.encode(codec.encode_event(event))
            assert codec.decode_event(case.rules, written) == event


@every_game
def test_kinds_of_events_differ(game):
    kinds = [event.__name__.lower() for event in game.rules.EVENTS]
    assert len(set(kinds)) == len(kinds)


@every_match
def test_a_move_reads_as_it_is_written(case):
    for state in case.states:
        for move in case.rules.legal_moves(state):
            assert type(move) is case.rules.Move
            assert case.rules.parse(str(move)) == move
            assert str(move) == str(move).strip().lower()
            assert len(str(move)) <= 16


@every_match_with_leavers
def test_the_log_replays_the_match(case):
    state = case.states[0]
    log = [(codec.action_text(action), codec.action_dice(action)) for action in case.actions]
    for (text, dice), after in zip(log, case.states[1:], strict=True):
        state = case.rules.play(state, codec.action(case.rules, text, dice)).state
        assert state == after


# Positions


@every_match_with_leavers
def test_a_position_reads_as_it_is_written(case):
    for state in {*Random(case.label).choices(case.states, k=10), case.states[-1]}:
        written = Position(case.game, state, case.seats)
        text = str(written)
        assert text.isascii()
        assert text.isprintable()
        assert position.parse(text) == written
        assert str(position.parse(text)) == text


@st.composite
def played(draw: st.DrawFn, game: Game) -> Position:
    """A position of some match with any preset or options, to which moves and dice have led."""
    options = draw(st.sampled_from([each for _, each in option_sets(game.rules, Random(game.slug))]))
    seats = draw(st.sampled_from(game.rules.SEATS))
    state = game.rules.setup(options, seats, draw(st.integers(0, seats - 1)))
    rng = Random(draw(st.integers(0, 2**32)))
    for _ in range(draw(st.integers(0, 200))):
        if game.rules.outcome(state) is not None:
            break
        state = game.rules.play(state, random_action(game.rules, state, rng)).state
    return Position(
        game, state, seats, draw(st.text().map(texts.cleaned).filter(lambda note: len(note) <= 200))
    )


@every_game
@given(data=st.data())
def test_every_reachable_position_reads_as_it_is_written(game, data):
    written = data.draw(played(game))
    assert position.parse(str(written)) == written


NUMBERS = re.compile(r"(?<![\w.])[0-9]+(?!\w|\.)")
"""The numbers in a position besides the version of the rules."""


@every_game
@given(data=st.data())
def test_every_position_that_is_read_can_be_played_on(game, data):
    """Wrong numbers, one too few or too many of something: it is refused, or the rules play on from it."""
    words = str(data.draw(played(game))).partition(" ;")[0].split(" ")
    place = data.draw(st.integers(2, len(words) - 1))
    for _ in range(data.draw(st.integers(1, 3))):
        found = data.draw(st.sampled_from([*NUMBERS.finditer(words[place]), None]))
        if found is None:
            name, _, value = words[place].partition("=")
            words[place] = (
                f"{name}={data.draw(st.sampled_from([f'{value},0', f'{value},B', value[2:], value[:-1]]))}"
            )
        else:
            number = data.draw(st.integers(-2, 20).map(str))
            words[place] = words[place][: found.start()] + number + words[place][found.end() :]
    try:
        read = position.parse(" ".join(words))
    except BadPosition:
        return
    state = read.state
    rng = Random(data.draw(st.integers(0, 99)))
    for _ in range(100):
        if game.rules.outcome(state) is not None:
            break
        assert game.rules.standing(state).winners
        for move in game.rules.legal_moves(state):
            game.rules.play(state, move)
        state = game.rules.play(state, random_action(game.rules, state, rng)).state
        assert position.parse(str(Position(game, state, read.seats))).state == state


# What clients cannot do

FOREIGN = [
    "",
    " ",
    "dice",
    "left",
    "left:0:resigned",
    "roll:6",
    "[6]",
    "6,6",
    "None",
    "null",
    "0",
    "-1",
    "☃",
    "x" * 99,
]


@every_game
def test_no_text_is_chance_or_departure(game):
    stolen = [
        *FOREIGN,
        str(Leave(0)),
        str(Roll((6,))),
        *map(codec.action_text, (Leave(0, "time"), Roll((1,)))),
        *(str(Act(kind, 0)) for kind in match_actions.KINDS),
    ]
    for text in stolen:
        with suppress(Unparseable):
            assert type(game.rules.parse(text)) is game.rules.Move


@every_game
def test_the_log_knows_chance_and_departure_apart_from_moves(game):
    for action in (Roll((1,)), Leave(0)):
        with pytest.raises(Unparseable):
            game.rules.parse(codec.action_text(action))


# Refusals


@every_match_with_leavers
def test_a_move_that_is_not_legal_is_refused_and_changes_nothing(case):
    known = {move for state in case.states for move in case.rules.legal_moves(state)}
    rng = Random(case.game.slug)
    for state in rng.sample(case.states, min(len(case.states), 20)):
        written = codec.encode(state)
        for move in known.difference(case.rules.legal_moves(state)):
            error = refusal(lambda state=state, move=move: case.rules.play(state, move))
            assert error.code
            assert error.sentence
            assert str(error) == error.sentence % error.params
        assert codec.encode(state) == written


@every_match
def test_dice_that_are_not_due_are_refused(case):
    for state in case.states:
        if case.rules.chance(state) is None:
            assert refusal(lambda state=state: case.rules.play(state, Roll((1,)))).code


@every_match
def test_dice_of_the_wrong_number_or_face_are_refused(case):
    for state in case.states:
        if dice := case.rules.chance(state):
            for faces in [(1,) * (dice.count + 1), (dice.sides + 1,) * dice.count, (0,) * dice.count, ()]:
                assert refusal(lambda state=state, faces=faces: case.rules.play(state, Roll(faces))).code


@every_match_with_leavers
def test_actions_after_end_refused(case):
    over = case.states[-1]
    assert case.rules.legal_moves(over) == ()
    for action in (case.actions[0], Roll((1,)), *map(Leave, range(case.seats))):
        assert refusal(lambda action=action: case.rules.play(over, action)).code == "game-over"


@every_game
def test_every_refusal_has_a_listed_code_with_its_sentence(game):
    """Whatever is tried in matches at random: moves of other positions and options, dice, departures."""
    listed = {**SHARED_REFUSALS, **game.rules.REFUSALS}
    matches = with_leavers(game.slug)
    moves = {move for case in matches for state in case.states for move in case.rules.legal_moves(state)}
    rng, made = Random(game.slug), {}
    for case in matches:
        for state in rng.sample(case.states, min(len(case.states), 10)):
            for action in [
                *moves,
                *map(Leave, range(-1, case.seats + 1)),
                Roll(()),
                Roll((1,)),
                Roll((9,) * 9),
            ]:
                try:
                    game.rules.play(state, action)
                except IllegalMove as error:
                    made[error.code] = error.sentence
    assert made.items() <= listed.items()


@every_game
def test_every_listed_code_is_made_somewhere_and_every_code_made_is_listed(game):
    made = {call.args[0].value for call in calls_in_rules(game, "refused")}
    assert made - set(SHARED_REFUSALS) == set(game.rules.REFUSALS)
    assert not set(game.rules.REFUSALS) & {*SHARED_REFUSALS, Unparseable("").code}


@every_game
def test_every_sentence_is_marked_for_translators(game):
    marked = {call.args[0].value for call in calls_in_rules(game, "gettext_noop")}
    guide = [(section.heading, *section.body) for section in game.rules.GUIDE]
    told = [text for texts in guide for each in texts for text in ([each] if isinstance(each, str) else each)]
    assert set(told) | set(game.rules.REFUSALS.values()) <= marked


def calls_in_rules(game, name):
    """The calls of a function in the files of a game's rules."""
    paths = [path for path in (ROOT / "games" / "rules").glob("*.py") if game_of(path.stem) == game.slug]
    nodes = [node for path in paths for node in ast.walk(ast.parse(path.read_text()))]
    return [node for node in nodes if isinstance(node, ast.Call) and ast.unparse(node.func) == name]


# Leaving


@every_game
def test_an_entry_says_truly_whether_dice_are_thrown(game):
    thrown = any(isinstance(action, Roll) for case in cases(game.slug) for action in case.actions)
    assert game.dice == thrown


@every_match
def test_any_seat_may_leave_at_any_time(case):
    rng = Random(case.game.slug)
    for state in rng.sample(case.states[:-1], min(len(case.states) - 1, 10)):
        for seat in range(case.seats):
            after = case.rules.play(state, Leave(seat, "time")).state
            outcome = case.rules.outcome(after)
            if case.seats == 2:
                assert (outcome.winners, outcome.reason) == ((1 - seat,), "time")
            else:
                assert outcome is None
                assert after.turn != seat


@every_match
def test_the_last_to_stay_wins(case):
    rng = Random(case.game.slug)
    seats = rng.sample(range(case.seats), case.seats)
    state = rng.choice(case.states[:-1])
    for seat in seats[:-1]:
        assert case.rules.outcome(state) is None
        state = case.rules.play(state, Leave(seat)).state
    assert case.rules.outcome(state).winners == (seats[-1],)


@for_each(lambda slug: [case for case in cases(slug) if case.seats > 2])
def test_player_who_left_never_on_turn_again(case):
    rng = Random(case.game.slug)
    state = case.rules.play(case.states[0], Leave(0)).state
    assert refusal(lambda: case.rules.play(state, Leave(0))).code == "has-left"
    while case.rules.outcome(state) is None:
        assert state.turn != 0
        state = case.rules.play(state, random_action(case.rules, state, rng)).state


@every_match
def test_a_seat_that_does_not_exist_cannot_leave(case):
    for seat in (-1, case.seats):
        assert refusal(lambda seat=seat: case.rules.play(case.states[0], Leave(seat))).code == "no-such-seat"
