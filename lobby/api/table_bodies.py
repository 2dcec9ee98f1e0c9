"""What programs ask for when they set a table or challenge somebody."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from django.utils.translation import gettext as _

from games.registry import GAMES
from lobby.api.messages import ChallengeBody, TableBody
from lobby.tables.terms import TableError, TableTerms


def options_of(body: ChallengeBody) -> Any:
    """The `Options` that are asked for.

    Raises:
        TableError: "unknown-game" or "bad-option".
    """
    if body.game not in GAMES:
        raise TableError("unknown-game", _("There is no such game here."))
    presets = GAMES[body.game].rules.PRESETS
    preset = presets.get(body.preset or next(iter(presets)))
    if preset is None:
        raise TableError("bad-option", _("This game has no such preset."), "preset")
    unknown = next((name for name in body.options if name not in asdict(preset)), None)
    if unknown is not None:
        raise TableError("bad-option", _("This game has no such option."), unknown)
    return replace(preset, **body.options)


def terms_of(body: ChallengeBody) -> TableTerms:
    """The terms that are asked for."""
    bounds = (body.lowest_rating, body.highest_rating) if isinstance(body, TableBody) else (None, None)
    return TableTerms(True, body.clock, body.rated, body.watchable, body.delay, *bounds)
