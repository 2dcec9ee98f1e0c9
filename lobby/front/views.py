"""The front page, and becoming a guest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, TypeAlias

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from games.domain import codec
from games.puzzles import daily, words
from games.registry import GAMES
from games.share import link_previews
from games.store import history
from lobby.accounts import guests
from lobby.accounts.guests import TooManyGuests
from lobby.feed import lobby_feed, saved_matches
from lobby.feed.counts import counts
from lobby.front.game_menu import panel
from lobby.front.own_kinds import OwnKinds, own_kinds
from lobby.http.next_page import next_page
from lobby.pairing import offer, queue
from lobby.people.models import User
from lobby.people.words import ago
from lobby.profiles import profiles
from lobby.profiles.profiles import BoardHeld, Played
from lobby.ratings.rated import KnownRating, may_have_rating, may_play_rated, ratings_of
from lobby.ratings.unsettled import unsettled_results
from lobby.tables import admission
from lobby.tables.forms import computers
from lobby.tables.forms.computers import Opponent

Item: TypeAlias = dict[str, Any]

FIRST = 20
"""Maximum tables and matches of other players in the page as rendered. The socket then sends all of them;
without JavaScript a link shows them.
"""
TURNS = 2
"""Maximum matches that the page begins with, as it is the user's turn."""
FINISHED = 5
"""Maximum finished matches on the front page; the profile has all."""


@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    """The front page: open tables, matches in play, and the game menu."""
    user = request.user
    if user.is_authenticated and user.pupil_of is not None:
        return redirect(user.pupil_of)
    every = "all" in request.GET
    known = lobby_feed.recently_listed(lobby_feed.MAX_LISTED if every else FIRST)
    played, waiting = history.at_boards(user.pk) if user.is_authenticated else ([], [])
    now = lobby_feed.everything(user.pk, known, played)
    me = user.get_username()
    own = own_kinds(user.pk)
    casual = may_play_rated(user) if own.has_misses else may_have_rating(user)
    rated = ratings_of(user.pk) if user.is_authenticated else []
    ratings = admission.by_pool(rated)
    why_not = admission.judge(ratings, casual)
    only = request.GET.get("game", "") if request.GET.get("game") in GAMES else ""
    seeks, mine = queue.overview(user.pk)
    now_here = counts(seeks)
    all_tables = [{**table, **_to_me(table, me), "why": why_not(table)} for table in now["tables"]]
    my_tables, tables = _parted(all_tables, lambda table: me in [*table["taken"], table["invited"]])
    my_matches, matches = _parted(now["matches"], lambda match: me in [*match["players"], match["holder"]])
    my_matches = [{**match, "waiting": match["id"] in waiting, "mine": True} for match in my_matches]
    title = gettext("Parlour: play classic board games online")
    about = gettext(
        "Play classic board and dice games in your browser."
        " Invite a friend with a link, play as a guest, or watch."
    )
    context = {
        "card": link_previews.card_of_page(request, next(iter(GAMES.values())), title, about),
        "me": me,
        "counts": now_here,
        "casual": "" if casual is None else casual.words,
        "ratings": codec.encode(ratings).decode(),
        "only": only,
        "waiting": len(waiting),
        "turn_matches": [match for match in my_matches if match["waiting"]][:TURNS],
        "games": GAMES.values(),
        "my_tables": sorted(my_tables, key=lambda table: table["invited"] != me),
        "tables": _to_join(tables, only),
        "my_matches": sorted(my_matches, key=lambda match: not match["waiting"]),
        "saved_matches": saved_matches.fields_for(user.pk) if user.is_authenticated and own.has_saved else [],
        "finished": _finished(user, own) if user.is_authenticated else [],
        "matches": matches,
        "puzzle": _puzzle(),
        "more": not every and max(len(tables), len(matches)) >= FIRST,
        **panel(
            request,
            casual,
            now_here,
            mine,
            lobby_feed.people_at_tables(known, my_tables),
            _opponents(request, rated, own),
        ),
    }
    return render(request, "lobby/lobby.html", context)


def _opponents(request: HttpRequest, ratings: Sequence[KnownRating], own: OwnKinds) -> dict[str, Opponent]:
    """The computer player that is offered for each game."""
    near = offer.levels_for(request.user.pk, GAMES.values(), ratings, own.has_beaten)
    return {
        slug: computers.opponent(request.session, game, near[slug], not own.has_finished)
        for slug, game in GAMES.items()
    }


def _puzzle() -> Item:
    """Today's puzzle."""
    today = datetime.now(UTC).date()
    shown = daily.of_day(today, today)
    return {"day": today, "game": shown.game, "asked": words.asked(shown)}


def _to_me(table: Item, me: str) -> Item:
    """The fields of a table that depend on the user."""
    return {
        "free": table["seats"] - len(table["taken"]),
        "mine": me in table["taken"],
        "hosted": me == table["host"],
        "for_me": me == table["invited"],
    }


def _parted(items: list[Item], is_mine: Callable[[Item], bool]) -> tuple[list[Item], list[Item]]:
    return [item for item in items if is_mine(item)], [item for item in items if not is_mine(item)]


def _to_join(tables: list[Item], only: str) -> list[Item]:
    """Tables of a game ("": of all), those the user may join first."""
    wanted = (table for table in tables if only in ("", table["game"]))
    return sorted(wanted, key=lambda table: table["why"] is not None)


def _finished(user: User, own: OwnKinds) -> list[Item]:
    """The last finished matches of a user, hot-seat ones included, each with the ply of its picture."""
    unsettled = unsettled_results(user.pk, user.pk, datetime.now(UTC)) if own.has_unsettled else ()
    both: list[Played | BoardHeld] = [
        *profiles.latest(user, FINISHED, unsettled),
        *(profiles.held_by(user, FINISHED) if own.has_held else ()),
    ]
    latest = sorted(both, key=lambda played: played.ended, reverse=True)[:FINISHED]
    return [{**played._asdict(), "ago": ago(played.ended)} for played in latest]


@require_POST
def play_as_guest(request: HttpRequest) -> HttpResponse:
    """Make the visitor a guest, and redirect back."""
    try:
        guests.remember(request, guests.person(request))
    except TooManyGuests:
        return too_many_guests(request)
    return HttpResponseRedirect(next_page(request))


def too_many_guests(request: HttpRequest) -> HttpResponse:
    """The page for a network that has reached its limit of new guests."""
    response = render(request, "accounts/too_many_guests.html", status=429)
    response["Retry-After"] = guests.GUESTS.retry_after["Retry-After"]
    return response
