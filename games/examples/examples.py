"""The examples of each game: `<slug>.json`, the rules in the order of the guide with their examples.

A rule is known by the words that its text begins with. Pure, except for reading the files.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from games.domain import position
from games.domain.position import Position
from games.rules.base import Roll, Section, Step

FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Example:
    """A position, what is played in it, and what is expected: a position, legal moves, or a refusal.

    Attributes:
        name: what it shows, for the tests and for docs/reference/requirements.md.
        position: the position as text.
        line: the moves and the faces of the dice that are played.
        after: the position after them; "" if it is not of interest.
        legal: the legal moves after them, in any order; () if they are not of interest.
        refused: a move that is refused then; "" if there is none.
        sentence: the sentence of that refusal, in English.
    """

    name: str
    position: str
    line: tuple[str | tuple[int, ...], ...] = ()
    after: str = ""
    legal: tuple[str, ...] = ()
    refused: str = ""
    sentence: str = ""


class Rule(NamedTuple):
    """A text of the guide, by the words that it begins with, and its examples."""

    begins: str
    examples: tuple[Example, ...]


@cache
def rules_of(slug: str) -> tuple[Rule, ...]:
    """The rules of a game that have examples; none for a game without a file."""
    path = FOLDER / f"{slug}.json"
    read = orjson.loads(path.read_bytes()) if path.exists() else []
    return tuple(Rule(each["rule"], tuple(map(_example, each["examples"]))) for each in read)


def _example(fields: dict[str, Any]) -> Example:
    return Example(**{name: _frozen(value) for name, value in fields.items()})


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def texts(guide: tuple[Section, ...]) -> Iterator[str]:
    """The paragraphs and the items of lists of a guide, in order."""
    for section in guide:
        for part in section.body:
            yield from (part,) if isinstance(part, str) else part


def rule_of(slug: str, text: str) -> int | None:
    """The number of the rule that a text of the guide states; None if it has no examples."""
    found = (number for number, rule in enumerate(rules_of(slug)) if text.startswith(rule.begins))
    return next(found, None)


def played(example: Example) -> Position:
    """The position after the line. Raises `IllegalMove` if the rules refuse a part of it."""
    start = position.parse(example.position)
    rules, step = start.game.rules, Step(start.state, ())
    for action in example.line:
        step = rules.play(step.state, rules.parse(action) if isinstance(action, str) else Roll(action))
    return Position(start.game, step.state, start.seats)
