"""Puzzles of Nine Men's Morris and its relatives: a win, or the only defence, within a few turns.

Alpha-beta finds the values of all moves so many turns ahead. A deeper search sees to it that the other moves
do not win, and the defence does not lose, a little later.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from random import Random
from typing import NamedTuple

from games.bots import morris as player
from games.bots.morris_kernel import DEEPEST, INFINITE, PROVED
from games.domain.position import Position
from games.puzzles.collection import BLOCKADE, CAPTURE, DEFENCE, DOUBLE_MILL, RACE, Puzzle
from games.registry import GAMES
from games.rules import morris as rules
from games.rules.base import Step
from games.rules.morris import FEWEST_MEN, MEN, Milled, Removed, State
from games.rules.morris_boards import Move
from tools.puzzles import matches

SLUG = "morris"
PRESETS = ("nine", "six", "lasker", "nine", "twelve")
LEVELS = range(2, 7)
EFFORT = 0.3
CHOICE = range(3, 25)
"""The number of legal moves: two are no puzzle, and fifty are too many."""
LOST = -100
"""A man less than the opponent, in the search: a defence that leads to it may lose later."""
NODES = 60_000
"""Positions searched at first; the critical moves are then searched further."""
WINS, DEFENCES = (3, 5, 7), (2, 4, 6)
"""Turns within which a puzzle is won, or the other moves lose."""
DEFENCE_SHOWN = 3
"""Turns of a defence that are shown: it, the reply, and the next turn."""
OBVIOUS = 3
"""Within so few turns the answer must not look best at first sight."""
LINES = 100_000
"""The most lines of play within those turns, about: the second program looks at all of them."""


class Sight(NamedTuple):
    """The moves within some turns: the only good one, and whether each wins (1) or loses (-1)."""

    answer: Move
    turns: int
    worth: dict[str, int]


def candidates(seed: int) -> Iterator[Puzzle]:
    """Some puzzles of one match."""
    preset = PRESETS[seed % len(PRESETS)]
    rng = Random(f"{SLUG} {seed}")
    opening, levels = rng.randint(*matches.OPENING), rng.choices(LEVELS, k=2)
    choose = partial(player.choose, effort=EFFORT, rng=rng)
    play = matches.Play(SLUG, preset, opening, lambda state: choose(state, levels[state.turn]))
    return matches.puzzles(play, rng, of)


def of(state: State) -> Puzzle | None:
    """The puzzle that a position is, if exactly one move wins, or exactly one does not lose.

    Repetitions and quiet turns are counted from it on.
    """
    state = replace(state, quiet=0, trail="")
    moves = list(rules.legal_moves(state))
    if state.takes or len(moves) not in CHOICE:
        return None
    found = player.think(state, moves, DEEPEST, NODES, INFINITE)
    best, second = found.values[:2]
    wins, holds = best > PROVED, PROVED >= best >= -PROVED > second
    sight = within(state, found.moves, WINS if wins else DEFENCES) if wins or holds else None
    if sight is None or (sight.turns <= OBVIOUS and found.moves[0] in at_first_sight(state)):
        return None
    if holds and _by_themselves(state, found.moves[:1]) < LOST:
        return None
    steps = list(best_play(state, sight))
    return Puzzle(
        str(Position(GAMES[SLUG], state, 2)),
        themes(state, sight, [step for _, step in steps]),
        sight.turns,
        sight.worth,
        tuple(str(move) for move, _ in steps),
    )


def within(state: State, moves: list[Move], choices: tuple[int, ...]) -> Sight | None:
    """The fewest turns after which the first move is the only good one; None if it takes too many lines."""
    answer = moves[0]
    replies = max(1, len(rules.legal_moves(rules.play(state, answer).state)))
    for turns in choices:
        if len(moves) ** ((turns + 1) // 2) * replies ** (turns // 2) > LINES:
            return None
        signs = signs_of(state, moves, turns)
        others = [sign for move, sign in signs.items() if move != answer]
        if signs[answer] > max(others):
            worth = sorted(signs.items(), key=lambda each: -each[1])
            return Sight(answer, turns, {str(move): sign for move, sign in worth})
    return None


def signs_of(state: State, moves: list[Move], turns: int) -> dict[Move, int]:
    """Whether each move wins (1), loses (-1) or does neither within some turns, this one included."""
    found = player.think(state, moves, turns, player.LOOK_NODES, INFINITE, rest=0, first=turns)
    return {
        move: (value > PROVED) - (value < -PROVED)
        for move, value in zip(found.moves, found.values, strict=True)
    }


def at_first_sight(state: State) -> set[Move]:
    """The moves after which a position looks best."""
    found = player.think(state, list(rules.legal_moves(state)), 1, player.LOOK_NODES, INFINITE, 0)
    return {move for move, value in zip(found.moves, found.values, strict=True) if value == found.values[0]}


def best_play(state: State, sight: Sight) -> Iterator[tuple[Move, Step]]:
    """The best moves to the end of a win, or as long as a defence is shown."""
    wins = sight.worth[str(sight.answer)] > 0
    move, left = sight.answer, sight.turns if wins else DEFENCE_SHOWN
    while True:
        step = rules.play(state, move)
        yield move, step
        left -= step.state.turn != state.turn
        state = step.state
        if rules.outcome(state) is not None or not left:
            return
        moves = list(rules.legal_moves(state))
        move = player.think(state, moves, left if wins else sight.turns, NODES, 0, rest=0).moves[0]


def themes(state: State, sight: Sight, steps: list[Step]) -> tuple[str, ...]:
    """What the solver does in the line."""
    own = [event for step in steps for event in step.events if event.seat == state.turn]
    mills = [event for event in own if isinstance(event, Milled)]
    end = rules.outcome(steps[-1].state)
    men = [state.board.count(man) + hand for man, hand in zip(MEN, state.hand, strict=True)]
    found = {
        CAPTURE: any(isinstance(event, Removed) for event in own),
        DOUBLE_MILL: len(mills) > 1 or any(len(event.mills) > 1 for event in mills),
        BLOCKADE: end is not None and end.reason == "blocked",
        RACE: state.options.flying and FEWEST_MEN in men,
        DEFENCE: sight.worth[str(sight.answer)] == 0,
    }
    return tuple(theme for theme, is_there in found.items() if is_there)


def _by_themselves(state: State, moves: list[Move]) -> int:
    """The value of the best of some moves, searched much deeper than with all others."""
    return player.think(state, moves, DEEPEST, player.LOOK_NODES, 0).values[0]
