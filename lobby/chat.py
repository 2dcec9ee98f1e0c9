"""What people say to everyone in the lobby. Nobody else writes chat lines."""

from __future__ import annotations

import re
import time
from datetime import timedelta
from functools import partial
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games.hub import hub
from games.limits import Buckets
from lobby import ties
from lobby.models import LINE_LENGTH, ChatLine, Report, Tie, User

TOPIC = "chat.lobby"
"""Where the hub tells what is said; lines are the same in every language."""
SHOWN = 50
"""Lines that somebody who comes gets to read."""
KEPT = timedelta(days=7)

limits = Buckets(rate=1 / 3, burst=5)
"""What one person may say: five lines at once, then one in three seconds."""

SPACE = re.compile(r"\s+")
# Neither control characters nor those that turn the direction of writing (`games.messages.PRINTABLE`),
# and no invisible ones that only make a line look empty.
UNWANTED = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff]"
)


class ChatError(Exception):
    """Something that was not said; `code` for programs, `sentence` for people."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code, self.sentence = code, sentence


def cleaned(text: str) -> str:
    """A text as one line of what can be seen, white space closed up."""
    return UNWANTED.sub("", SPACE.sub(" ", text)).strip()


def say(user_id: int | None, command: str, text: str) -> int:
    """Say something to everyone in the lobby.

    Args:
        user_id: who speaks; None for a visitor.
        command: an id made by the client. The same id again is the same line again.
        text: what they say.

    Returns:
        The number of the line.

    Raises:
        ChatError: "signed-out", "banned", "empty", "too-long" or "too-fast".
    """
    speaker = None if user_id is None else User.objects.filter(pk=user_id).first()
    if speaker is None:
        raise ChatError("signed-out", _("Only those who are signed in can speak; guests are."))
    if not speaker.is_active:
        raise ChatError("banned", _("You cannot speak here at the moment."))
    said = ChatLine.objects.filter(user=speaker, command=command).first()
    return _said(speaker, command, _checked(text)) if said is None else said.pk


def latest(user_id: int | None) -> dict[str, Any]:
    """The last lines, oldest first, as somebody is told who opens the chat (`lobby.messages.Chat`)."""
    lines = ChatLine.objects.filter(hidden=False, at__gt=timezone.now() - KEPT).select_related("user")
    if user_id is not None:
        unwanted = Tie.objects.filter(user=user_id, kind__in=ties.SILENCING).values("other")
        lines = lines.exclude(user__in=unwanted)
    last = list(lines.order_by("-pk")[:SHOWN])
    return {
        "type": "chat",
        "lines": [fields(line) for line in reversed(last)],
        "silenced": [] if user_id is None else ties.silenced_names(user_id),
    }


def fields(line: ChatLine) -> dict[str, Any]:
    """A line as browsers are told."""
    return {
        "id": line.pk,
        "name": line.user.get_username(),
        "text": line.text,
        "at": line.at.isoformat(),
    }


@transaction.atomic
def set_hidden(line: ChatLine, hidden: bool) -> None:
    """Take a line from everyone's eyes, or give it back. Moderators do, through `lobby.moderation`."""
    line.hidden = hidden
    line.save(update_fields=["hidden"])
    _tell({"type": "line-gone", "id": line.pk} if hidden else {"type": "line", "line": fields(line)})


def tell_renamed(old: str, new: str) -> None:
    """Show the lines of somebody under another name wherever they are shown."""
    _tell({"type": "renamed", "old": old, "new": new})


def _checked(text: str) -> str:
    words = cleaned(text)
    if not words:
        raise ChatError("empty", _("There is nothing to read in it."))
    if len(words) > LINE_LENGTH:
        raise ChatError("too-long", _("A line has %(most)d characters at most.") % {"most": LINE_LENGTH})
    return words


@transaction.atomic
def _said(speaker: User, command: str, words: str) -> int:
    if not limits.take(str(speaker.pk), time.monotonic()):
        raise ChatError("too-fast", _("That was fast. Wait a few seconds, then send it again."))
    try:
        with transaction.atomic():
            line = ChatLine.objects.create(user=speaker, command=command, text=words)
    except IntegrityError:
        # The same command came over two connections at once.
        return ChatLine.objects.get(user=speaker, command=command).pk
    _purge()
    _tell({"type": "line", "line": fields(line)})
    return line.pk


def _purge() -> None:
    """Forget old lines, except those that a moderator has still to look at."""
    waiting = Report.objects.filter(verdict=Report.Verdict.OPEN, line__isnull=False)
    old = ChatLine.objects.filter(at__lt=timezone.now() - KEPT)
    old.exclude(pk__in=waiting.values("line")).delete()


def _tell(message: dict[str, Any]) -> None:
    transaction.on_commit(partial(hub.announce, TOPIC, message), robust=True)
