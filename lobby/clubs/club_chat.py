"""The chat of a club, which its members read and write. `lobby.chat.lines` stores the lines."""

from __future__ import annotations

from typing import Any

from games.rules.base import gettext_noop
from lobby.chat import lines
from lobby.chat.lines import ChatError, Room
from lobby.chat.models import ChatLine
from lobby.clubs import lookup


class MembersOnly(ChatError):
    """The user is not a member of the club."""

    code, status = "members-only", 403
    sentence = gettext_noop("Only members of the club can read and write here.")


def room(club_id: str) -> Room:
    """The chat room of a club."""
    return Room(ChatLine.Room.CLUB.value, club_id=club_id)


def check(club_id: str, user_id: int | None) -> None:
    """Check that a user may read and write in the chat of a club. Raises ChatError "members-only"."""
    if user_id is None or not lookup.is_member(club_id, user_id):
        raise MembersOnly


def latest(club_id: str, user_id: int | None) -> dict[str, Any]:
    """The last lines for a member (`lobby.sockets.messages.Chat`). Raises ChatError "members-only"."""
    check(club_id, user_id)
    return lines.latest(user_id, room(club_id))


def say(club_id: str, user_id: int | None, command: str, text: str, address: str = "") -> int:
    """Say a line; returns its id.

    Raises:
        ChatError: "members-only", or what `lobby.chat.lines.say` raises.
    """
    check(club_id, user_id)
    return lines.say(user_id, command, text, room(club_id), address=address)


def may_read(line: ChatLine, user_id: int | None) -> bool:
    """Whether a user may read a line of a club."""
    return line.club_id is not None and user_id is not None and lookup.is_member(line.club_id, user_id)
