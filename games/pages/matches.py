"""The pages of matches and games. A match page receives all updates over its socket."""

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language, gettext
from django.views.decorators.http import require_safe

from games.domain import clock, clock_words, codec, computer_names, dice, options, texts
from games.domain.absence_words import idle_rule, saved_rule
from games.domain.messages import MOST_PLIES
from games.domain.pacing import dice_of_a_choice
from games.domain.position import of_start
from games.examples.examples import rules_of
from games.finished import dice_reveal
from games.finished.dice_reveal import Unfinished
from games.net.shared_pages import for_a_second
from games.pages import demonstrations, guide
from games.pages.json_response import json_response, refusal_response
from games.registry import GAMES
from games.share import addresses, drawing, link_previews
from games.store import history
from games.store.history import Stored
from games.watch import positions, visibility
from games.watch.visibility import PlayersOnly, View

LONGEST_NUMBER = 7
"""Maximum digits of a ply number."""


@require_safe
def match_page(request: HttpRequest, match_id: str) -> HttpResponse:
    """The page of a match: for its players and, unless it is private, for anyone with the URL."""
    stored, view = _seen(request, match_id)
    game = GAMES[stored.match.game]
    if not view.allowed:
        return render(request, "match/players_only.html", {"game": game}, status=403)
    start = codec.decode_state(game.rules, stored.match.start)
    chosen = start.options
    names = computer_names.at_seats(stored.names, stored.levels)
    computers = {str(seat): names[seat] for seat in stored.levels}
    alone = len(stored.levels) == len(stored.names) - 1
    control = clock.parse(stored.match.clock)
    slow_duel = (
        control.per_move > 0 and not game.dice and len(stored.names) == 2 and not stored.match.holder_id
    )
    return render(
        request,
        "match/match.html",
        {
            "match": stored.match,
            "others": visibility.spectator_access(stored.match),
            "game": game,
            "title": gettext(game.title),
            "names": names,
            "seats": [
                {"seat": seat, "name": name, "level": stored.levels.get(seat)}
                for seat, name in enumerate(names)
            ],
            "computers": codec.encode(computers).decode() if computers else "",
            "alone": alone,
            "preset": options.preset_of(game, chosen),
            "from_position": of_start(game, start, len(stored.names)) is not None,
            "options_in_words": options.in_words(chosen),
            "clock": clock.unhosted(stored.match.clock),
            "clock_in_words": clock_words.in_words(stored.match.clock),
            "plays": view.seat is not None,
            "shared": stored.match.holder_id is not None,
            "watching": _link_to_watch(request, stored, view),
            "coached": _is_coached(stored, view, request.user.pk),
            "timed": control.live,
            "slow": control.per_move > 0,
            "duel": len(stored.names) == 2,
            "hints": view.seat is not None and not stored.match.rated and (alone or not control.live),
            "conditional": view.seat is not None and slow_duel and not stored.over,
            "explains": view.seat is not None and 1 in stored.levels.values(),
            "over": stored.over,
            "socket": f"/ws/page/match/{stored.match.pk}",
            "card": _card(request, stored),
        },
    )


@require_safe
def why(request: HttpRequest, match_id: str) -> HttpResponse:
    """The reason for a move of a computer player of the first level, as JSON, for players of the match.

    The move is the computer's last one up to ply `?ply=`, by default its last one.
    """
    stored, view = _seen(request, match_id)
    if view.seat is None:
        return refusal_response(PlayersOnly())
    until = texts.number(request.GET.get("ply", ""), MOST_PLIES, LONGEST_NUMBER)
    first = [seat for seat, level in stored.levels.items() if level == 1]
    move = history.last_of_a_computer(match_id, first, until)
    if move is None:
        return json_response({"ply": None, "words": gettext("The computer has not moved yet.")})
    rules, before = GAMES[stored.match.game].rules, move.number - 1
    state = history.state_after(match_id, before)
    sentence = GAMES[stored.match.game].why(
        state, rules.parse(move.action), dice_of_a_choice(match_id, before)
    )
    return json_response({"ply": move.number, "words": gettext(sentence)})


@require_safe
def dice_page(request: HttpRequest, match_id: str) -> HttpResponse:
    """How to verify the dice of a match; after the match the browser verifies them."""
    stored, view = _seen(request, match_id)
    match, game = stored.match, GAMES[stored.match.game]
    if not game.dice:
        raise Http404
    if not view.allowed:
        return render(request, "match/players_only.html", {"game": game}, status=403)
    names = computer_names.at_seats(stored.names, stored.levels)
    context = {
        "match_id": match.pk,
        "game": game,
        "begun": stored.last is not None,
        "over": stored.over,
        "names": names,
        "seats": list(zip(names, stored.words, strict=True)),
        **dice.published(match.secret, stored.words, stored.over),
    }
    return render(request, "finished/dice.html", context)


@require_safe
def dice_file(request: HttpRequest, match_id: str) -> HttpResponse:
    """Download the sealed file of a finished match; 409 while it is in play, 403 as for the page."""
    stored, view = _seen(request, match_id)
    if not GAMES[stored.match.game].dice:
        raise Http404
    try:
        view.check()
        if not stored.over:
            raise Unfinished
        sealed = dice_reveal.sealed_dice(match_id)
    except PlayersOnly as error:
        return refusal_response(error)
    except Unfinished:
        detail = gettext("This match is not over yet. The dice secret is revealed when it ends.")
        return json_response({"code": "not-over", "detail": detail}, status=409)
    name = f"parlour-dice-{match_id}.json"
    return json_response(sealed, headers={"Content-Disposition": f'attachment; filename="{name}"'})


def rules_index(request: HttpRequest, done: Mapping[str, int]) -> HttpResponse:
    """The index of the rules pages and of the courses.

    Args:
        done: how many lessons of each course the reader has done, as far as the site knows; by game.
    """
    shown = {slug: demonstrations.demonstration(slug)["start"] for slug in GAMES}
    games = [(game, drawing.beside(slug, shown[slug], slug)) for slug, game in GAMES.items()]
    courses = [
        (game, len(game.course.lessons), done.get(slug, 0)) for slug, game in GAMES.items() if game.course
    ]
    return render(request, "pages/learn.html", {"games": games, "courses": courses})


@require_safe
@for_a_second
def rules_page(request: HttpRequest, slug: str) -> HttpResponse:
    """The rules of a game, with its options in the order of the table form."""
    game = GAMES.get(slug)
    if game is None:
        raise Http404
    title = gettext(game.full_title)
    about = gettext("How to play %(game)s: simple rules, with all options explained.") % {"game": title}
    context = {
        "game": game,
        "title": title,
        "about": about,
        "card": link_previews.card_of_page(request, game, title, about),
        "idle": [
            *idle_rule(settings.IDLE_CLAIM_DAYS, settings.IDLE_END_DAYS, settings.IDLE_GUEST_END_DAYS),
            *saved_rule(settings.IDLE_CLAIM_DAYS, settings.IDLE_END_DAYS),
        ],
        **_rules(slug, get_language()),
    }
    return render(request, "pages/rules.html", context)


@lru_cache(100)
def _rules(slug: str, _language: str | None) -> dict[str, Any]:
    """The rules of a game and its board at the beginning, in the active language."""
    game = GAMES[slug]
    rules = game.rules
    fewest, most = rules.SEATS[0], rules.SEATS[-1]
    start = rules.setup(rules.Options(), fewest)
    return {
        "fewest": fewest,
        "most": most,
        "guide": guide.shown(game),
        "has_examples": bool(rules_of(slug)),
        "options": options.explained(rules.Options),
        "rated_preset": options.preset_in_words(game, game.usual_preset(rated=True)),
        "board": drawing.board(slug, start, gettext("Starting position")),
        "size": drawing.picture_module(slug).size(start),
    }


def _seen(request: HttpRequest, match_id: str) -> tuple[Stored, View]:
    """A match as the reader may see it, and their view of it."""
    return visibility.seen_by(match_id, request.user.pk, datetime.now(UTC))


def _is_coached(stored: Stored, view: View, user_id: int | None) -> bool:
    """Whether the coach is on: for a player against one computer of the lowest level who has never won."""
    if user_id is None or view.seat is None or stored.over:
        return False
    lowest = {seat: 1 for seat in range(len(stored.names)) if seat != view.seat}
    return stored.levels == lowest and not history.has_won(user_id)


def _link_to_watch(request: HttpRequest, stored: Stored, view: View) -> str:
    """The link for spectators, with a QR code, for the holder of a match on one device; "" for others."""
    if stored.match.holder_id is None or view.seat is None:
        return ""
    return addresses.for_others(request)


def _card(request: HttpRequest, stored: Stored) -> link_previews.FramedCard | None:
    """The link preview of a match; None if the match is private."""
    others = visibility.spectator_access(stored.match)
    if not others.allowed:
        return None
    if others.late:
        # Players may see more than those who follow the link.
        shown = positions.position_of(stored.match.pk, None, datetime.now(UTC))
    else:
        shown = positions.last_position(stored)
    return link_previews.card_of(shown, request)
