"""The pages of tables. `lobby.tables.tables` decides."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from games.bots.base import Level
from games.domain import codec, texts
from games.domain.refusals import Refused
from games.net.limits import network_of
from games.net.threads import in_thread
from games.registry import GAMES
from games.share import addresses, drawing, link_previews
from games.share.painter import painted
from lobby.accounts import guests
from lobby.accounts.guests import TooManyGuests
from lobby.commands import CommandError
from lobby.feed import lobby_feed
from lobby.front.views import too_many_guests
from lobby.http.idempotency import once
from lobby.people.models import NAME_LENGTH
from lobby.positions.addresses import address
from lobby.ratings.rated import NotRated, may_play_rated
from lobby.tables import admission, challenges, computers, invites, terms
from lobby.tables import tables as service
from lobby.tables.models import Invite, Table
from lobby.tables.refusals import Gone, NoInvitation, Seated, TableError
from lobby.tables.terms import TableTerms

CARD_CACHED = "public, max-age=600"


@require_safe
def table(request: HttpRequest, table_id: str) -> HttpResponse:
    """A waiting table; once its match has begun, a redirect to it."""
    found = lobby_feed.open_tables().filter(pk=table_id).first()
    if found is None:
        begun = Table.objects.filter(pk=table_id, game__in=GAMES).select_related("match").first()
        if begun is None or begun.match is None or not lobby_feed.may_know(begun, request.user.pk):
            return _no_table(request)
        return redirect(begun.match)
    if not lobby_feed.may_know(found, request.user.pk):
        return _no_table(request)
    return waiting_page(request, found)


def waiting_page(
    request: HttpRequest,
    found: Table,
    invite: Invite | None = None,
    typed: str = "",
    status: int = HTTPStatus.OK,
) -> HttpResponse:
    """The page of a table that waits for players, as somebody sees it who has come by `invite`.

    `typed` is a name that was refused, to be corrected.
    """
    fields = lobby_feed.table_fields(found)
    me = request.user.get_username()
    mine = me in fields["taken"]
    game, start = GAMES[found.game], service.position_of(found)
    inviter = fields["host"] if invite is None else invite.inviter.get_username()
    title = link_previews.invites_you(inviter, game)
    picture = reverse("table-card", args=[found.pk])
    context = {
        "card": link_previews.card_of_page(request, game, title, gettext(game.blurb), picture),
        "address": found.get_absolute_url() if invite is None else reverse("invitation", args=[invite.pk]),
        "typed": typed,
        "title": title,
        "picture": drawing.beside(found.game, opening(found), "table"),
        "me": me,
        "mine": mine,
        "table": fields,
        "chairs": _chairs(fields),
        "free": fields["seats"] - len(fields["taken"]),
        "levels": _levels(found) if me == fields["host"] else [],
        "middle": computers.middle(game),
        "first": terms.first_in_words(found, game),
        "watchers": terms.watchers_in_words(TableTerms.of(found)),
        "chat": terms.chat_in_words(TableTerms.of(found)),
        "game": game,
        "fewest": service.fewest(found),
        "start": start and address(start),
        **(_ways_to_invite(request, found) if mine else _ways_to_sit(request, found, fields, invite)),
    }
    return render(request, "tables/table.html", context, status=status)


@require_safe
async def card(request: HttpRequest, table_id: str) -> HttpResponse:
    """The picture of an invitation for link previews, as PNG: the board, the host, the game and the site."""
    content = await in_thread(_card)(table_id)
    response = HttpResponse(content_type="image/png", headers={"Cache-Control": CARD_CACHED})
    return await painted(request, content, response)


def _card(table_id: str) -> str:
    found = lobby_feed.open_tables().filter(pk=table_id).first()
    # Proxies may keep the picture, so it is for everybody or for nobody.
    if found is None or not lobby_feed.may_know(found, None):
        raise Http404
    words = link_previews.invitation_words(found.host.get_username(), GAMES[found.game])
    return drawing.card(found.game, opening(found), None, words)


def opening(table: Table) -> Any:
    """The position in which the match of a table begins."""
    position = service.position_of(table)
    if position is not None:
        return position.state
    rules = GAMES[table.game].rules
    return rules.setup(codec.decode(rules.Options, table.options), table.seats)


def _chairs(fields: dict[str, Any]) -> list[tuple[str | None, int | None]]:
    """Name and computer level by chair; None for free chairs."""
    taken = list(zip(fields["taken"], fields["levels"], strict=True))
    return [*taken, *[(None, None)] * (fields["seats"] - len(taken))]


def _levels(table: Table) -> list[Level]:
    """The levels of computer players that may join the table."""
    casual = not table.rated and table.invited_id is None
    return list(GAMES[table.game].levels) if casual else []


def _ways_to_invite(request: HttpRequest, table: Table) -> dict[str, Any]:
    """Context for a seated player: invitation links to share."""
    if not request.user.is_authenticated or table.invited_id is not None:
        return {}
    now = timezone.now()
    mine = invites.open_invites(table, request.user, now)
    paths = [reverse("invitation", args=[invite.pk]) for invite in mine]
    links = [addresses.for_others(request, path) for path in paths]
    if table.listed:
        links.insert(0, addresses.for_others(request))
    return {
        "invitation": "" if table.listed or not paths else paths[0],
        "links": links,
        "may_invite": invites.may_invite(table, now),
    }


def _ways_to_sit(
    request: HttpRequest, table: Table, fields: dict[str, Any], invite: Invite | None
) -> dict[str, Any]:
    """Context for other users: whether they may sit down, or why not."""
    challenged = table.invited_id is not None and table.invited_id == request.user.pk
    return {
        "challenged": challenged,
        "token": "" if invite is None else invite.pk,
        "name_length": NAME_LENGTH,
        "welcome": challenged or admission.is_open_to(request.user, table, invite is not None),
        "why": admission.judge(admission.ratings_of(request.user), may_play_rated(request.user))(fields),
    }


@require_POST
def sit_down(request: HttpRequest, table_id: str) -> HttpResponse:
    """Take a chair; a visitor becomes a guest first, by the name that they have typed."""
    token, name = request.POST.get("token", ""), request.POST.get("name", "").strip()
    try:
        with transaction.atomic():
            user = guests.person(request, name)
            if token:
                invites.sit_down(user, table_id, token, timezone.now())
            else:
                service.sit_down(user, table_id)
    except TooManyGuests:
        return too_many_guests(request)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
        return _name_again(request, table_id, token, name)
    except (NotRated, TableError) as error:
        return _refused(request, table_id, error)
    guests.remember(request, user)
    return redirect("table", table_id)


def _name_again(request: HttpRequest, table_id: str, token: str, name: str) -> HttpResponse:
    """The page of a table again, with a name that was refused."""
    found = lobby_feed.open_tables().filter(pk=table_id).first()
    if found is None:
        return redirect("table", table_id)
    try:
        invite = invites.read(token, timezone.now()) if token else None
    except NoInvitation:
        return redirect("invitation", token)
    return waiting_page(request, found, invite, name, HTTPStatus.BAD_REQUEST)


@require_POST
def stand_up(request: HttpRequest, table_id: str) -> HttpResponse:
    """Leave a chair; if the host leaves, the table is cancelled."""
    if not request.user.is_authenticated:
        return redirect("table", table_id)
    try:
        service.stand_up(request.user, table_id)
    except TableError as error:
        return _refused(request, table_id, error)
    return redirect("lobby")


@require_POST
def start(request: HttpRequest, table_id: str) -> HttpResponse:
    """Begin the match with the seated players."""
    if not request.user.is_authenticated:
        return redirect("table", table_id)
    try:
        service.start(request.user, table_id)
    except TableError as error:
        return _refused(request, table_id, error)
    return redirect("table", table_id)


@require_POST
def add_computer(request: HttpRequest, table_id: str) -> HttpResponse:
    """Seat a computer player, or with the button `fill` one on each free chair."""
    if not request.user.is_authenticated:
        return redirect("table", table_id)
    level = texts.number(request.POST.get("level", ""))
    try:
        computers.check_seatings(network_of(request))
        service.add_computer(request.user, table_id, level, fill="fill" in request.POST)
    except TableError as error:
        return _refused(request, table_id, error)
    return redirect("table", table_id)


@require_POST
def remove_computer(request: HttpRequest, table_id: str) -> HttpResponse:
    """Remove a computer player."""
    if not request.user.is_authenticated:
        return redirect("table", table_id)
    try:
        service.remove_computer(request.user, table_id, request.POST.get("name", ""))
    except TableError as error:
        return _refused(request, table_id, error)
    return redirect("table", table_id)


@require_POST
def invite(request: HttpRequest, table_id: str) -> HttpResponse:
    """Create another invitation."""
    if not request.user.is_authenticated:
        return redirect("table", table_id)
    user = request.user
    try:
        once(request, lambda: (user, invites.invite(user, table_id, timezone.now())))
    except (CommandError, TableError) as error:
        return _refused(request, table_id, error)
    return redirect("table", table_id)


@require_POST
def decline(request: HttpRequest, table_id: str) -> HttpResponse:
    """Decline a challenge."""
    if not request.user.is_authenticated:
        return redirect("table", table_id)
    try:
        challenges.decline(request.user, table_id)
    except TableError as error:
        return _refused(request, table_id, error)
    return redirect("lobby")


def _refused(request: HttpRequest, table_id: str, error: Refused) -> HttpResponse:
    """Show why an action was refused; sitting down twice is no error."""
    if isinstance(error, Gone):
        return _no_table(request)
    if error.status == HTTPStatus.TOO_MANY_REQUESTS:
        raise error
    if not isinstance(error, Seated):
        messages.error(request, error.words)
    return redirect("table", table_id)


def _no_table(request: HttpRequest) -> HttpResponse:
    return render(request, "tables/no_table.html", status=404)


@require_safe
@never_cache
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """The table of an invitation; an invalid one gets an error page (404 or 410).

    Its page has a form that sends the secret along. So the URL works in every browser of a friend until
    somebody takes the seat, also when it is copied from the address bar. The policy `same-origin` (Django's
    default) keeps it out of the Referer header to other sites. Players of the table are redirected there,
    also when the invitation has been used.
    """
    mine = invites.seated_by(request.user, token)
    if mine:
        return redirect("table", mine)
    try:
        invite = invites.read(token, timezone.now())
    except NoInvitation as error:
        context = {"code": error.code, "sentence": error.words}
        return render(request, "tables/no_invitation.html", context, status=error.status)
    found = lobby_feed.open_tables().filter(pk=invite.table_id).first()
    return redirect("table", invite.table_id) if found is None else waiting_page(request, found, invite)
