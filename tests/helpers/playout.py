"""Random matches of any game, for whoever needs a match that was really played."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from games.bots.any_game import random_action
from games.registry import Game
from games.rules.base import BadOptions, Leave, Rules, choices_of

MOST_PLIES = 20_000
"""No random match of any game here comes near it."""


def random_playout(
    game: Game, options: Any, seats: int, rng: Random, *, leaving: float = 0
) -> tuple[list[Any], list[Any]]:
    """Play at random to the end.

    Args:
        leaving: the chance before each ply that some seat, on turn or not, leaves.

    Returns:
        All states from the first to the last, and the actions between them.
    """
    rules, stayed = game.rules, list(range(seats))
    states, actions = [rules.setup(options, seats, rng.randrange(seats))], []
    while rules.outcome(states[-1]) is None:
        if rng.random() < leaving:
            action: Any = Leave(stayed.pop(rng.randrange(len(stayed))))
        else:
            action = random_action(rules, states[-1], rng)
        actions.append(action)
        states.append(rules.play(states[-1], action).state)
        assert len(actions) < MOST_PLIES, f"{game.slug} does not end with {options}"
    return states, actions


def option_sets(rules: Rules, rng: Random, drawn: int = 8) -> Iterator[tuple[str, Any]]:
    """Every preset, and some more sets drawn from all that the rules accept, each with a name."""
    yield from rules.PRESETS.items()
    choices = choices_of(rules.Options)
    for number in range(drawn):
        options = rules.Options(**{choice.name: rng.choice(choice.choices) for choice in choices})
        try:
            rules.setup(options, rules.SEATS[0])
        except BadOptions:
            # Some games refuse certain combinations of their options.
            continue
        yield f"drawn-{number}", options
