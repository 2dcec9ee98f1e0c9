"""The tiles of the front page and their menus, built from the registry of games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from django.http import HttpRequest
from django.utils.translation import get_language, gettext

from games.domain.options import preset_in_words
from games.registry import GAMES, Game
from lobby.pairing import queue
from lobby.pairing.pairing_options import Tile, clock_in_short, seats_of, tiles_of
from lobby.people.presence import presence
from lobby.ratings.rated import NotRated, may_be_rated
from lobby.tables.forms import computers, one_board
from lobby.tables.forms.computers import Opponent

Item = dict[str, Any]


def panel(
    request: HttpRequest,
    why_casual: NotRated | None,
    now_here: Mapping[str, Any],
    now: Item,
    sitting: Mapping[str, int],
    opponents: Mapping[str, Opponent],
) -> Item:
    """The context of the upper half of the front page: games and waiting players.

    Args:
        request: the request; its user's own seek is left out.
        why_casual: the reason the user may not play rated matches, if there is one.
        now_here: the counters of the lobby (`lobby.feed.counts`).
        now: what the user waits for (`queue.situation`).
        sitting: number of other players waiting at the tables of each game.
        opponents: the computer player that is offered for each game.
    """
    user = request.user
    if now["seek"] and user.is_authenticated:
        # Without JavaScript, reloading the page is the sign of life.
        queue.seen(user.pk)
    others = _of_others(now_here["seeks"], now["seek"])
    alone = now["seek"] is None and now_here["online"] <= presence.is_online(user.pk or 0)
    waiting = {slug: _people_waiting(slug, others, sitting) for slug in GAMES}
    tiles = [
        {
            **_tile(game, why_casual, now["seek"]),
            "waiting": waiting[game.slug],
            "alone": alone and not waiting[game.slug],
            "opponent": opponents[game.slug],
            "together": one_board.remembered_players(request.session, game),
        }
        for game in GAMES.values()
    ]
    last = computers.remembered_game(request.session)
    at_once = next(tile for tile in tiles if tile["slug"] == last.slug)
    rows = [_seekers(each, why_casual) for each in others]
    return {
        "tiles": tiles,
        "at_once": at_once,
        "seeks": rows,
        "computer_due": _is_due(now["seek"]),
        **now,
    }


def _is_due(seek: Item | None) -> bool:
    """Whether the user has waited long enough to be offered a computer player."""
    computer = (seek or {}).get("computer")
    return computer is not None and seek is not None and seek["waited"] >= computer["after"]


def _of_others(seeks: Sequence[Mapping[str, Any]], mine: Item | None) -> list[Item]:
    """The seeks without the user's own."""
    own = None if mine is None else (_name_of(mine), mine["rated"])
    less = [{**each, "people": each["people"] - ((each["tile"], each["rated"]) == own)} for each in seeks]
    return [each for each in less if each["people"]]


def _name_of(seek: Item) -> str:
    return Tile(seek["game"], seek["preset"], seek["clock"], seek["rated"], seek["seats"]).name


def _people_waiting(slug: str, seeks: Sequence[Item], sitting: Mapping[str, int]) -> int:
    """Number of players one could play a game with at once."""
    seeking: int = sum(each["people"] for each in seeks if each["game"] == slug)
    return seeking + sitting.get(slug, 0)


def _seekers(seekers: Item, why_casual: NotRated | None) -> Item:
    """A row of players who wait for the same tile."""
    tile = Tile.parse(seekers["tile"], seekers["rated"])
    assert tile is not None
    why = why_casual.words if seekers["rated"] and why_casual is not None else ""
    return {
        **seekers,
        "id": f"{tile.name} {'yes' if tile.rated else 'no'}",
        "title": gettext(GAMES[tile.game].title),
        "words": _words(tile),
        "why": why,
    }


def _tile(game: Game, why_casual: NotRated | None, seek: Item | None) -> Item:
    casual = may_be_rated(game, next(iter(game.rules.PRESETS.values()))) or why_casual
    presets = _presets(game.slug, get_language(), "" if seek is None else _name_of(seek))
    return {
        "slug": game.slug,
        "title": gettext(game.full_title),
        "short": gettext(game.title),
        "blurb": gettext(game.blurb),
        "board": game.board,
        "introduced": game.introduction is not None,
        "seats": (game.rules.SEATS[0], game.rules.SEATS[-1]),
        "usual": next(iter(game.rules.PRESETS)),
        "minutes": game.minutes,
        "casual": "" if casual is None else casual.words,
        "presets": presets,
        "quick": presets[0]["tiles"][0] if presets else None,
        "quick_rated": _quick_rated(game, presets),
    }


@lru_cache(1000)
def _presets(slug: str, _language: str | None, wanted: str) -> list[Item]:
    """The presets of a game in the active language; `wanted` is the tile for which a player waits."""
    game = GAMES[slug]
    return [_preset(game, preset, seats, wanted) for seats in seats_of(game) for preset in game.rules.PRESETS]


def _quick_rated(game: Game, presets: Sequence[Item]) -> Item | None:
    """The first tile of the preset that rated matches usually have, if it differs from the casual one."""
    return next((each["tiles"][0] for each in presets if each["slug"] == game.rated_preset), None)


def _preset(game: Game, preset: str, seats: int, wanted: str) -> Item:
    """The tiles of a preset for a number of players, one per clock."""
    return {
        "slug": preset if seats == 2 else f"{preset}-{seats}",
        "words": _rules(game, preset, seats),
        "tiles": [
            {
                "name": tile.name,
                "clock": clock_in_short(tile.clock),
                "words": _words(tile),
                "note": _note(tile),
                "waiting": tile.name == wanted,
            }
            for tile in tiles_of(game, preset, seats)
        ],
    }


def _words(tile: Tile) -> str:
    """The tile as text: rules, number of players if there is a choice, and the clock without line breaks."""
    clock = clock_in_short(tile.clock).replace(" ", "\N{NO-BREAK SPACE}")
    return f"{_rules(GAMES[tile.game], tile.preset, tile.seats)} · {clock}"


def _note(tile: Tile) -> str:
    """What is unusual about the tile, and the clock."""
    usual = next(iter(GAMES[tile.game].rules.PRESETS))
    return clock_in_short(tile.clock) if tile.preset == usual else _words(tile)


def _rules(game: Game, preset: str, seats: int) -> str:
    words = preset_in_words(game, preset)
    if len(seats_of(game)) == 1:
        return words
    return gettext("%(rules)s, %(seats)d players") % {"rules": words, "seats": seats}
