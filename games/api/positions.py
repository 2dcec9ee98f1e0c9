"""The rules without a match: what is legal at a position, and what a move leads to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router
from typing_extensions import TypedDict

from games.api.access import anybody
from games.api.routes import UnknownGame, answer
from games.domain import codec, position
from games.domain.messages import OutcomeFields
from games.domain.options import preset_of
from games.domain.position import MOST_CHARACTERS, Position
from games.registry import GAMES, Game
from games.rules.base import BadPosition, Roll, check_field

MOST_DICE = 100
"""As in match files; no game rolls so many at once."""

router = Router()

Text = Annotated[str, Query(max_length=MOST_CHARACTERS, description="The position.")]
NotationName = Annotated[
    str, Query(max_length=20, description="The program whose notation the position has; empty for Parlour’s.")
]
GameOfText = Annotated[str, Query(max_length=50, description="The game, where the notation does not say it.")]
PresetOfText = Annotated[str, Query(max_length=50, description="The preset, likewise; the first by default.")]
MoveText = Annotated[str, Query(max_length=32, description="The move; empty for a roll.")]
Faces = Annotated[list[int], Query(max_length=MOST_DICE, description="The dice, if a roll is due.")]


class DueDice(TypedDict):
    """How many dice are about to be rolled, and how many sides they have."""

    count: int
    sides: int


class ProvedFields(TypedDict):
    """The proved result for the seat to move, with best play: 1 is a win, 0 a draw, -1 a loss.

    `score` is the lead at the end, null in games without points; `turns` is how many turns of both sides the
    match takes, null where it is not known.
    """

    result: int
    score: int | None
    turns: int | None


class PositionFields(TypedDict):
    """A position. `preset` is null for custom options.

    Seat `turn` plays one of the `legal` moves, or the `dice` are rolled, or the match is over with an
    `outcome`. `value` is null where it is not proved. `notations` is the position as other programs write
    it, by program.
    """

    position: str
    game: str
    preset: str | None
    options: dict[str, Any]
    seats: int
    turn: int
    state: dict[str, Any]
    legal: list[str]
    dice: DueDice | None
    outcome: OutcomeFields | None
    value: ProvedFields | None
    notations: dict[str, str]


class StepFields(TypedDict):
    """What a move or a roll did: the `events`, and the position `after` it."""

    events: list[dict[str, Any]]
    after: PositionFields


@router.get("/position", auth=anybody, response=PositionFields, tags=["Positions"], summary="A position")
def one_position(
    request: HttpRequest,
    position: Text,
    notation: NotationName = "",
    game: GameOfText = "",
    preset: PresetOfText = "",
) -> HttpResponse:
    """A position: whose turn it is, and the legal moves. No match is needed."""
    return answer(fields(_read(position, notation, game, preset)))


@router.get(
    "/position/move", auth=anybody, response=StepFields, tags=["Positions"], summary="The result of a move"
)
def move_at_position(  # noqa: PLR0913 - the parameters of the address
    request: HttpRequest,
    position: Text,
    move: MoveText = "",
    dice: Faces = [],  # noqa: B006 - how ninja is told
    notation: NotationName = "",
    game: GameOfText = "",
    preset: PresetOfText = "",
) -> HttpResponse:
    """What a move leads to, or a roll: you choose the faces of the dice. Nothing is stored."""
    before = _read(position, notation, game, preset)
    rules = before.game.rules
    step = rules.play(before.state, Roll(tuple(dice)) if dice else rules.parse(move))
    after = Position(before.game, step.state, before.seats)
    return answer({"events": [codec.encode_event(event) for event in step.events], "after": fields(after)})


def _read(text: str, notation: str, slug: str, preset: str) -> Position:
    if not notation:
        return position.parse(text)
    game = GAMES.get(slug)
    if game is None:
        raise UnknownGame
    presets = game.rules.PRESETS
    check_field(not preset or preset in presets, "preset")
    return position.of_notation(game, notation, text, presets.get(preset))


def fields(told: Position) -> dict[str, Any]:
    """A position as `PositionFields`."""
    game, state = told.game, told.state
    return {
        "position": str(told),
        "game": game.slug,
        "preset": preset_of(game, state.options),
        "options": state.options,
        "seats": told.seats,
        "turn": state.turn,
        "state": state,
        "legal": [str(move) for move in game.rules.legal_moves(state)],
        "dice": game.rules.chance(state),
        "outcome": game.rules.outcome(state),
        "value": position.proved(told),
        "notations": dict(_elsewhere(game, state)),
    }


def _elsewhere(game: Game, state: Any) -> Iterator[tuple[str, str]]:
    for name, notation in game.notations.items():
        try:
            yield name, notation.write(state)
        except BadPosition:
            # The other program has no such position.
            continue
