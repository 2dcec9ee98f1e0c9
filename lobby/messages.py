"""Every message a browser may send to the lobby socket, and the one place that parses them.

What it is told is made in `lobby.news`; docs/protocol.md describes both.
"""

from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter


class _Message(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class ListRequest(_Message):
    """Send the whole list: a change is missing."""

    type: Literal["list"]


class Ping(_Message):
    """Is anybody there? `t` comes back unchanged."""

    type: Literal["ping"]
    t: float


Incoming: TypeAlias = ListRequest | Ping

incoming: TypeAdapter[Incoming] = TypeAdapter(Annotated[Incoming, Field(discriminator="type")])
