"""The examples of the rules of a game, for the boards on the page of its rules. Nothing is stored."""

from __future__ import annotations

from functools import cache
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from games.domain import codec, position
from games.examples.examples import Example, rules_of
from games.pages.demonstrations import FOR_A_WHILE
from games.registry import GAMES


@require_safe
def examples(request: HttpRequest, slug: str) -> HttpResponse:
    """All examples of a game, by the number of their rule. They are the same in all languages."""
    if slug not in GAMES:
        raise Http404
    return HttpResponse(
        _encoded(slug), content_type="application/json", headers={"Cache-Control": FOR_A_WHILE}
    )


@cache
def _encoded(slug: str) -> bytes:
    return codec.encode([[_shown(each) for each in rule.examples] for rule in rules_of(slug)])


def _shown(example: Example) -> dict[str, Any]:
    """An example as its board begins: the position, the legal moves, and what is to be played."""
    start = position.parse(example.position)
    return {
        "position": example.position,
        "seats": start.seats,
        "state": start.state,
        "legal": [str(move) for move in start.game.rules.legal_moves(start.state)],
        "line": example.line,
        "refused": example.refused,
    }
