"""The tab of quick pairing on the front page, made from the registry."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext

from games.registry import Game
from lobby.pairing import queue
from lobby.pairing.tiles import Tile, clock_in_short, games, seats_of, tiles_of
from lobby.people.words import preset_in_words
from lobby.ratings.rated import NotRated, may_be_rated

Item = dict[str, Any]


def panel(request: HttpRequest, why_casual: NotRated | None) -> Item:
    """What the tab of quick pairing shows to whoever looks at the front page.

    `why_casual` is why they play no rated match, if that is so.
    """
    user = request.user
    now: Item = queue.situation(user.pk) if user.is_authenticated else {"seek": None, "paired": None}
    if now["seek"] and user.is_authenticated:
        # Without scripts, looking again and again is how one waits.
        queue.seen(user.pk)
    offered = {game.slug: _game(game, why_casual, now["seek"]) for game in games()}
    return {
        "pairing_games": list(offered.values()),
        "pairing_game": offered[_shown(request, now["seek"], offered)],
        "computer_due": _is_due(now["seek"]),
        **now,
    }


def _shown(request: HttpRequest, seek: Item | None, offered: Item) -> str:
    """The game whose tiles are shown: the one waited for or asked for, else the last one looked at."""
    wanted = (seek or {}).get("game"), request.GET.get("game"), request.COOKIES.get("pairing-game")
    return next((slug for slug in wanted if slug in offered), next(iter(offered)))


def _is_due(seek: Item | None) -> bool:
    """Whether somebody has waited so long that a computer player is offered."""
    computer = (seek or {}).get("computer")
    return computer is not None and seek is not None and seek["waited"] >= computer["after"]


def _game(game: Game, why_casual: NotRated | None, seek: Item | None) -> Item:
    casual = may_be_rated(game, next(iter(game.rules.PRESETS.values()))) or why_casual
    return {
        "slug": game.slug,
        "title": gettext(game.title),
        "casual": "" if casual is None else casual.words,
        "presets": [
            _preset(game, preset, seats, seek) for seats in seats_of(game) for preset in game.rules.PRESETS
        ],
    }


def _preset(game: Game, preset: str, seats: int, seek: Item | None) -> Item:
    """The tiles of a preset for so many players, one for each clock."""
    words = preset_in_words(preset)
    if len(seats_of(game)) > 1:
        words = gettext("%(rules)s, %(seats)d players") % {"rules": words, "seats": seats}
    return {
        "slug": preset if seats == 2 else f"{preset}-{seats}",
        "words": words,
        "tiles": [
            {"name": tile.name, "clock": clock_in_short(tile.clock), "waiting": tile.name == _wanted(seek)}
            for tile in tiles_of(game, preset, seats)
        ],
    }


def _wanted(seek: Item | None) -> str:
    """The name of the tile that somebody waits on, "" if there is none."""
    if seek is None:
        return ""
    return Tile(seek["game"], seek["preset"], seek["clock"], seek["rated"], seek["seats"]).name
