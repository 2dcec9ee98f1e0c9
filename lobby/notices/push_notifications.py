"""Push notifications: a turn in a correspondence match, a taken chair, a challenge, a call to a match.

They contain only what the page they link to shows, in the recipient's language, and are not sent to users
who have that page visible.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from textwrap import shorten

from django.db import transaction
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext

from games.domain import clock_words, instants, offers
from games.models import Match
from games.net.languages import listed
from games.registry import GAMES
from games.rules.base import gettext_noop
from games.store import history
from lobby.clubs import lookup
from lobby.clubs.models import Club
from lobby.feed import match_invites
from lobby.inbox.models import Message
from lobby.notices import correspondence
from lobby.notices.devices import NOTICE
from lobby.notices.models import Device
from lobby.notices.page_visibility import looking
from lobby.people import preferences, relationships
from lobby.people.models import User
from lobby.tables.models import Table
from lobby.tournaments.models import Pairing, Tournament
from lobby.webhooks import deliveries
from lobby.webhooks.deliveries import OutgoingEvent
from lobby.webhooks.events import wanting

HOUR = 3_600_000
"""In milliseconds."""
SHOWN_OF_MESSAGE = 100
"""Maximum characters of a message in a notification."""
ASKED_BACK = {
    offers.RESUME: gettext_noop("%(name)s invites you to resume your match"),
    match_invites.REMATCH: gettext_noop("%(name)s offers you a rematch"),
}

Words = Callable[[], tuple[str, str]]
"""Returns title and text, in the active language."""


def turns_came(noted: Mapping[str, int], now: datetime) -> None:
    """Notify players of their turns in correspondence matches; in a thread.

    Not if they have moved since, or are on vacation.
    """
    if not Device.objects.filter(hook__user__in=set(noted.values())).exists():
        return
    matches = correspondence.slow_matches(list(noted)).prefetch_related("seatings__user")
    numbers = history.last_numbers([match.pk for match in matches])
    for match in matches:
        mover = noted[match.pk]
        on_vacation = correspondence.end_of_vacation(match.pk, mover, now) is not None
        if match.pk in history.waiting_for(mover) and not on_vacation:
            id = f"{match.pk}.yours.{numbers.get(match.pk, 0)}"
            tell(mover, id, match.get_absolute_url(), partial(_turn, match, mover), now)


def _turn(match: Match, mover: int) -> tuple[str, str]:
    others = [each.name_in_words() for each in match.seatings.all() if each.user_id != mover]
    words = {"game": gettext(GAMES[match.game].title), "others": listed(others)}
    return gettext("Your turn"), gettext("%(game)s against %(others)s") % words


def chair_taken(table: Table, user: User) -> None:
    """Notify the host that a player sat down."""
    if table.host_id == user.pk:
        return
    path = table.get_absolute_url() if table.match is None else table.match.get_absolute_url()

    def words() -> tuple[str, str]:
        title = gettext("%(name)s joined your table") % {"name": user.get_username()}
        return title, gettext(GAMES[table.game].title)

    tell(table.host_id, f"{table.pk}.sat.{user.pk}", path, words, timezone.now(), table.get_absolute_url())


def challenged(table: Table) -> None:
    """Notify the challenged player, unless any page is visible: it shows the challenge anyway."""
    if table.invited_id is None or looking.at(table.invited_id):
        return

    def words() -> tuple[str, str]:
        terms = {"game": gettext(GAMES[table.game].title), "clock": clock_words.in_words(table.clock)}
        title = gettext("%(name)s challenges you") % {"name": table.host.get_username()}
        return title, gettext("%(game)s · %(clock)s") % terms

    path = table.get_absolute_url()
    tell(table.invited_id, f"{table.pk}.challenge", path, words, timezone.now())


def message_sent(message: Message) -> None:
    """Notify the recipient of a message, unless any page is visible: it shows that there is one.

    Nothing comes from people whom the recipient mutes.
    """
    reader = message.recipient_id
    if looking.at(reader) or message.sender_id in relationships.muted_ids(reader):
        return

    def words() -> tuple[str, str]:
        title = gettext("%(name)s wrote to you") % {"name": message.sender.get_username()}
        return title, shorten(message.text, SHOWN_OF_MESSAGE)

    path = reverse("conversation", args=[message.sender.username])
    tell(reader, f"inbox-{message.sender_id}.{message.pk}", path, words, timezone.now())


def paired(tournament: Tournament, pairings: Sequence[Pairing]) -> None:
    """Notify players of their next match in a tournament, unless any page is visible: it shows the match."""
    for pairing in pairings:
        match, seats = pairing.match, pairing.seats.all()
        if match is None:
            continue
        for seat in seats:
            user = seat.entrant.user
            # The host of a simul is told once.
            if seat.board <= 1 and not looking.at(user.pk):
                others = [each.entrant.user for each in seats if each != seat]
                words = partial(_next_match, tournament, others, seat.board > 0)
                id = f"{tournament.pk}.next.{pairing.round}-{pairing.table}-{pairing.replay}"
                tell(user.pk, id, match.get_absolute_url(), words, timezone.now())


def terms_changed(tournament: Tournament, user: User) -> None:
    """Notify a player that the terms of a tournament do not fit any more, at most hourly.

    Not if its page is visible.
    """

    def words() -> tuple[str, str]:
        title = gettext("The terms of %(tournament)s have changed") % {
            "tournament": tournament.title_in_words
        }
        return title, gettext("You are still in. Check whether you still want to play.")

    now = timezone.now()
    id = hourly(f"{tournament.pk}.terms.", now)
    tell(user.pk, id, reverse("tournament", args=[tournament.pk]), words, now)


def club_invited(tournament: Tournament, club: Club, leader: User) -> None:
    """Notify the owner and the organisers of a club that it is invited to a tournament of clubs.

    At most hourly by the same club, however many tournaments it makes. Not those between whom and who
    invites there is a block.
    """

    def words() -> tuple[str, str]:
        assert tournament.club is not None
        said = {"club": tournament.club.name, "tournament": tournament.title}
        return club.name, gettext("%(club)s invites your club to %(tournament)s") % said

    now = timezone.now()
    id = hourly(f"{tournament.club_id}.invited.{club.pk}-", now)
    for user_id in set(lookup.staff_ids(club.pk)) - relationships.blocked_ids(leader.pk):
        tell(user_id, id, reverse("tournament", args=[tournament.pk]), words, now)


def club_answered(tournament: Tournament, club: Club, accepted: bool) -> None:
    """Notify the organiser of a tournament of clubs that a club has accepted or declined: hourly at most."""

    def words() -> tuple[str, str]:
        said = gettext("%(club)s takes part") if accepted else gettext("%(club)s does not take part")
        return tournament.title, said % {"club": club.name}

    now = timezone.now()
    answer = "yes" if accepted else "no"
    id = hourly(f"{tournament.pk}.answer.{club.pk}-{answer}-", now)
    path = reverse("tournament", args=[tournament.pk])
    tell(tournament.organiser_id, id, path, words, now)


def _next_match(tournament: Tournament, others: Sequence[User], hosts: bool) -> tuple[str, str]:
    if hosts:
        return tournament.title_in_words, gettext("Your simul has begun. All boards wait for you.")
    words = {
        "game": gettext(GAMES[tournament.game].title),
        "others": listed([other.name_in_words() for other in others]),
    }
    title = gettext("Your next match in %(tournament)s") % {"tournament": tournament.title_in_words}
    return title, gettext("%(game)s against %(others)s") % words


def called(match_id: str) -> None:
    """Notify the players called to a match, at most hourly, unless any page is visible: it shows the call."""
    call = match_invites.call_to(match_id)
    if call is None:
        return

    def words() -> tuple[str, str]:
        sentence = ASKED_BACK[call.kind]
        return gettext(sentence) % {"name": call.by.get_username()}, gettext(GAMES[call.match.game].title)

    id = f"{match_id}.{call.kind}.{call.by.pk}-{(call.until or 0) // HOUR}"
    for user in call.to:
        if not looking.at(user.pk):
            tell(user.pk, id, call.match.get_absolute_url(), words, timezone.now())


def hourly(id: str, now: datetime) -> str:
    """The id of a notification that comes hourly at most: the beginning of one, and the hour."""
    return f"{id}{instants.milliseconds(now) // HOUR}"


@transaction.atomic
def tell(user_id: int, id: str, path: str, words: Words, now: datetime, *seen_at: str) -> None:
    """Send a notification to a user's devices, unless a page in question or one of `seen_at` is visible.

    Args:
        user_id: the recipient.
        id: idempotency key. The part before its last dot is the subject; a device shows only the newest
            notification of a subject.
        path: the page that the notification opens.
        words: builds title and text.
        now: the current time.
        seen_at: paths of further pages that show the same.
    """
    hooks = wanting([user_id], NOTICE)
    if not hooks or looking.at(user_id, path, *seen_at):
        return
    user = User.objects.get(pk=user_id)
    with translation.override(preferences.of(user)[preferences.LANGUAGE]):
        title, line = words()
    notice = {"title": title, "text": line, "path": path, "about": id.rpartition(".")[0]}
    deliveries.enqueue([OutgoingEvent(hook, NOTICE, id, notice) for hook in hooks], now)
