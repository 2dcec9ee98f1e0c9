"""Messages between two accounts. The only module that writes `Message` and `Conversation`."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from games.domain import texts
from games.domain.refusals import Refused
from games.models import Seating
from games.net.limits import limiter
from games.rules.base import gettext_noop
from lobby.chat import lines
from lobby.chat.lines import Banned, ChatOff, SignedOut
from lobby.commands import CommandUsed
from lobby.inbox import signals
from lobby.inbox.models import MESSAGE_LENGTH, Conversation, Message
from lobby.people import preferences, relationships
from lobby.people.models import Relationship, User
from lobby.people.person import tell

SHOWN = 30
"""Messages of a page."""

NAMED = 10
"""Maximum names in an e-mail."""

limits = limiter(settings.MESSAGE_LIMIT)
"""Rate limit of messages per user."""

PARAGRAPHS = re.compile(r"\n{3,}")


class MessageError(Refused):
    """A refused message; nothing was stored."""


class NoAccount(MessageError):
    """Guests and visitors cannot write messages."""

    code, status = "no-account", 403
    sentence = gettext_noop("Sign up to write messages.")


class Oneself(MessageError):
    """The author and the reader are the same user."""

    code, status = "oneself", 400
    sentence = gettext_noop("You cannot do that to yourself.")


class NotAccepted(MessageError):
    """The recipient does not want messages from the sender, or one of them blocks the other."""

    code, status = "not-accepted", 403
    sentence = gettext_noop("You cannot write to %(name)s.")


class Empty(MessageError):
    """The message has no text."""

    code, status = "empty", 422
    sentence = gettext_noop("Write a message first.")


class TooLong(MessageError):
    """The message is longer than `most` characters."""

    code, status = "too-long", 422
    sentence = gettext_noop("A message can have at most %(most)d characters.")


class TooFast(MessageError):
    """The author is above MESSAGE_LIMIT."""

    code, status = "too-fast", 429
    sentence = gettext_noop("Too many messages. Wait a minute, then send it again.")
    headers = settings.MESSAGE_LIMIT.retry_after


class TooManyConversations(MessageError):
    """The author has begun too many conversations today."""

    code, status = "too-many-conversations", 429
    sentence = gettext_noop("You have written to many new people today. Please try again tomorrow.")
    headers = {"Retry-After": "3600"}


@dataclass(frozen=True, slots=True)
class Entry:
    """A conversation in the list of its owner; `last` is None if the last message was hidden or deleted."""

    other: User
    last: Message | None
    unread: bool


def send(sender_id: int | None, other: User, command: str, text: str) -> Message:
    """Send a message.

    Args:
        sender_id: the sender; None for a visitor.
        other: the recipient.
        command: idempotency key made by the client.
        text: the message, of several lines.

    Returns:
        The message, with both users.

    Raises:
        Refused: "chat-off", "signed-out", "no-account", "oneself", "banned", "muted", "not-accepted",
            "empty", "too-long", "too-fast", "too-many-conversations" or "command-used" for another message.
    """
    if sender_id is None:
        raise SignedOut
    return _said(sender_id, other, command, text) or _sent(sender_id, other, command, text)


def _said(sender_id: int, other: User, command: str, text: str) -> Message | None:
    """The message of a command that was carried out before. Raises `CommandUsed`."""
    said = Message.objects.filter(sender=sender_id, command=command).select_related("sender", "recipient")
    message = said.first()
    if message is not None and (message.recipient_id, message.text) != (other.pk, _cleaned(text)):
        raise CommandUsed
    return message


@transaction.atomic
def _sent(sender_id: int, other: User, command: str, text: str) -> Message:
    # Lock both in the order of their ids: a block, or the same command at the same moment, waits.
    pair = User.objects.select_for_update().filter(pk__in=[sender_id, other.pk]).order_by("pk")
    users = {user.pk: user for user in pair}
    if sender_id not in users:
        raise SignedOut
    sender, recipient = users[sender_id], users.get(other.pk, other)
    said = _said(sender_id, recipient, command, text)
    if said is not None:
        return said
    refused = refusal(sender, recipient)
    if refused is not None:
        raise refused
    words = _checked(text)
    known = Conversation.objects.filter(user=sender, other=recipient).exists()
    if not known and _begun_today(sender) >= settings.CONVERSATIONS_PER_DAY:
        raise TooManyConversations
    if not limits.take(str(sender.pk), time.monotonic()):
        raise TooFast
    message = Message.objects.create(sender=sender, recipient=recipient, text=words, command=command)
    _note(sender, recipient, {"latest": message.pk, "read": message.pk}, begun=not known)
    _note(recipient, sender, {"latest": message.pk}, begun=False)
    for user in (sender, recipient):
        told = {"type": "message", "message": fields(message), "unread": unread(user.pk)}
        transaction.on_commit(partial(tell, user.pk, told), robust=True)
    signals.message_sent(message)
    return message


def refusal(sender: User, other: User) -> Refused | None:
    """Why a user cannot write to another at the moment; None if they can."""
    if not settings.CHAT:
        return ChatOff()
    if sender.is_guest:
        return NoAccount()
    if not sender.is_active:
        return Banned()
    if sender.pk == other.pk:
        return Oneself()
    if other.computer or other.is_guest or other.is_deleted or not _accepts(other, sender):
        return NotAccepted(name=other.get_username())
    return lines.author_refusal(sender, talk=True)


def _accepts(other: User, sender: User) -> bool:
    """Whether a user accepts messages from another. Who was written to can answer, whatever the setting."""
    if relationships.apart(sender.pk, other.pk):
        return False
    wanted = preferences.of(other)["messages"]
    if wanted == preferences.EVERYONE or Message.objects.filter(sender=other, recipient=sender).exists():
        return True
    return wanted == preferences.KNOWN and (
        "follow" in relationships.kinds_to(other.pk, sender.pk) or _have_played(sender, other)
    )


def _have_played(one: User, other: User) -> bool:
    return Seating.objects.filter(user=one, match__seatings__user=other).exists()


def _begun_today(user: User) -> int:
    day = timezone.now() - timedelta(days=1)
    return Conversation.objects.filter(user=user, begun=True, created__gt=day).count()


def _cleaned(text: str) -> str:
    return PARAGRAPHS.sub("\n\n", "\n".join(map(texts.cleaned, text.splitlines()))).strip()


def _checked(text: str) -> str:
    words = _cleaned(text)
    if not words:
        raise Empty
    if len(words) > MESSAGE_LENGTH:
        raise TooLong(most=MESSAGE_LENGTH)
    return words


def _note(user: User, other: User, numbers: dict[str, int], begun: bool) -> None:
    Conversation.objects.update_or_create(
        user=user, other=other, defaults=numbers, create_defaults={**numbers, "begun": begun}
    )


# Reading


def between(reader: User, other: User) -> QuerySet[Message]:
    """All messages of two users that the reader may see, with both users, oldest first."""
    pair = Q(sender=reader, recipient=other) | Q(sender=other, recipient=reader)
    return Message.objects.filter(pair, hidden=False).select_related("sender", "recipient")


def page(reader: User, other: User, before: int | None = None) -> tuple[list[Message], int | None]:
    """A page of messages, oldest first.

    Args:
        reader: the user who reads.
        other: the other user.
        before: only messages with lower numbers; None for the newest.

    Returns:
        The messages, and what to give as `before` for the page of older ones; None if there are none.
    """
    found = between(reader, other)
    if before is not None:
        found = found.filter(pk__lt=before)
    newest = list(found.order_by("-pk")[: SHOWN + 1])
    shown = newest[SHOWN - 1 :: -1] if len(newest) > SHOWN else newest[::-1]
    return shown, shown[0].pk if len(newest) > SHOWN else None


def of(user: int | OuterRef) -> QuerySet[Conversation]:
    """A user's conversations, the newest first; without people whom the user mutes or blocks."""
    silenced = Relationship.objects.filter(
        user=OuterRef("user"), other=OuterRef("other"), kind__in=relationships.SILENCING
    )
    mine = Conversation.objects.filter(~Exists(silenced), user=user)
    return mine.select_related("other").order_by("-latest")


def entries(user: User, conversations: Iterable[Conversation]) -> list[Entry]:
    """Conversations of a user with their last messages, by one query for all of them."""
    found = list(conversations)
    numbers = [each.latest for each in found]
    visible = Message.objects.filter(pk__in=numbers, hidden=False).select_related("sender", "recipient")
    last = {message.pk: message for message in visible}
    unread = _unread(of(user.pk).filter(pk__in=[each.pk for each in found]))
    fresh = set(unread.values_list("pk", flat=True))
    return [Entry(each.other, last.get(each.latest), each.pk in fresh) for each in found]


def unread_of(user: int | OuterRef) -> QuerySet[Conversation]:
    """A user's conversations with unread messages."""
    return _unread(of(user))


def unread(user_id: int) -> int:
    """The number of a user's conversations with unread messages."""
    return unread_of(user_id).count()


def unread_names(user_id: int) -> list[str]:
    """Whose messages a user has not read, the newest first; at most `NAMED`."""
    return [each.other.get_username() for each in unread_of(user_id)[:NAMED]]


def _unread(conversations: QuerySet[Conversation]) -> QuerySet[Conversation]:
    new = Message.objects.filter(
        sender=OuterRef("other"), recipient=OuterRef("user"), pk__gt=OuterRef("read"), hidden=False
    )
    return conversations.filter(Exists(new), latest__gt=F("read"))


def read(user: User, other: User) -> None:
    """Note that a user has seen all messages of another; tells the user's open pages."""
    seen = Conversation.objects.filter(user=user, other=other, read__lt=F("latest"))
    if seen.exists() and seen.update(read=F("latest")):
        _tell_unread(user.pk)


def fields(message: Message) -> dict[str, Any]:
    """A message as sent to pages and programs (`lobby.sockets.messages.MessageFields`)."""
    return {
        "id": message.pk,
        "sender": message.sender.get_username(),
        "recipient": message.recipient.get_username(),
        "text": message.text,
        "at": message.at.isoformat(),
    }


# For moderators, and for accounts that go


@transaction.atomic
def set_hidden(message: Message, hidden: bool) -> None:
    """Hide a message from both users, or show it again (`lobby.moderation`)."""
    message.hidden = hidden
    message.save(update_fields=["hidden"])
    for user_id in (message.sender_id, message.recipient_id):
        if hidden:
            gone = {"type": "message-gone", "id": message.pk}
            transaction.on_commit(partial(tell, user_id, gone), robust=True)
        _tell_unread(user_id)


def export(user: User) -> list[dict[str, Any]]:
    """All messages of a user for the export; without those of others that a moderator has hidden."""
    mine = Q(sender=user) | Q(recipient=user, hidden=False)
    return [fields(each) for each in Message.objects.filter(mine).select_related("sender", "recipient")]


def forget(user_id: int) -> None:
    """Delete the messages and conversations of a user whose account is deleted.

    Reported messages stay for the moderators, hidden. What others have written to the user stays theirs.
    """
    readers = list(_unread(Conversation.objects.filter(other=user_id)).values_list("user", flat=True))
    sent = Message.objects.filter(sender=user_id)
    sent.filter(report=None).delete()
    sent.update(hidden=True)
    Conversation.objects.filter(user=user_id).delete()
    answered = Message.objects.filter(sender=OuterRef("user"), recipient=user_id)
    Conversation.objects.filter(~Exists(answered), other=user_id).delete()
    for reader_id in readers:
        _tell_unread(reader_id)


def silenced(user: User) -> None:
    """Tell a user's open pages what is unread now that other people are muted or blocked."""
    _tell_unread(user.pk)


def _tell_unread(user_id: int) -> None:
    told = {"type": "unread", "unread": unread(user_id)}
    transaction.on_commit(partial(tell, user_id, told), robust=True)
