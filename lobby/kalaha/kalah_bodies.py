"""The bodies of the Kalaha note: what programs send, strictly, and what they are sent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, TypeAlias

import orjson
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

PLACES = 14
MOST_SEEDS = 12 * 6

Text = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_.:@-]{1,64}$")]
Number = Annotated[int, Field(ge=-(2**53), le=2**53)]
GameId: TypeAlias = Text | Number
PlayerId: TypeAlias = bool | Text | Number
"""The note says that the id of a player is a boolean; texts and numbers will do as well."""
Board = Annotated[
    list[Annotated[int, Field(ge=0, le=MOST_SEEDS)]], Field(min_length=PLACES, max_length=PLACES)
]


class _Body(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class NewGameboard(_Body):
    """Without an id the game gets one, without a board it begins with six seeds a pit."""

    id: GameId | None = None
    board: Board | None = None


class Gameboard(_Body):
    """A game by its id, and the board that the program believes it has."""

    id: GameId
    board: Board | None = None


class Player(_Body):
    id: PlayerId


class NewGame(_Body):
    """`POST /mancala/game`."""

    gameboard: NewGameboard = NewGameboard()
    player1: Player
    player2: Player


class Sowing(_Body):
    """`PUT /mancala/game/move`; `startPosition` is the index of a place, as the note numbers them."""

    gameboard: Gameboard
    startPosition: int  # noqa: N815 - the note's own spelling
    player: Player


def text_of(name: GameId | PlayerId) -> str:
    """An id as JSON, by which it is stored and compared: 1, "1" and true are three."""
    return orjson.dumps(name).decode()


def gameboard(name: str, board: Sequence[int]) -> dict[str, Any]:
    """A board of the game whose id is `name`, an id as JSON."""
    return {"id": orjson.loads(name), "board": list(board)}


def player(name: str | None) -> dict[str, Any] | None:
    """The player whose id is `name`, an id as JSON; None for nobody."""
    return None if name is None else {"id": orjson.loads(name)}
