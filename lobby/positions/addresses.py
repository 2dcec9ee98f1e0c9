"""Addresses of positions, which people can read."""

from __future__ import annotations

from urllib.parse import quote_plus

from django.urls import reverse

from games.domain.position import Position

READABLE = "=,*:;[]"
"""Characters of positions that a query may have as they are."""


def address(shown: Position, name: str = "position") -> str:
    """The path of the page of a position, or of its picture by the `name` of that URL."""
    return f"{reverse(name, args=[shown.game.slug])}?p={quote_plus(str(shown), safe=READABLE)}"
