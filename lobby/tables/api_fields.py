"""What programs ask for when they set a table, challenge somebody or create a tournament."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from games.domain.position import Position, parse
from games.registry import GAMES
from games.rules.base import check_field
from lobby.api.messages import ChallengeBody, RulesBody, TableBody
from lobby.tables.refusals import BadOption, PresetBadOption, UnknownGame
from lobby.tables.terms import TableTerms


def options_of(body: RulesBody) -> Any:
    """The `Options` that are asked for besides a position.

    Raises:
        TableError: "unknown-game" or "bad-option".
    """
    if body.game not in GAMES:
        raise UnknownGame
    game = GAMES[body.game]
    preset = game.rules.PRESETS.get(body.preset or game.usual_preset(body.rated))
    if preset is None:
        raise PresetBadOption
    unknown = next((name for name in body.options if name not in asdict(preset)), None)
    if unknown is not None:
        raise BadOption(unknown)
    return replace(preset, **body.options)


def position_of(body: ChallengeBody) -> Position | None:
    """The position at which the match is to begin, which has the rules; None for the start of the game.

    Raises `BadPosition`, also if the body has rules as well.
    """
    if body.position is None:
        return None
    check_field(body.preset is None and not body.options, "options")
    return parse(body.position)


def terms_of(body: ChallengeBody) -> TableTerms:
    """The terms that are asked for."""
    bounds = (body.lowest_rating, body.highest_rating) if isinstance(body, TableBody) else (None, None)
    return TableTerms(True, body.clock, body.rated, body.watchable, body.delay, *bounds, chat=body.chat)
