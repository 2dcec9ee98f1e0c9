"""All messages of the watch socket in both directions, and the only code that parses them.

Messages to the client contain what a spectator may know of a match.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter
from typing_extensions import TypedDict

from games.domain.messages import OutcomeFields, Ping

MOST_SHOWN = 24
"""Most boards that one socket may show at once."""

MatchId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9]{1,32}$")]


class ShowRequest(BaseModel):
    """Show exactly these matches from now on."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    type: Literal["show"]
    matches: Annotated[list[MatchId], Field(max_length=MOST_SHOWN)]


Incoming: TypeAlias = ShowRequest | Ping

incoming: TypeAdapter[Incoming] = TypeAdapter(Annotated[Incoming, Field(discriminator="type")])


# To the client


class ShownFields(TypedDict):
    """A match as its small board shows it."""

    id: str
    game: str
    options: dict[str, Any]
    players: list[str]
    delay: int


class Hello(TypedDict):
    """The socket is open."""

    type: Literal["hello"]


class Shown(TypedDict):
    """The current state of a match, sent once after it was requested."""

    type: Literal["shown"]
    match: ShownFields
    ply: int
    state: dict[str, Any]
    outcome: OutcomeFields | None


class NotShown(TypedDict):
    """A match that this socket may not see, or that does not exist. Nothing more is sent about it."""

    type: Literal["not-shown"]
    match: str
    code: Literal["players-only", "unknown-match", "unavailable"]


class Board(TypedDict):
    """One ply of a shown match."""

    type: Literal["board"]
    match: str
    ply: int
    events: list[dict[str, Any]]
    state: dict[str, Any]
    outcome: OutcomeFields | None


class Pong(TypedDict):
    """The answer to a ping, with its `t`."""

    type: Literal["pong"]
    t: float


Outgoing: TypeAlias = Hello | Shown | NotShown | Board | Pong
