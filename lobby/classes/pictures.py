"""The picture on the card of a pupil, by which small children know theirs: a pattern of two equal halves."""

from __future__ import annotations

import hashlib

from django.utils.safestring import SafeString, mark_safe

from lobby.people.models import User

SIDE = 5
"""Squares on each side."""


def picture(pupil: User) -> SafeString:
    """The picture of a pupil as SVG. It follows from the made-up name, so a new card has the same."""
    digest = hashlib.sha256(pupil.username.encode()).digest()
    half = (SIDE + 1) // 2
    places = [(row, column) for row in range(SIDE) for column in range(half)]
    filled = [place for place, byte in zip(places, digest, strict=False) if byte % 2]
    squares = {(row, each) for row, column in filled for each in (column, SIDE - 1 - column)}
    path = "".join(f"M{column} {row}h1v1h-1z" for row, column in sorted(squares))
    # Only numbers that were computed here.
    return mark_safe(  # noqa: S308
        f'<svg class="pupil-picture" viewBox="0 0 {SIDE} {SIDE}" aria-hidden="true"'
        f' shape-rendering="crispEdges"><path d="{path}"/></svg>'
    )
