"""Erases an evening: its matches with their chat, its tournament, and its guests with their names."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from games.models import Match, Seating
from games.net.sessions import sessions
from games.net.threads import in_thread
from games.play import begin
from games.play.matches import matches
from lobby.accounts import deletion
from lobby.evenings import evenings
from lobby.evenings.models import Evening
from lobby.pairing import queue
from lobby.people.models import User
from lobby.tournaments import tournaments


async def erase(host: User, code: str) -> None:
    """Erase an evening with everything about it.

    Accounts, and guests who came with a name, stay without what they did at the evening. Guests who go are
    told that the evening is over, before their matches end.

    Raises:
        EveningError: "unknown-evening" or "not-host".
        SavingUnavailable: the store fails; what is left is erased by the next try.
    """
    for guest_id in await in_thread(_going)(host, code):
        sessions.sign_out(guest_id, error="evening-over")
    for match_id in await in_thread(_stop)(host, code):
        await matches.stop(match_id)
    for guest_id in await in_thread(_erase)(host, code):
        await deletion.delete_account(guest_id)


def _going(host: User, code: str) -> list[int]:
    """The guests whose sessions end with the evening. The host is told by the page that answers the form."""
    return [guest_id for guest_id in _guests(evenings.hosted(host, code)) if guest_id != host.pk]


@transaction.atomic
def _stop(host: User, code: str) -> list[str]:
    """Have no more matches begin; returns those in play."""
    evening = evenings.hosted(host, code)
    if evening.tournament_id is not None:
        tournament = tournaments.locked(evening.tournament_id)
        if tournament.state in tournaments.UNFINISHED:
            tournaments.call_off(tournament, timezone.now())
    in_play = _matches(evening).exclude(status=Match.Status.FINISHED)
    return list(in_play.values_list("pk", flat=True))


@transaction.atomic
def _erase(host: User, code: str) -> list[int]:
    """Delete everything but guests who have matches with others; returns the ids of those."""
    evening = evenings.hosted(host, code)
    guests = _guests(evening)
    # Seeks are locked before evenings and tournaments.
    queue.cancel(guests)
    match_ids = list(_matches(evening).values_list("pk", flat=True))
    begin.erase([*evenings.erase_rows(evening), *match_ids])
    left = deletion.erase_guests(guests)
    # A hosting guest was created for the evening; with matches elsewhere the guest stays.
    return [guest_id for guest_id in left if guest_id != host.pk]


def _guests(evening: Evening) -> list[int]:
    """The ids of the guests who were created at an evening, and of a guest who hosts it.

    Those who host another evening or are at one are left out, and those who came with a name of their own.
    """
    others = Evening.objects.exclude(pk=evening.pk)
    created = Q(at_evenings__evening=evening, at_evenings__created_here=True)
    people = User.objects.filter(created | Q(pk=evening.host_id), is_guest=True)
    people = people.exclude(pk__in=others.values("host")).exclude(pk__in=others.values("people__user"))
    return list(people.distinct().values_list("pk", flat=True))


def _matches(evening: Evening) -> QuerySet[Match]:
    """The matches of an evening: of its tournament, and those since then among its people with its guests."""
    people = [evening.host_id, *evening.people.values_list("user", flat=True)]
    seats = Seating.objects.filter(match=OuterRef("pk"))
    others = seats.exclude(user__in=people).filter(level=None)
    guests = seats.filter(user__in=_guests(evening))
    among = Q(Exists(guests), ~Exists(others), created__gte=evening.created, holder=None)
    if evening.tournament_id is not None:
        among |= Q(pairing__tournament=evening.tournament_id)
    return Match.objects.filter(among)
