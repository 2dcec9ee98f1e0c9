"""Moves that are words, translated. All others are written the same in every language."""

from __future__ import annotations

from django.utils.translation import gettext


def in_words(move: str) -> str:
    """The name of a move given in notation. static/match/move-words.js has the same words."""
    # Translators: moves that people type at a match: to throw the dice, to end one’s turn, to swap sides.
    return {"roll": gettext("roll"), "stop": gettext("stop"), "swap": gettext("swap")}.get(move, move)
