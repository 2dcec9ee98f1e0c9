"""The pages of tournaments. `lobby.tournaments` decides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.domain import codec, texts
from games.domain.refusals import Refused
from games.net.limits import network_of
from games.registry import GAMES
from games.share import addresses, drawing
from lobby.accounts import guests
from lobby.accounts.guests import TooManyGuests
from lobby.chat.lines import ChatError
from lobby.clubs import lookup
from lobby.clubs.refusals import ClubError
from lobby.commands import CommandError
from lobby.evenings import codes
from lobby.front.views import too_many_guests
from lobby.http.idempotency import Act, command_of, once_for_visitor, without_fields
from lobby.http.spreadsheets import csv_response
from lobby.http.user_request import UserRequest
from lobby.people.models import User
from lobby.ratings.rated import NotRated, may_play_rated
from lobby.tables.refusals import TableError
from lobby.tournaments import (
    entries,
    hosting,
    invitations,
    lineups,
    organising,
    pairings,
    sheet,
    tables,
    teams,
    tournaments,
    trf,
    visibility,
)
from lobby.tournaments import frames as tournament_frames
from lobby.tournaments.api_fields import club_fields, pairing_fields, standing_fields, tournament_fields
from lobby.tournaments.formats import FORMATS, MOST_CLUBS, byes
from lobby.tournaments.formats.base import Standing
from lobby.tournaments.formats.standings import TIE_BREAKS
from lobby.tournaments.formats.words import SHARED_RULES, WORDS
from lobby.tournaments.forms import TournamentForm
from lobby.tournaments.models import Entrant, Team, Tournament
from lobby.tournaments.plans import Plan
from lobby.tournaments.refusals import (
    NotOrganiser,
    OrganiserGuest,
    Started,
    TournamentError,
)
from lobby.tournaments.sheet import Sheet, sheets

FIRST_GAME = next(iter(GAMES))
FINISHED = 30
"""How many finished tournaments are listed."""
CERTIFICATES = 200
"""Most certificates on one page to print."""
LEADERS, BOARDS = 8, 4
"""Players and tables that a wall board shows: more could not be read from ten metres."""
SIMUL_BOARDS = 12
"""Boards of a simul that it shows at a time: the host sits at all of them."""
State = Tournament.State


@require_safe
def overview(request: HttpRequest) -> HttpResponse:
    """The tournaments of the site: open, running, finished."""
    sections = [
        (_("Open for entries"), State.OPEN, 200),
        (_("Running"), State.RUNNING, 200),
        (_("Finished"), State.FINISHED, FINISHED),
    ]
    context = {
        "sections": [
            (title, state, _listed(tournaments.listed(state)[:most])) for title, state, most in sections
        ]
    }
    return render(request, "tournaments/tournaments.html", context)


def _listed(found: Sequence[Tournament]) -> list[dict[str, Any]]:
    scores = sheet.scores_of(found)
    return [{**tables.described(each), "score": tables.score(scores.get(each.pk))} for each in found]


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """The rules of all formats."""
    context = {
        "shared": SHARED_RULES,
        "formats": [(slug, WORDS[slug]) for slug in FORMATS],
        "tie_breaks": TIE_BREAKS.values(),
    }
    return render(request, "tournaments/rules.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def new(request: UserRequest, game: str = FIRST_GAME) -> HttpResponse:
    """The form that creates a tournament."""
    if game not in GAMES:
        raise Http404
    if request.user.is_guest:
        # Said before they fill in a form for nothing.
        messages.error(request, OrganiserGuest().words)
        return redirect("tournaments")
    posted = request.POST if request.method == "POST" else None
    form = TournamentForm(
        GAMES[game],
        posted,
        casual=may_play_rated(request.user),
        clubs=lookup.organised_by(request.user.pk, game),
    )
    form.initial["club"] = request.GET.get("club", "")
    if form.is_valid():
        try:
            made = organising.create(request.user, form.plan(), command_of(request))
            return redirect("tournament", made.pk)
        except (ChatError, ClubError, CommandError, NotRated, TableError, TournamentError) as error:
            form.refuse(error)
    title = _(GAMES[game].full_title)
    context = {"form": form, "game": GAMES[game], "games": GAMES.values(), "title": title}
    status = HTTPStatus.BAD_REQUEST if form.errors else HTTPStatus.OK
    return render(request, "tournaments/new.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def edit(request: UserRequest, tournament_id: str) -> HttpResponse:
    """The same form for a tournament that has not begun; for those who may organise it."""
    found = _found(request, tournament_id)
    refused: TournamentError | None = None
    if not organising.may_organise(request.user, found):
        refused = NotOrganiser()
    if refused is None and found.state != State.OPEN:
        refused = Started()
    if refused is not None:
        messages.error(request, refused.words)
        return redirect("tournament", found.pk)
    posted = request.POST if request.method == "POST" else None
    game, casual = GAMES[found.game], may_play_rated(request.user)
    clubs = lookup.organised_by(request.user.pk, game.slug)
    if found.club is not None and found.club not in clubs:
        clubs.append(found.club)
    form = TournamentForm(game, posted, casual=casual, before=Plan.of(found), clubs=clubs)
    if form.is_valid():
        # The form has no field for everything.
        plan = replace(form.plan(), half_byes=found.half_byes)
        try:
            organising.change(request.user, found.pk, plan, command_of(request))
            return redirect("tournament", found.pk)
        except (ChatError, ClubError, CommandError, NotRated, TableError, TournamentError) as error:
            form.refuse(error)
    context = {"form": form, "game": game, "title": _(game.full_title), "tournament": found}
    status = HTTPStatus.BAD_REQUEST if form.errors else HTTPStatus.OK
    return render(request, "tournaments/new.html", context, status=status)


@require_safe
def tournament(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """A tournament: entry, standings, pairings (`?round=`), cross table; more for its organiser."""
    found = _found(request, tournament_id)
    organises = organising.may_organise(request.user, found)
    # The organiser sees at once what an action has changed.
    version, known, order = sheets.cached(found, exact=organises)
    number = _round(request, known)
    me = found.entrants.filter(user=request.user.pk, host=False).select_related("user", "team__club").first()
    reader = request.user.pk
    lines = tables.standings(known, order, reader)
    entrants = found.entrants.filter(withdrawn=None, removed=False, host=False).order_by("-rating")
    entrants = entrants.select_related("user", "team__club")
    context = {
        **tables.described(found),
        "version": version,
        "lines": lines,
        **_ending(found, known, order, lines),
        "tie_breaks": tables.tie_breaks(order),
        **tables.host(found),
        "hosted": hosting.hosted_by(request.user, found),
        "score": tables.score(known.score),
        "number": number,
        "rounds": range(1, known.round + 1),
        "pairings": tables.pairings(known, number, reader),
        "cross_table": tables.cross_table(known, order, tables.CROSS_TABLE),
        "entrants": entrants,
        "present": [] if lines else [tables.Named.of(each, reader) for each in entrants],
        "running": found.state == State.RUNNING,
        "me": me,
        "card": tournament_frames.card_of(found, lines, request) if visibility.is_public(found) else None,
        "wall": visibility.wall_link(found) if organises else reverse("tournament-wall", args=[found.pk]),
        "has_report": trf.has_report(found),
        "misfit": None if me is None else entries.unfit(me.user, found),
        "mine": [tables.shown(known, each) for each in known.open if me is not None and me.pk in each.seats],
        "why_not": entries.why_not(request.user, found) if request.user.is_authenticated else None,
        **_byes(found, known, me),
        **(_clubs(request, found, known, order) if teams.play(found) else {}),
        **(_for_organiser(found) if organises else {}),
    }
    return render(request, "tournaments/tournament.html", context)


def _found(request: HttpRequest, tournament_id: str, token: str = "") -> Tournament:
    return visibility.find(tournament_id, request.user.pk, token)


def _round(request: HttpRequest, known: Sheet) -> int:
    return min(texts.number(request.GET.get("round", ""), known.round), known.round)


def _byes(found: Tournament, known: Sheet, me: Entrant | None) -> dict[str, list[int]]:
    """The byes of a player: those to come, those that are not given, and the rounds that can be asked for."""
    if me is None or known.form.ARENA or not known.form.LATE or found.state not in tournaments.UNFINISHED:
        return {}
    options = sheet.options_of(found)
    given = byes.granted(me.byes, options)
    rest = [each for each in range(1, found.rounds) if byes.may_be_asked(each, known.round, options)]
    return {
        "my_byes": [each for each in given if each > known.round],
        "lost_byes": tournaments.lost_byes(me, found),
        "bye_rounds": [each for each in rest if each not in given] if len(given) < found.half_byes else [],
    }


def _clubs(
    request: HttpRequest, found: Tournament, known: Sheet, order: Sequence[Standing]
) -> dict[str, Any]:
    """What a tournament of clubs has besides: the clubs, and what a reader may do about them."""
    reader = request.user
    invites = reader.is_authenticated and invitations.why_not_invite(reader, found) is None
    asked = teams.led_by(reader.pk, found) if reader.is_authenticated and found.state == State.OPEN else []
    clubs = tables.clubs(known, order, reader.pk)
    begun = lineups.are_in(found) and known.round > 0
    return {
        "clubs": clubs,
        "teams": teams.of(found) if found.state == State.OPEN else [],
        "my_clubs": teams.open_to(reader.pk, found) if reader.is_authenticated else [],
        "asked_clubs": [team for team in asked if team.club_id != found.club_id],
        "invites": invites,
        "has_room": invitations.have_room(found),
        "most_clubs": MOST_CLUBS[found.format],
        **(_lineups(reader, found) if lineups.are_in(found) and found.state == State.OPEN else {}),
        **({"team_boards": tables.boards(known), "club_score": tables.club_score(clubs)} if begun else {}),
    }


def _lineups(reader: User | AnonymousUser, found: Tournament) -> dict[str, Any]:
    """The lineups of a team match before its start: those of the reader's clubs, or both."""
    shown = lineups.are_shown(found)
    led = teams.led_by(reader.pk, found) if reader.is_authenticated else []
    mine = [team for team in led if team.state == Team.State.ACCEPTED]
    visible = [team for team in teams.of(found) if team.handed_in and (shown or team in mine)]
    return {
        "lineups": [(team, lineups.of(found, team)) for team in visible],
        "lineups_shown": shown,
        "to_hand_in": [] if shown else [_to_hand_in(found, team) for team in mine],
    }


def _to_hand_in(found: Tournament, team: Team) -> dict[str, Any]:
    """The form with the lineup of a club: its players as they would play, and who has each board."""
    players = list(lineups.players(found, team))
    chosen: list[Entrant | None] = [*players[: found.team_size]]
    return {
        "team": team,
        "players": players,
        "boards": list(enumerate([*chosen, *[None] * (found.team_size - len(chosen))], 1)),
    }


def _ending(
    found: Tournament, known: Sheet, order: Sequence[Standing], lines: Sequence[tables.Line]
) -> dict[str, Any]:
    """Who has won, and the reader's own place, once a tournament is over."""
    if found.state != State.FINISHED:
        return {}
    if teams.play(found):
        clubs = tables.clubs(known, order)
        return {"victory": tables.club_score(clubs) if lineups.are_in(found) else tables.club_victory(clubs)}
    return {
        "victory": tables.victory(known, order),
        "podium": tables.podium(known, lines),
        "my_place": next((line.rank for line in lines if line.player.mine), None),
    }


def _for_organiser(found: Tournament) -> dict[str, Any]:
    return {"organised": True, "holding_up": pairings.holding_up(found, Entrant.name_in_words)}


@require_POST
def act(request: HttpRequest, tournament_id: str, act: str) -> HttpResponse:
    """Enter, withdraw, or an action of the organiser."""
    found = _found(request, tournament_id)
    if not request.user.is_authenticated and not (act == "enter" and found.guests):
        return redirect(f"{reverse('account_login')}?next={reverse('tournament', args=[found.pk])}")

    def begin() -> tuple[User, Tournament]:
        user = guests.person(request)
        ACTIONS[act](request, user, tournament_id, command_of(request))
        return user, found

    try:
        user, _found_again = once_for_visitor(request, begin)
    except TooManyGuests:
        return too_many_guests(request)
    except (Refused, NotRated, TableError) as error:
        messages.error(request, error.words)
    else:
        guests.remember(request, user)
    return redirect("tournament", tournament_id)


def _number(request: HttpRequest, name: str) -> int:
    return texts.number(request.POST.get(name, ""), digits=5)


def _enter(request: HttpRequest, user: User, pk: str, command: str) -> None:
    code, club = request.POST.get("code", ""), request.POST.get("club", "")
    entries.enter(user, pk, code, command, network_of(request), club=club)


def _invite(request: HttpRequest, user: User, pk: str, command: str) -> None:
    club = lookup.called(request.POST.get("name", ""))
    invitations.invite(user, pk, club.pk, command)


def _uninvite(request: HttpRequest, user: User, pk: str, command: str) -> None:
    invitations.uninvite(user, pk, request.POST.get("club", ""), command)


def _accept(request: HttpRequest, user: User, pk: str, command: str) -> None:
    invitations.answer(user, pk, request.POST.get("club", ""), True, command)


def _lineup(request: HttpRequest, user: User, pk: str, command: str) -> None:
    names = [name for name in request.POST.getlist("board") if name]
    lineups.hand_in(user, pk, request.POST.get("club", ""), names, command)


def _decline(request: HttpRequest, user: User, pk: str, command: str) -> None:
    invitations.answer(user, pk, request.POST.get("club", ""), False, command)


def _bye(request: HttpRequest, user: User, pk: str, command: str) -> None:
    entries.ask_bye(user, pk, _number(request, "round"), command)


def _pause(request: HttpRequest, user: User, pk: str, command: str) -> None:
    organising.pause(user, pk, True, command)


def _resume(request: HttpRequest, user: User, pk: str, command: str) -> None:
    organising.pause(user, pk, False, command)


def _cancel(request: HttpRequest, user: User, pk: str, command: str) -> None:
    organising.cancel(user, pk, request.POST.get("why", ""), command)


def _admit(request: HttpRequest, user: User, pk: str, command: str) -> None:
    name, admitted = request.POST.get("name", ""), request.POST.get("admitted") != "no"
    organising.admit(user, pk, name, admitted, command)


def _remove(request: HttpRequest, user: User, pk: str, command: str) -> None:
    organising.remove(user, pk, request.POST.get("name", ""), request.POST.get("why", ""), command)


def _decide(request: HttpRequest, user: User, pk: str, command: str) -> None:
    """The result is a seat that wins, "draw", "nobody", or "void"."""
    seats, result = _number(request, "seats"), request.POST.get("result", "")
    points: list[float] | None = None
    if result == "draw":
        points = [0.5] * seats
    elif result != "void":
        points = [float(result == str(seat)) for seat in range(seats)]
    where = _number(request, "round"), _number(request, "table")
    organising.decide(user, pk, *where, points, request.POST.get("why", ""), command)


ACTIONS: dict[str, Act] = {
    "enter": _enter,
    "withdraw": without_fields(entries.withdraw),
    "bye": _bye,
    "start": without_fields(organising.start),
    "pause": _pause,
    "resume": _resume,
    "cancel": _cancel,
    "admit": _admit,
    "remove": _remove,
    "decide": _decide,
    "invite": _invite,
    "uninvite": _uninvite,
    "accept": _accept,
    "decline": _decline,
    "lineup": _lineup,
}
"""Actions on a tournament, by the end of the URL."""


@require_safe
def wall(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """A board for a wall: leaders, the first tables, and the way in. It is read from ten metres."""
    found = _on_wall(request, tournament_id)
    version, known, order = sheets.cached(found)
    if hasattr(found, "evening"):
        address = addresses.for_others(request, reverse("evening", args=[found.evening.code]))
        scanned = addresses.for_others(request, codes.link(found.evening))
    else:
        scanned = address = addresses.for_others(request, reverse("tournament", args=[found.pk]))
    first = sorted(
        known.open or [each for each in known.pairings if each.round == known.round],
        key=lambda each: each.key,
    )
    lines = tables.standings(known, order[:LEADERS])
    if known.form.HOST:
        waiting = hosting.waiting_in(known)
        first.sort(key=lambda each: known.matches.get(each.key) not in waiting)
    boards = [tables.shown(known, each) for each in first if len(each.seats) > 1]
    context = {
        **tables.described(found),
        "version": version,
        "lines": lines,
        "clubs": tables.clubs(known, order)[:LEADERS],
        **_ending(found, known, order, lines),
        "number": known.round,
        "boards": boards if known.form.HOST else boards[:BOARDS],
        "room": SIMUL_BOARDS,
        **tables.host(found),
        "score": tables.score(known.score),
        "entrants": tournaments.present(found).select_related("user").order_by("-rating")[: 3 * LEADERS],
        "count": tournaments.present(found).count(),
        "address": address,
        "scanned": scanned,
        "token": request.GET.get("token", ""),
    }
    return render(request, "tournaments/wall.html", context)


@require_safe
def boards(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Leads the host of a simul to the board that waits, and everybody else to the tournament."""
    found = _found(request, tournament_id)
    hosted = hosting.hosted_by(request.user, found)
    if hosted is None or hosted.next is None:
        return redirect("tournament", found.pk)
    return redirect("match", hosted.next.match)


@require_safe
def version(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """The number of the last change, which the pages of a tournament poll."""
    try:
        return JsonResponse({"version": _on_wall(request, tournament_id).version})
    except Http404:
        # Without a page: each page that is still open asks.
        return HttpResponse(status=HTTPStatus.NOT_FOUND)


def _on_wall(request: HttpRequest, tournament_id: str) -> Tournament:
    return _found(request, tournament_id, request.GET.get("token", ""))


@require_safe
def certificates(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Certificates to print, one on a sheet of paper for each player with a place; 404 before the end."""
    found = _found(request, tournament_id)
    if found.state != State.FINISHED:
        raise Http404
    _version, known, order = sheets.cached(found)
    people = [line for line in order if line.rank is not None and line.player != known.options.computer]
    placed = tables.standings(known, people)
    rules = GAMES[found.game].rules
    start = rules.setup(codec.decode(rules.Options, found.options), rules.SEATS[0])
    context = {
        **tables.described(found),
        "lines": placed[:CERTIFICATES],
        "count": len(placed),
        "board": drawing.sample(found.game, start, found.game),
    }
    return render(request, "tournaments/certificates.html", context)


@require_safe
def results_csv(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """The standings and results as a table for spreadsheets."""
    found = _found(request, tournament_id)
    _version, known, lines = sheets.cached(found)
    names = [each.name for each in lines[0].tie_breaks] if lines else []
    rounds = 0 if known.form.ARENA or known.form.HOST else known.round
    club = ["club"] if teams.play(found) else []
    titles = [
        "rank",
        "name",
        *club,
        "points",
        *names,
        "played",
        *(f"round {each + 1}" for each in range(rounds)),
    ]
    cells = {row.player.id: row.cells for row in tables.cross_table(known, lines)}
    return csv_response(found.pk, [titles, *(_csv_row(known, line, cells) for line in lines)])


def _csv_row(known: Sheet, line: Standing, cells: Mapping[int, Sequence[str]]) -> list[str | float]:
    entrant = known.entrants[line.player]
    return [
        line.rank or "",
        entrant.get_name(),
        *([] if entrant.team is None else [entrant.team.get_name()]),
        f"{line.points:g}",
        *(f"{each.value:g}" for each in line.tie_breaks),
        line.played,
        *cells.get(entrant.user_id, []),
    ]


@require_safe
def results_json(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """The standings and all pairings as JSON, as the API tells them."""
    found = _found(request, tournament_id)
    _version, known, order = sheets.cached(found)
    told = {
        "tournament": tournament_fields(found, tournaments.present(found).count(), known.round, known.score),
        "standings": [standing_fields(known, line) for line in order],
        "clubs": [club_fields(known, line) for line in known.team_standings(order)],
        "pairings": [pairing_fields(known, each) for each in known.pairings],
    }
    response = JsonResponse(told)
    response["Content-Disposition"] = f'attachment; filename="{found.pk}.json"'
    return response


@require_safe
def results_trf(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """The report of a Swiss or a round robin for other tournament programs; 404 for other tournaments."""
    found = _found(request, tournament_id)
    text = trf.written(found, sheets.cached(found).sheet)
    response = HttpResponse(text, content_type="text/plain; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{found.pk}.trf"'
    return response
