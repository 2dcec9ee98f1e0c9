"""The demonstration of a game on the front page while nobody plays it: some plies, and a picture.

They are the same for all readers, so they can be cached. They are derived from the rules, so a new game needs
nothing of its own.
"""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from games.bots.any_game import random_action
from games.domain import codec
from games.net.threads import in_thread
from games.registry import GAMES, Game
from games.rules.base import Rules
from games.share import drawing
from games.share.painter import painted

FOR_A_WHILE = "public, max-age=3600"

AHEAD = 7
"""Plies that are played before the first position, so that the board is not in its opening position."""
PLIES = 16
TRIES = 20
"""Random matches that are played; the longest is shown, as some end too early."""


@require_safe
def plies(request: HttpRequest, slug: str) -> HttpResponse:
    """A few plies of a game: the state before them, and the events and the state after each."""
    shown = codec.encode(demonstration(_game(slug).slug))
    return HttpResponse(shown, content_type="application/json", headers={"Cache-Control": FOR_A_WHILE})


@require_safe
def picture(request: HttpRequest, slug: str) -> HttpResponse:
    """The position before the demonstration, as an SVG document."""
    game = _game(slug)
    drawn = drawing.picture(slug, demonstration(slug)["start"], None, gettext(game.title))
    return HttpResponse(drawn, content_type="image/svg+xml", headers={"Cache-Control": FOR_A_WHILE})


@require_safe
async def card(request: HttpRequest, slug: str) -> HttpResponse:
    """The position before the demonstration on a preview card, as PNG."""
    start = (await in_thread(demonstration)(_game(slug).slug))["start"]
    response = HttpResponse(content_type="image/png", headers={"Cache-Control": FOR_A_WHILE})
    return await painted(request, drawing.card(slug, start, None), response)


def _game(slug: str) -> Game:
    if slug not in GAMES:
        raise Http404
    return GAMES[slug]


@cache
def demonstration(slug: str) -> dict[str, Any]:
    """The first state of the demonstration, and the events and the state of each visible ply."""
    # Not secret: everybody sees the same.
    chances = (Random(f"{slug} {number}") for number in range(TRIES))  # noqa: S311
    played = (_played(GAMES[slug].rules, rng) for rng in chances)
    states, events = max(played, key=lambda each: len(each[1]))
    ahead = min(AHEAD, len(events) // 2)
    seen = [step for step in zip(events[ahead:], states[ahead + 1 :], strict=True) if step[0]]
    plies = [
        {"ply": number, "events": [codec.encode_event(event) for event in told], "state": state}
        for number, (told, state) in enumerate(seen, 1)
    ]
    return {"start": states[ahead], "plies": plies}


def _played(rules: Rules, rng: Random) -> tuple[list[Any], list[tuple[Any, ...]]]:
    """Play at random; returns all states and the events between them, without the end of the game."""
    options = next(iter(rules.PRESETS.values()))
    states = [rules.setup(options, rules.SEATS[0])]
    events: list[tuple[Any, ...]] = []
    while len(events) < AHEAD + PLIES:
        step = rules.play(states[-1], random_action(rules, states[-1], rng))
        if rules.outcome(step.state) is not None:
            break
        states.append(step.state)
        events.append(step.events)
    return states, events
