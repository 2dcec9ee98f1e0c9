"""The design page: every part of the site in every state, for developers."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from games.bots.any_game import random_action
from games.domain import codec
from games.registry import GAMES, Game
from games.rules.base import gettext_noop

SEED = 3
"""Seed of the random moves that lead to the positions of the page."""
MOST_PLIES = 2_000
COLOURS = (
    *("paper", "card", "sunk", "raised", "line", "line-strong", "ink", "ink-soft", "accent", "accent-deep"),
    *("accent-wash", "danger", "danger-wash", "warn", "warn-wash", "hint", "focus"),
    *(f"seat-{seat}" for seat in range(8)),
)
"""The colour tokens that the page shows, except those of boards."""
THEMES = (
    ("wood", gettext_noop("Wood")),
    ("paper", gettext_noop("Paper")),
    ("contrast", gettext_noop("High contrast")),
)
LATE = 0.7
"""The fraction of a match that is played before it is shown, so that pieces have been captured."""


@require_safe
def design_page(request: HttpRequest) -> HttpResponse:
    """The design page: for staff, and for everybody if `DEBUG` is on."""
    if not (settings.DEBUG or getattr(request.user, "is_staff", False)):
        raise Http404
    boards = [
        {"game": game, "title": gettext(game.title), "shown": codec.encode(_late(game)).decode()}
        for game in GAMES.values()
    ]
    context = {
        "boards": boards,
        "games": GAMES.values(),
        "colours": COLOURS,
        "themes": [(theme, gettext(name)) for theme, name in THEMES],
        "texts": ("display", "title", "large", "text", "small"),
    }
    return render(request, "design/design.html", context)


@cache
def _late(game: Game) -> dict[str, Any]:
    """A late position of a random match that is not over."""
    rules, chance = game.rules, Random(f"{game.slug} {SEED}")  # noqa: S311 (nobody plays it)
    states = [rules.setup(rules.Options(), rules.SEATS[0])]
    while rules.outcome(states[-1]) is None and len(states) < MOST_PLIES:
        states.append(rules.play(states[-1], random_action(rules, states[-1], chance)).state)
    late = states[int(LATE * len(states)) :]
    state = next(
        (state for state in late if rules.outcome(state) is None and not rules.chance(state)), states[0]
    )
    return {"state": state, "legal": [str(move) for move in rules.legal_moves(state)]}
