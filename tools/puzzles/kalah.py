"""Puzzles of Kalah: every move is searched to the end of the match, by alpha-beta."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from games.bots import kalah as player
from games.bots.kalah_kernel import SEED, SOLVED, Tree
from games.domain.position import Position
from games.puzzles.collection import CAPTURE, EXTRA_TURN, RACE, Puzzle
from games.registry import GAMES
from games.rules import kalah as rules
from games.rules.base import Step
from games.rules.kalah import Captured, Move, State, TurnKept, stores
from tools.puzzles import matches

SLUG = "kalah"
TO_THE_END = SOLVED - 1
"""More turns than a match takes."""
POSITIONS = player.POSITIONS_OF_A_LOOK
PRESETS = ("classic", "kalaha", "circle")
TURNS = range(2, 5)
"""How far players look ahead."""
SLIPS = 0.1
"""How often they play anything."""
CHOICE = range(3, 7)
"""The number of legal moves: two are no puzzle."""
SEEDS = 2
"""The least lead in seeds of the best move over any other, unless it is the only one that wins."""
MOST_WON_OTHERWISE = 6
"""If other moves also win by more than this, there is nothing to find."""
SEEDS_IN_PITS = 14
"""With more seeds in pits, the second program takes too long."""


def candidates(seed: int) -> Iterator[Puzzle]:
    """Some puzzles of one match."""
    preset = PRESETS[seed % len(PRESETS)]
    rng = Random(f"{SLUG} {seed}")
    turns = rng.choices(TURNS, k=2)
    opening = rng.randint(*matches.OPENING)
    play = matches.Play(SLUG, preset, opening, lambda state: choose(state, turns[state.turn], rng))
    return matches.puzzles(play, rng, of)


def choose(state: State, turns: int, rng: Random) -> Move:
    """A move of a player that looks some turns ahead."""
    found = values(state, turns)
    return rules.parse(rng.choice([*found] if rng.random() < SLIPS else best_of(found)))


def of(state: State) -> Puzzle | None:
    """The puzzle that a position is, if one move is best by far and takes more than a first look."""
    if sum(state.board) - sum(stores(state)) > SEEDS_IN_PITS or len(rules.legal_moves(state)) not in CHOICE:
        return None
    worth = {move: round(value / SEED) for move, value in values(state, TO_THE_END).items()}
    best, second = [*worth.values()][:2]
    is_clear = second <= 0 or (best - second >= SEEDS and second <= MOST_WON_OTHERWISE)
    if best <= 0 or not is_clear:
        return None
    steps = list(best_play(state))
    if steps[0][1].state.turn != state.turn and [steps[0][0]] == at_first_sight(state):
        return None
    text = str(Position(GAMES[SLUG], state, 2))
    return Puzzle(
        text, themes(state, [step for _, step in steps]), 0, worth, tuple(move for move, _ in steps)
    )


def values(state: State, turns: int) -> dict[str, int]:
    """The value of each move in sixteenths of a seed, the best first, so many turns ahead."""
    root, options = player.root_of(state, 0, POSITIONS), state.options
    # The search alone, without the tables of exact endings.
    tree = Tree(options.pits, options.sow_both_stores, options.empty_capture, 0, POSITIONS)
    found = {str(branch.move): replace(root, tree=tree).value(branch, turns) for branch in root.branches}
    assert not tree.spent
    assert turns < TO_THE_END or not tree.estimates
    return dict(sorted(found.items(), key=lambda each: -each[1]))


def best_of(found: dict[str, int]) -> list[str]:
    """The moves of the highest value."""
    return [move for move, value in found.items() if value == max(found.values())]


def at_first_sight(state: State) -> list[str]:
    """The moves that gain most until the turn passes."""
    return best_of(values(state, 1))


def best_play(state: State) -> Iterator[tuple[str, Step]]:
    """The best moves: the solver's turn, the opponent's, and the solver's next one."""
    seat, has_turned = state.turn, False
    while rules.outcome(state) is None and not (has_turned and state.turn != seat):
        before, move = state.turn, next(iter(values(state, TO_THE_END)))
        step = rules.play(state, rules.parse(move))
        yield move, step
        state = step.state
        has_turned = has_turned or (before != seat and state.turn == seat)


def themes(state: State, steps: list[Step]) -> tuple[str, ...]:
    """What the solver does in the line, and whether the match ends in it."""
    own = {type(event) for step in steps for event in step.events if event.seat == state.turn}
    ends = rules.outcome(steps[-1].state) is not None
    found = {CAPTURE: Captured in own, EXTRA_TURN: TurnKept in own, RACE: ends}
    return tuple(theme for theme, is_there in found.items() if is_there)
