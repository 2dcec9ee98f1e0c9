"""The declared schema of every server message, to validate examples and real messages."""

from typing import Any, get_args

from pydantic import TypeAdapter
from typing_extensions import get_type_hints

from games.domain import messages as match_messages
from games.watch import board_messages
from lobby.api import messages
from lobby.sockets import messages as lobby_messages


def _by_type(outgoing: Any) -> dict[str, TypeAdapter[Any]]:
    return {
        get_args(get_type_hints(message)["type"])[0]: TypeAdapter(message) for message in get_args(outgoing)
    }


MATCH = _by_type(match_messages.Outgoing)
PERSONAL = _by_type(lobby_messages.Personal | match_messages.Error)
WATCH = _by_type(board_messages.Outgoing | match_messages.Error)
LOBBY = _by_type(lobby_messages.Outgoing | match_messages.Error)
CHAT = _by_type(lobby_messages.MatchTalk | match_messages.Error)
CLUB = _by_type(lobby_messages.ClubTalk | match_messages.Error)
STUDY = _by_type(lobby_messages.StudyTalk | match_messages.Error)
EVENTS = _by_type(
    messages.Hello
    | messages.Event
    | lobby_messages.Turn
    | lobby_messages.Pairing
    | lobby_messages.CallMade
    | lobby_messages.CallOver
    | lobby_messages.NextMatch
    | match_messages.Error
)


def check(message: dict[str, Any], shapes: dict[str, TypeAdapter[Any]]) -> None:
    """Raise ValueError unless the message is one of `shapes`, with exactly its fields."""
    shapes[message["type"]].validate_python(message, strict=True, extra="forbid")
