"""The two chat rooms of a match: the players' and the spectators'.

Spectators may see more of the board than a player, so players can read the spectators' room only after the
match; spectators can never read the players'. After the match players may also write in the spectators'
room, but for delayed spectators only once they know of the end: a "Thanks" would reveal it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.utils import timezone

from games.domain.refusals import UnknownMatch
from games.models import Match, Seating
from games.rules.base import gettext_noop
from games.watch import visibility
from games.watch.visibility import PlayersOnly
from lobby.chat import lines
from lobby.chat.lines import ChatError, Room
from lobby.chat.models import ChatLine

PLAYERS = ChatLine.Room.PLAYERS.value
WATCHERS = ChatLine.Room.WATCHERS.value

PRESETS = {
    "hello": gettext_noop("Hello"),
    "good-luck": gettext_noop("Good luck"),
    "well-played": gettext_noop("Well played"),
    "good-game": gettext_noop("Good game"),
    "thanks": gettext_noop("Thanks"),
}
"""Sentences to say with one click. The key is stored, so that readers see them in their language."""


class NoChatHere(ChatError):
    """The match was begun without chat."""

    code, status = "no-chat-here", 403
    sentence = gettext_noop("This match has no chat.")


class NotYourRoom(ChatError):
    """The author can read the room but not write in it."""

    code, status = "not-your-room", 403
    sentence = gettext_noop("You cannot write here right now.")


class UnknownPreset(ChatError):
    """The site no longer has this quick message."""

    code, status = "unknown-preset", 422
    sentence = gettext_noop("This quick message no longer exists. Please reload the page.")


@dataclass(frozen=True, slots=True)
class Standing:
    """A user's rights in the chat of a match.

    Attributes:
        read: the rooms that the user may read.
        speak: the rooms in which the user may write.
        lasting: whether these are final.
    """

    read: tuple[str, ...]
    speak: tuple[str, ...]
    lasting: bool


def standing(match_id: str, user_id: int | None, now: datetime) -> Standing:
    """A user's rights in the chat of a match at a time. Raises `UnknownMatch` or `PlayersOnly`."""
    match = Match.objects.filter(pk=match_id).first()
    if match is None:
        raise UnknownMatch(match_id)
    if match.holder_id is not None or not match.chat or not settings.CHAT:
        # A hot-seat match, or the chat is off for this match or this site.
        view = visibility.view_of(match, user_id)
        view.check()
        return Standing((), (), lasting=not view.admitted)
    if user_id is not None and Seating.objects.filter(match=match, user=user_id).exists():
        return _of_player(match, now)
    view = visibility.view_of(match, user_id)
    view.check()
    if not visibility.spectator_access(match).allowed:
        return Standing((), (), lasting=not view.admitted)
    return Standing((WATCHERS,), () if user_id is None else (WATCHERS,), lasting=True)


def _of_player(match: Match, now: datetime) -> Standing:
    both, others = (PLAYERS, WATCHERS), visibility.spectator_access(match)
    if not others.allowed:
        return Standing((PLAYERS,), (PLAYERS,), lasting=True)
    if match.ended is None:
        return Standing((PLAYERS,), (PLAYERS,), lasting=False)
    if others.then(now) < match.ended:
        return Standing(both, (PLAYERS,), lasting=False)
    return Standing(both, both, lasting=True)


def may_read(line: ChatLine, user_id: int | None) -> bool:
    """Whether a user may read the room of a line."""
    if line.match_id is None:
        return True
    try:
        return line.room in standing(line.match_id, user_id, timezone.now()).read
    except PlayersOnly:
        return False


def rooms(match_id: str, user_id: int | None, where: Standing) -> dict[str, Any]:
    """All lines that a user may read at a match (`lobby.sockets.messages.Rooms`)."""
    return {
        "type": "rooms",
        "read": where.read,
        "speak": where.speak,
        "lines": [line for kind in where.read for line in lines.last_lines(user_id, Room(kind, match_id))],
        **lines.wanted_by(user_id),
    }


def say(match_id: str, user_id: int | None, command: str, kind: str, text: str, address: str = "") -> int:
    """Say a line in a room of a match; returns its id (`lobby.chat.lines.say`).

    Raises `ChatError` ("no-chat-here", "not-your-room", or as in the lobby), `UnknownMatch` or `PlayersOnly`.
    """
    return lines.say(user_id, command, text, _open_room(match_id, user_id, kind), address=address)


def _open_room(match_id: str, user_id: int | None, kind: str) -> Room:
    """The room of a match, if a user may speak there."""
    if user_id is not None and kind not in standing(match_id, user_id, timezone.now()).speak:
        silent = Match.objects.filter(pk=match_id, chat=False).exists()
        raise NoChatHere if silent and settings.CHAT else NotYourRoom
    return Room(kind, match_id)


def say_preset(
    match_id: str, user_id: int | None, command: str, kind: str, preset: str, address: str = ""
) -> int:
    """Say one of `PRESETS`. Raises what `say` does, and `ChatError`: "unknown-preset"."""
    if preset not in PRESETS:
        raise UnknownPreset
    return lines.say(user_id, command, PRESETS[preset], _open_room(match_id, user_id, kind), preset, address)
