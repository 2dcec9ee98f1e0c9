"""What devices are told: that it is one's turn over days, that somebody sat down, challenges one, or asks one
back to a match.

Nothing is told that its reader could not see on the page that it leads to, and nothing to whoever looks at
that page already. It is worded in the reader's language when it happens.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial

from django.db import transaction
from django.utils import timezone, translation
from django.utils.translation import gettext

from games.domain import clock_words, offers
from games.models import Match
from games.net.languages import listed
from games.registry import GAMES
from games.rules.base import gettext_noop
from games.store import history
from lobby.feed import match_invites
from lobby.models import Device, Table, User
from lobby.notices import correspondence
from lobby.notices.devices import NOTICE
from lobby.notices.page_visibility import looking
from lobby.people import preferences
from lobby.webhooks import deliveries
from lobby.webhooks.deliveries import OutgoingEvent
from lobby.webhooks.events import wanting

HOUR = 3_600_000
"""In milliseconds."""
ASKED_BACK = {
    offers.RESUME: gettext_noop("%(name)s asks you to go on with your match"),
    match_invites.REMATCH: gettext_noop("%(name)s offers you a rematch"),
}

Words = Callable[[], tuple[str, str]]
"""A title and a line below it, in the language that is active."""


def turns_came(noted: Mapping[str, int], now: datetime) -> None:
    """Tell those whose turn it became in a match over days, where it still is; in a thread."""
    if not Device.objects.filter(hook__user__in=set(noted.values())).exists():
        return
    matches = correspondence.slow_matches(list(noted)).prefetch_related("seatings__user")
    numbers = history.last_numbers([match.pk for match in matches])
    for match in matches:
        mover = noted[match.pk]
        if match.pk in history.waiting_for(mover):
            id = f"{match.pk}.yours.{numbers.get(match.pk, 0)}"
            _tell(mover, id, match.get_absolute_url(), partial(_turn, match, mover), now)


def _turn(match: Match, mover: int) -> tuple[str, str]:
    others = [each.get_name() for each in match.seatings.all() if each.user_id != mover]
    words = {"game": gettext(GAMES[match.game].title), "others": listed(others)}
    return gettext("It is your turn"), gettext("%(game)s against %(others)s") % words


def chair_taken(table: Table, user: User) -> None:
    """Tell the host of a table that somebody sat down at it."""
    if table.host_id == user.pk:
        return
    path = table.get_absolute_url() if table.match is None else table.match.get_absolute_url()

    def words() -> tuple[str, str]:
        title = gettext("%(name)s sat down at your table") % {"name": user.get_username()}
        return title, gettext(GAMES[table.game].title)

    _tell(table.host_id, f"{table.pk}.sat.{user.pk}", path, words, timezone.now(), table.get_absolute_url())


def challenged(table: Table) -> None:
    """Tell the one for whom a table is kept; on any page of the site they see it anyway."""
    if table.invited_id is None or looking.at(table.invited_id):
        return

    def words() -> tuple[str, str]:
        terms = {"game": gettext(GAMES[table.game].title), "clock": clock_words.in_words(table.clock)}
        title = gettext("%(name)s challenges you") % {"name": table.host.get_username()}
        return title, gettext("%(game)s · %(clock)s") % terms

    path = table.get_absolute_url()
    _tell(table.invited_id, f"{table.pk}.challenge", path, words, timezone.now())


def called(match_id: str) -> None:
    """Tell those whom somebody asks back to a match, once an hour at most; on any page they see it anyway."""
    call = match_invites.call_to(match_id)
    if call is None:
        return

    def words() -> tuple[str, str]:
        sentence = ASKED_BACK[call.kind]
        return gettext(sentence) % {"name": call.by.get_username()}, gettext(GAMES[call.match.game].title)

    id = f"{match_id}.{call.kind}.{call.by.pk}-{(call.until or 0) // HOUR}"
    for user in call.to:
        if not looking.at(user.pk):
            _tell(user.pk, id, call.match.get_absolute_url(), words, timezone.now())


@transaction.atomic
def _tell(user_id: int, id: str, path: str, words: Words, now: datetime, *seen_at: str) -> None:
    """Tell the devices of somebody, unless they look at the page in question, or at one of `seen_at`.

    `id` is the same however often it is told; what stands before its last dot is what it is about, of which
    a device shows the newest alone.
    """
    hooks = wanting([user_id], NOTICE)
    if not hooks or looking.at(user_id, path, *seen_at):
        return
    user = User.objects.get(pk=user_id)
    with translation.override(preferences.of(user)[preferences.LANGUAGE]):
        title, line = words()
    notice = {"title": title, "text": line, "path": path, "about": id.rpartition(".")[0]}
    deliveries.enqueue([OutgoingEvent(hook, NOTICE, id, notice) for hook in hooks], now)
