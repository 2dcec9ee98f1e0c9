"""The names of computer players in the language of the user.

Accounts, files and the API keep the names as they are stored (`games.bots.base.Level`).
"""

from __future__ import annotations

from django.utils.translation import gettext


def in_words(name: str) -> str:
    """The name of a computer player, which may end with a number: Sprout, Sprout-2."""
    stem, hyphen, number = name.partition("-")
    return f"{gettext(stem)}{hyphen}{number}"
