"""The pages of clubs. `lobby.clubs` decides."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from typing import Any
from urllib.parse import quote

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.encoding import uri_to_iri
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.domain import texts
from games.domain.refusals import Refused
from games.registry import GAMES
from games.share import addresses
from lobby.chat.lines import ChatError
from lobby.club_files.models import ClubArchive
from lobby.clubs import announcements, clubs, lookup, members, rules
from lobby.clubs.forms import ClubForm
from lobby.clubs.lookup import RANKS, Role
from lobby.clubs.models import ANNOUNCEMENT_LENGTH, REQUEST_LENGTH, Club
from lobby.clubs.refusals import ClubError, ClubGuest, UnknownClub
from lobby.commands import CommandError
from lobby.feed import lobby_feed
from lobby.http.idempotency import Act, command_of, without_fields
from lobby.http.user_request import UserRequest
from lobby.ladders import challenges as ladder_challenges
from lobby.ladders.models import ClubLadder
from lobby.people.models import User
from lobby.ratings import leaderboards
from lobby.tables.models import Table
from lobby.tournaments import meetings, tables, teams, tournaments
from lobby.tournaments.models import Team, Tournament
from lobby.tournaments.tournaments import UNFINISHED, State

PAGE_SIZE = 50
"""Clubs, members and announcements per page of a list."""
FEW = 5
"""Below so many members a club's page begins with the link that lets people in."""
FIRST_PLACES = 3
"""Places of the ladder on the page of a club."""
NEWEST = 10
"""Announcements, and meetings with other clubs, on the page of a club."""


@require_safe
def overview(request: HttpRequest) -> HttpResponse:
    """The clubs of the site by name (`?find=`), and those of the reader."""
    wanted = request.GET.get("find", "").strip()
    context = {
        "page": Paginator(lookup.listed(wanted), PAGE_SIZE).get_page(request.GET.get("page")),
        "wanted": wanted,
        "mine": _mine(request.user.pk) if request.user.is_authenticated else [],
    }
    return render(request, "clubs/clubs.html", context)


def _mine(user_id: int) -> list[dict[str, Any]]:
    """The reader's clubs, with the number of requests and invitations that wait for an answer of theirs."""
    waiting, invited = lookup.waiting_for(user_id), teams.invitations_for(user_id)
    return [
        {
            "club": each.club,
            "role": each.get_role_display(),
            "offered": each.offered,
            "waiting": waiting.get(each.club_id, 0),
            "invited": invited.get(each.club_id, 0),
        }
        for each in lookup.of(user_id)
    ]


@require_safe
def club_rules(request: HttpRequest) -> HttpResponse:
    """The rules of clubs, and the limits of this site."""
    return render(request, "clubs/rules.html", {"sections": rules.RULES, "limits": rules.limits()})


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def new(request: UserRequest) -> HttpResponse:
    """The form that founds a club."""
    if request.user.is_guest:
        # Said before they fill in a form for nothing.
        messages.error(request, ClubGuest().words)
        return redirect("clubs")
    founder = request.user
    form = ClubForm(request.POST if request.method == "POST" else None)
    return _answer(request, form, lambda: clubs.found(founder, form.charter(), command_of(request)))


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def edit(request: UserRequest, club: str) -> HttpResponse:
    """The form that changes a club, for its owner."""
    found, owner = lookup.at(club), request.user
    try:
        lookup.needs(found, owner, Role.OWNER)
    except ClubError as error:
        messages.error(request, error.words)
        return redirect(found)
    form = ClubForm(request.POST if request.method == "POST" else None, club=found)
    return _answer(
        request, form, lambda: clubs.change(owner, found.pk, form.charter(), command_of(request)), found
    )


def _answer(
    request: HttpRequest, form: ClubForm, act: Callable[[], Club], club: Club | None = None
) -> HttpResponse:
    if form.is_valid():
        try:
            return redirect(act())
        except (ChatError, ClubError, CommandError) as error:
            form.refuse(error)
    status = HTTPStatus.BAD_REQUEST if form.errors else HTTPStatus.OK
    return render(request, "clubs/edit.html", {"form": form, "club": club}, status=status)


@require_safe
def club(request: HttpRequest, club: str) -> HttpResponse:
    """A club: about, members (`?page=`), announcements, leaderboards; more for its organisers."""
    found = lookup.at(club)
    if found.slug != club:
        query = request.META["QUERY_STRING"]
        return redirect(f"{found.get_absolute_url()}?{query}" if query else found)
    mine = lookup.membership(found, request.user.pk)
    rank = -1 if mine is None else RANKS[mine.role]
    page = Paginator(lookup.members(found), PAGE_SIZE).get_page(request.GET.get("page"))
    waiting = lobby_feed.tables_for(found)[:PAGE_SIZE] if mine is not None else []
    context = {
        "club": found,
        "mine": mine,
        "owner": lookup.owner(found),
        "is_owner": mine is not None and mine.role == Role.OWNER,
        "is_organiser": rank >= RANKS[Role.ORGANISER],
        "games": [_(GAMES[slug].title) for slug in found.games if slug in GAMES],
        "page": page,
        "members": [(each, RANKS[each.role] < rank) for each in page],
        "announcements": found.announcements.select_related("author")[:NEWEST],
        "boards": _boards(found),
        "choices": [(slug, _(game.title)) for slug, game in GAMES.items() if found.plays(slug)],
        "tables": [_table(table) for table in waiting],
        "tournaments": _tournaments(found),
        "has_archive": ClubArchive.objects.filter(club=found).exists(),
        "meetings": [_meeting(part) for part in meetings.of(found)[:NEWEST]],
        "ladder": _ladder(found, request.user.pk),
        "most": {"announcement": ANNOUNCEMENT_LENGTH, "request": REQUEST_LENGTH},
        "token": request.GET.get("link", ""),
        "has_chat": settings.CHAT,
        "talks": settings.CHAT and mine is not None,
        "socket": f"/ws/page/club/{quote(found.slug)}",
        **_for_reader(request, found, mine is not None),
        **(_for_organiser(request, found) if rank >= RANKS[Role.ORGANISER] else {}),
    }
    return render(request, "clubs/club.html", context)


def _for_reader(request: HttpRequest, found: Club, joined: bool) -> dict[str, Any]:
    if joined or not request.user.is_authenticated:
        return {}
    asked = found.join_requests.filter(user=request.user).exists()
    return {"asked": asked, "why_not": members.why_not(request.user, found)}


def _for_organiser(request: HttpRequest, found: Club) -> dict[str, Any]:
    link = addresses.for_others(request, f"{found.get_absolute_url()}?link={found.token}")
    return {
        "offered": found.memberships.filter(offered__isnull=False).select_related("user").first(),
        "invitations": teams.invitations_of(found)[:PAGE_SIZE],
        "requests": found.join_requests.select_related("user")[:PAGE_SIZE],
        "excluded": found.exclusions.select_related("user")[:PAGE_SIZE],
        "link": uri_to_iri(link),
        "is_new": found.memberships.count() < FEW,
    }


def _table(table: Table) -> dict[str, Any]:
    fields = lobby_feed.table_fields(table)
    return {**fields, "free": fields["seats"] - len(fields["taken"])}


def _tournaments(found: Club) -> list[Tournament]:
    """The tournaments of a club that are not over, then the last ones that are."""
    of_club = [tournaments.listed(*states).filter(club=found) for states in (UNFINISHED, (State.FINISHED,))]
    return [*of_club[0][:PAGE_SIZE], *of_club[1][:NEWEST]]


def _ladder(found: Club, reader: int | None) -> dict[str, Any] | None:
    """The first places of the ladder of a club, and the challenge that waits for the reader."""
    ladder = ClubLadder.objects.filter(club=found).first()
    if ladder is None:
        return None
    mine = None if reader is None else ladder_challenges.open_of(ladder, reader)
    first = ladder.rungs.select_related("user")[:FIRST_PLACES]
    return {"first": first, "mine": mine}


def _meeting(part: Team) -> dict[str, Any]:
    """A team battle or match that is over: against whom, and how it ended."""
    clubs = meetings.clubs_in(part)
    mine = next((team for team in clubs if team.pk == part.pk), part)
    others = [tables.ClubResult.of(team) for team in clubs if team.pk != part.pk]
    against, score = tables.meeting(part.tournament.format, tables.ClubResult.of(mine), others)
    return {"tournament": part.tournament, "at": part.tournament.ended, "against": against, "score": score}


def _boards(found: Club) -> list[tuple[str, list[leaderboards.Row]]]:
    """The best members by game, for the games of the club in which members have places."""
    people = found.memberships.values("user")
    boards = [
        (_(game.title), leaderboards.best_of(game, people))
        for game in GAMES.values()
        if found.plays(game.slug)
    ]
    return [(title, rows) for title, rows in boards if rows]


@require_POST
@login_required
def act(request: UserRequest, club: str, act: str) -> HttpResponse:
    """Join or leave a club, or an action of an organiser."""
    try:
        found = lookup.at(club)
    except UnknownClub:
        if act != "dissolve":
            raise
        # The form was sent again.
        return redirect("clubs")
    try:
        ACTIONS[act](request, request.user, found.pk, command_of(request))
    except Refused as error:
        messages.error(request, error.words)
    return redirect("clubs" if act == "dissolve" and not Club.objects.filter(pk=found.pk).exists() else found)


def _name(request: HttpRequest) -> str:
    return request.POST.get("name", "")


def _join(request: HttpRequest, user: User, pk: str, command: str) -> None:
    token, text = request.POST.get("link", ""), request.POST.get("text", "")
    if not members.join(user, pk, command, token, text):
        messages.success(request, _("Your request has been sent to the organisers of the club."))


def _accept(request: HttpRequest, user: User, pk: str, command: str) -> None:
    members.answer(user, pk, _name(request), True, command)


def _decline(request: HttpRequest, user: User, pk: str, command: str) -> None:
    members.answer(user, pk, _name(request), False, command)


def _remove(request: HttpRequest, user: User, pk: str, command: str) -> None:
    members.remove(user, pk, _name(request), request.POST.get("why", ""), command)


def _let_in(request: HttpRequest, user: User, pk: str, command: str) -> None:
    members.let_in(user, pk, _name(request), command)


def _role(request: HttpRequest, user: User, pk: str, command: str) -> None:
    members.set_role(user, pk, _name(request), request.POST.get("role", ""), command)


def _hand_over(request: HttpRequest, user: User, pk: str, command: str) -> None:
    members.offer(user, pk, _name(request), command)


def _announce(request: HttpRequest, user: User, pk: str, command: str) -> None:
    announcements.announce(user, pk, request.POST.get("text", ""), command)


def _withdraw(request: HttpRequest, user: User, pk: str, command: str) -> None:
    announcements.withdraw(user, pk, texts.number(request.POST.get("number", "")), command)


def _consent(request: HttpRequest, user: User, pk: str, command: str) -> None:
    members.consent(user, pk, request.POST.get("agreed") == "yes", command)


ACTIONS: dict[str, Act] = {
    "join": _join,
    "consent": _consent,
    "leave": without_fields(members.leave),
    "accept": _accept,
    "decline": _decline,
    "remove": _remove,
    "let-in": _let_in,
    "role": _role,
    "hand-over": _hand_over,
    "take-over": without_fields(members.take_over),
    "end-offer": without_fields(members.end_offer),
    "link": without_fields(clubs.renew_link),
    "announce": _announce,
    "withdraw": _withdraw,
    "dissolve": without_fields(clubs.dissolve),
}
"""Actions on a club, by the end of the URL."""
