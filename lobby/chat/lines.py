"""Chat lines of the lobby, of matches and of clubs. The only module that writes `ChatLine`.

`lobby.chat.match_rooms` decides who may read and write in the rooms of a match, `lobby.clubs.club_chat` in
that of a club.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from types import MappingProxyType
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import formats, timezone

from games.domain import texts
from games.domain.refusals import Refused
from games.models import Seating
from games.net.hub import hub
from games.net.limits import limiter
from games.rules.base import gettext_noop
from lobby.chat.models import LINE_LENGTH, ChatLine, Report
from lobby.commands import CommandUsed
from lobby.people import circles, preferences, relationships
from lobby.people.models import Relationship, User
from lobby.people.person import tell_in_words

NAMES = "chat.names"
"""Hub topic of all sockets with an open chat, for renamed users."""
SHOWN = 50
"""Maximum lines sent when a chat is opened."""
LIFETIMES = {ChatLine.Room.LOBBY.value: timedelta(days=7), ChatLine.Room.CLUB.value: timedelta(days=90)}
"""Lifetime of a line by the kind of its room. Lines of matches are kept with the match."""

limits = limiter(settings.CHAT_LIMIT)
"""Rate limit per user: five lines at once, then one in three seconds."""
address_limits = limiter(settings.CHAT_ADDRESS_LIMIT)
"""Rate limit per network, which a school class, or many guests, may share."""


class ChatError(Refused):
    """A refused chat line."""


class ChatOff(ChatError):
    """The site has no chat."""

    code, status = "chat-off", 403
    sentence = gettext_noop("There is no chat on this site.")


class SignedOut(ChatError):
    """Visitors cannot write."""

    code, status = "signed-out", 403
    sentence = gettext_noop("Log in or play as a guest to chat.")


class Banned(ChatError):
    """The author is banned."""

    code, status = "banned", 403
    sentence = gettext_noop("You cannot write here right now.")


class Muted(ChatError):
    """A moderator keeps the user out of all chats until a time."""

    code, status = "muted", 403
    sentence = gettext_noop("You cannot write in chats until %(end)s. Reason: %(reason)s")


class PublishingMuted(Muted):
    """A muted user writes text that others see, other than chat."""

    sentence = gettext_noop(
        "You are muted until %(end)s and cannot write anything that others see. Reason: %(reason)s"
    )


class Empty(ChatError):
    """The message has no text."""

    code, status = "empty", 422
    sentence = gettext_noop("Write a message first.")


class TooLong(ChatError):
    """The message is longer than `most` characters."""

    code, status = "too-long", 422
    sentence = gettext_noop("A message can have at most %(most)d characters.")


class TooFast(ChatError):
    """The author is above CHAT_LIMIT."""

    code, status = "too-fast", 429
    sentence = gettext_noop("Too fast. Wait a few seconds, then send it again.")
    headers = settings.CHAT_LIMIT.retry_after


@dataclass(frozen=True, slots=True)
class Room:
    """The lobby's chat, one of the two of a match, or that of a club."""

    kind: str
    match_id: str | None = None
    club_id: str | None = None

    @classmethod
    def of(cls, line: ChatLine) -> Room:
        """The room of a line."""
        return cls(line.room, line.match_id, line.club_id)

    @property
    def topic(self) -> str:
        """The hub topic of the room; one for all languages."""
        return ".".join(filter(None, ("chat", self.match_id, self.kind, self.club_id)))

    def lines(self) -> QuerySet[ChatLine]:
        """All stored lines."""
        if self.club_id is not None:
            return ChatLine.objects.filter(club=self.club_id)
        return ChatLine.objects.filter(match=self.match_id, room=self.kind)

    def recent_lines(self) -> QuerySet[ChatLine]:
        """The lines that have not expired."""
        kept = LIFETIMES.get(self.kind)
        return self.lines() if kept is None else self.lines().filter(at__gt=timezone.now() - kept)


LOBBY = Room(ChatLine.Room.LOBBY.value)


def author_refusal(person: User, *, talk: bool) -> ChatError | None:
    """Why a person may not write text that others see; None if they may.

    Every service that stores such text asks this, or `check_author`
    (tests/architecture/test_entered_texts.py).

    Args:
        talk: whether the text is a message to others, which there is none of on a site without chat. Others
            are names and descriptions.
    """
    if talk and not settings.CHAT:
        return ChatOff()
    if not person.is_active:
        return Banned()
    muted = mute_of(person)
    return muted if muted is None or talk else PublishingMuted(**muted.params)


def check_author(person: User, *, talk: bool = False) -> None:
    """Refuse text by a person who may not write what others see, see `author_refusal`.

    Raises:
        ChatError: "chat-off", "banned" or "muted".
    """
    refused = author_refusal(User.objects.get(pk=person.pk), talk=talk)
    if refused is not None:
        raise refused


def mute_of(person: User) -> Muted | None:
    """The refusal that a user gets who is muted now; None for others."""
    if person.muted_until is None or person.muted_until <= timezone.now():
        return None
    return Muted(end=end_in_words(person.muted_until), reason=person.mute_reason)


def mute_fields(person: User) -> dict[str, Any] | None:
    """A user's mute as sent to their pages (`lobby.sockets.messages.MuteFields`); None if not muted."""
    muted = mute_of(person)
    if muted is None:
        return None
    assert person.muted_until is not None
    left = person.muted_until - timezone.now()
    return {"words": muted.words, "left": max(0, int(left / timedelta(milliseconds=1)))}


def tell_mute(person: User) -> None:
    """Show a mute, or its end, on the user's open pages, after the commit."""
    tell_in_words(person.pk, lambda: {"type": "muted", "muted": mute_fields(person)})


def end_in_words(when: datetime) -> str:
    """The end of a mute or a ban, as text in the active language."""
    return f"{formats.date_format(when, 'DATETIME_FORMAT')} UTC"


def say(
    user_id: int | None, command: str, text: str, room: Room = LOBBY, preset: str = "", address: str = ""
) -> int:
    """Say a line in a room.

    Args:
        user_id: the speaker; None for a visitor.
        command: idempotency key made by the client.
        text: the line.
        room: the room; the caller checks that the user may write there.
        preset: the key of a preset, which readers see in their own language instead of `text`.
        address: the user's network (`games.net.limits.network`), if known.

    Returns:
        The id of the line.

    Raises:
        ChatError: "chat-off", "signed-out", "banned", "muted", "empty", "too-long" or "too-fast".
        CommandUsed: the command said something else.
        ClassOnly: a pupil speaks where others listen.
    """
    if not settings.CHAT:
        raise ChatOff
    speaker = None if user_id is None else User.objects.filter(pk=user_id).first()
    if speaker is None:
        raise SignedOut
    line = ChatLine(user=speaker, command=command, text=texts.cleaned(text), preset=preset)
    line.room, line.match_id, line.club_id = room.kind, room.match_id, room.club_id
    if (said := _said_before(line)) is not None:
        return said
    refused = author_refusal(speaker, talk=True)
    if refused is not None:
        raise refused
    if room.kind != ChatLine.Room.PLAYERS:
        circles.check_stranger(speaker)
    _check(line.text)
    now = time.monotonic()
    if not limits.take(str(speaker.pk), now) or (address and not address_limits.take(address, now)):
        raise TooFast
    return _said(line, room)


def latest(user_id: int | None, room: Room = LOBBY) -> dict[str, Any]:
    """The first message for a user who opens the chat of a room (`lobby.sockets.messages.Chat`)."""
    return {"type": "chat", "lines": last_lines(user_id, room), **wanted_by(user_id)}


def last_lines(user_id: int | None, room: Room) -> list[dict[str, Any]]:
    """The last lines of a room for a user, without silenced speakers, oldest first."""
    if not settings.CHAT:
        return []
    lines = room.recent_lines().filter(hidden=False).select_related("user")
    if user_id is not None:
        unwanted = Relationship.objects.filter(user=user_id, kind__in=relationships.SILENCING).values("other")
        lines = lines.exclude(user__in=unwanted)
        heard = _heard_by(user_id)
        lines = lines if heard is None else lines.filter(user__username__in=heard)
    last = list(reversed(lines.order_by("-pk")[:SHOWN]))
    called = _called(room, [line.user for line in last])
    return [fields(line, called) for line in last]


def _called(room: Room, authors: Iterable[User]) -> dict[int, str]:
    """The names, by user, of authors who are called otherwise in the match of the room than on the site."""
    guests = {author.pk for author in authors if author.first_name}
    if room.match_id is None or not guests:
        return {}
    seats = Seating.objects.filter(match=room.match_id, user__in=guests).exclude(name="")
    return dict(seats.values_list("user", "name"))


def wanted_by(user_id: int | None) -> dict[str, Any]:
    """Whose lines a user wants to read.

    Returns:
        "silenced", the names of users whose lines are hidden, and "heard", the names (including the user's
        own) of the only users whose lines are shown, or None for all.
    """
    if user_id is None:
        return {"silenced": [], "heard": None}
    return {"silenced": relationships.silenced_names(user_id), "heard": _heard_by(user_id)}


def _heard_by(user_id: int) -> list[str] | None:
    reader = User.objects.get(pk=user_id)
    wanted = preferences.of(reader)["chat"]
    if wanted == preferences.EVERYONE:
        return None
    others = relationships.followed_names(user_id) if wanted == preferences.FOLLOWED else []
    return [reader.username, *others]


def fields(line: ChatLine, called: Mapping[int, str] = MappingProxyType({})) -> dict[str, Any]:
    """A line as sent to browsers; in a match with room, preset, and what its author is called there."""
    told = {"id": line.pk, "name": line.user.get_username(), "text": line.text, "at": line.at.isoformat()}
    if line.match_id is None:
        return told
    return {
        **told,
        "room": line.room,
        "preset": line.preset or None,
        "called": called.get(line.user_id),
    }


def _new_line(line: ChatLine) -> dict[str, Any]:
    """The message with a line that readers do not have yet."""
    return {"type": "line", "line": fields(line, _called(Room.of(line), [line.user]))}


@transaction.atomic
def set_hidden(line: ChatLine, hidden: bool) -> None:
    """Hide a line from all readers, or show it again (`lobby.moderation`)."""
    line.hidden = hidden
    line.save(update_fields=["hidden"])
    gone = {"type": "line-gone", "id": line.pk}
    _tell(Room.of(line).topic, gone if hidden else _new_line(line))


def forget(user_id: int) -> None:
    """Delete the lines of a user whose account is deleted, except reported ones, for the moderators."""
    ChatLine.objects.filter(user=user_id, report=None).delete()


def tell_renamed(user: User, before: str) -> None:
    """Show a user's lines under the new name, wherever they are open."""
    if user.username != before:
        _tell(NAMES, {"type": "renamed", "old": before, "new": user.get_username()})


def _check(words: str) -> None:
    if not words:
        raise Empty
    if len(words) > LINE_LENGTH:
        raise TooLong(most=LINE_LENGTH)


def _said_before(line: ChatLine) -> int | None:
    """The id of the stored line with the same command, None if there is none. Raises `CommandUsed`."""
    said = ChatLine.objects.filter(user=line.user, command=line.command).first()
    if said is None:
        return None
    # The words of a preset depend on the version of the site.
    same = ("room", "match_id", "club_id", "preset", *(() if line.preset else ("text",)))
    if any(getattr(said, name) != getattr(line, name) for name in same):
        raise CommandUsed
    return said.pk


@transaction.atomic
def _said(line: ChatLine, room: Room) -> int:
    try:
        with transaction.atomic():
            line.save(force_insert=True)
    except IntegrityError:
        # The same command came over two connections at once.
        if (said := _said_before(line)) is None:
            raise
        return said
    if room.kind in LIFETIMES:
        _purge(room)
    _tell(room.topic, _new_line(line))
    return line.pk


def _purge(room: Room) -> None:
    """Delete old lines of a room, except those in open reports."""
    waiting = Report.objects.filter(verdict=Report.Verdict.OPEN, line__isnull=False)
    old = room.lines().filter(at__lt=timezone.now() - LIFETIMES[room.kind])
    old.exclude(pk__in=waiting.values("line")).delete()


def _tell(topic: str, message: dict[str, Any]) -> None:
    transaction.on_commit(partial(hub.announce, topic, message), robust=True)
