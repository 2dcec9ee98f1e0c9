"""Background task that sends the e-mails about turns and messages; runs in every process."""

from __future__ import annotations

import logging
from datetime import datetime
from smtplib import SMTPException

from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext, ngettext

from games.models import Match
from games.net.languages import listed
from games.net.measures import measures
from games.net.process import process
from games.net.tasks import Periodic
from games.net.threads import in_thread
from games.registry import GAMES
from lobby.notices import reminders
from lobby.notices.models import Reminder
from lobby.notices.reminders import NOTHING, Waiting
from lobby.people import preferences
from lobby.people.presence import presence

EVERY = 30.0
"""Polling interval in seconds."""
BATCH_SIZE = 20
"""Maximum e-mails per poll of one process."""

logger = logging.getLogger(__name__)


async def send_reminders() -> None:
    """Send the reminders that are due, one after the other."""
    now = timezone.now()
    for user_id in await in_thread(reminders.take)(now, BATCH_SIZE):
        await in_thread(remind)(user_id, now, presence.online())


def remind(user_id: int, now: datetime, online: frozenset[int]) -> None:
    """Send a user's reminder that was taken at `now`, if anything waits for the user."""
    waiting = reminders.settle(user_id, now, online)
    if waiting == NOTHING:
        return
    reminder = Reminder.objects.select_related("user").get(pk=user_id)
    try:
        letter(reminder, waiting).send()
    except (OSError, SMTPException):
        about = {"person": user_id}
        logger.warning("an e-mail about a turn could not be sent", exc_info=True, extra=about)
        reminders.not_sent(user_id, now)
        measures.deliveries["mail", "unsent"] += 1
    else:
        measures.deliveries["mail", "arrived"] += 1


def letter(reminder: Reminder, waiting: Waiting) -> EmailMessage:
    """The e-mail about what waits for a user, in the user's language."""
    end = reminder.site + reverse("stop-reminders", args=[reminders.token(reminder.pk)])
    with translation.override(preferences.of(reminder.user)[preferences.LANGUAGE]):
        context = {
            "name": reminder.user.get_username(),
            "matches": [_line(reminder, match) for match in waiting.matches],
            "writers": listed(waiting.writers),
            "inbox": reminder.site + reverse("inbox"),
            "site": reminder.site,
            "end": end,
        }
        return EmailMessage(
            _subject(reminder.pk, waiting),
            render_to_string("notices/turn.txt", context),
            to=[reminders.address_of(reminder.pk) or ""],
            headers={
                # RFC 8058: mail clients show an unsubscribe button.
                "List-Unsubscribe": f"<{end}>",
                "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
                "Auto-Submitted": "auto-generated",
            },
        )


def _subject(user_id: int, waiting: Waiting) -> str:
    matches = waiting.matches
    if not matches:
        return gettext("New messages from %(names)s") % {"names": listed(waiting.writers)}
    if len(matches) == 1:
        return gettext("Your turn in %(match)s") % {"match": _called(user_id, matches[0])}
    words = ngettext("Your turn in %(count)d game", "Your turn in %(count)d games", len(matches))
    return words % {"count": len(matches)}


def _called(user_id: int, match: Match) -> str:
    """A match by its game and the opponents."""
    others = [each.name_in_words() for each in match.seatings.all() if each.user_id != user_id]
    words = {"game": gettext(GAMES[match.game].title), "others": listed(others)}
    return gettext("%(game)s against %(others)s") % words


def _line(reminder: Reminder, match: Match) -> dict[str, object]:
    address = reminder.site + match.get_absolute_url()
    return {"called": _called(reminder.pk, match), "url": address, "deadline": match.deadline}


reminder_mails = process.part(Periodic, EVERY, send_reminders)
