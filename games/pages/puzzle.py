"""Pages of puzzles: of a day, of the collection, their pictures, and verdicts on moves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, timedelta
from random import SystemRandom
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import register_converter, reverse
from django.utils.formats import date_format
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from games.domain import codec, options
from games.pages.demonstrations import FOR_A_WHILE
from games.pages.json_response import board_ply
from games.puzzles import collection, daily, difficulty, words
from games.puzzles.collection import Puzzle, Scene, Shown
from games.puzzles.daily import NoPuzzle
from games.registry import GAMES
from games.rules.base import gettext_noop
from games.share import drawing, link_previews
from games.share.painter import painted

A_DAY = timedelta(days=1)
ON_A_PAGE = 20
"""Puzzles on a page of the archive."""
SET_SIZES = (5, 10, 20)
EASIEST, HARDEST = "easiest", "hardest"
ORDERS = {
    "": gettext_noop("Mixed"),
    EASIEST: gettext_noop("Easiest first"),
    HARDEST: gettext_noop("Hardest first"),
}
"""Orders of the archive, as in its address, with their names."""
SEPARATOR = "."
"""Between the puzzles of a set, in its address."""


class Day:
    """URL converter of a date such as 2026-11-22."""

    regex = "[0-9]{4}-[0-9]{2}-[0-9]{2}"

    def to_python(self, text: str) -> date:
        """The date; raises ValueError for a day that does not exist."""
        return date.fromisoformat(text)

    def to_url(self, day: date) -> str:
        """The date as YYYY-MM-DD."""
        return day.isoformat()


register_converter(Day, "day")


@require_safe
def page(request: HttpRequest, day: date | None = None) -> HttpResponse:
    """The puzzle of today, or of an earlier day."""
    today = datetime.now(UTC).date()
    day = today if day is None else day
    shown, is_today = of(day=day), day == today
    named = (
        gettext("Today’s puzzle") if is_today else gettext("Puzzle of %(day)s") % {"day": date_format(day)}
    )
    before = gettext("Yesterday’s puzzle") if is_today else gettext("The day before")
    context = {
        "day": day,
        "is_today": is_today,
        "is_rated": collection.is_collected(shown.puzzle),
        "kind": gettext("Puzzle of the day"),
        "named": named,
        "short": named if is_today else date_format(day),
        "other": (reverse("puzzle-of", args=[day - A_DAY]), before) if day > daily.FIRST else None,
    }
    return _page(
        request, shown, reverse("puzzle-of", args=[day]), reverse("puzzle-card", args=[day]), context
    )


@require_safe
def collected(request: HttpRequest, slug: str, puzzle_key: str) -> HttpResponse:
    """A puzzle of the collection, and the way to the next one of the same theme or set."""
    shown = of(slug=slug, puzzle_key=puzzle_key)
    query, puzzles = _chosen(slug, request.GET)
    others = [each.key for each in puzzles]
    place = others.index(puzzle_key) if puzzle_key in others else -1
    number = [*collection.by_game()[slug]].index(puzzle_key) + 1
    named = gettext("Puzzle %(number)d") % {"number": number}
    following = reverse("collected-puzzle", args=[slug, others[(place + 1) % len(others)]]) + query
    context = {
        "kind": gettext("Puzzle"),
        "named": named,
        "short": named,
        "key": puzzle_key,
        "is_rated": True,
        "themes": theme_names(shown.puzzle),
        "archive": reverse("puzzles-of", args=[slug]) + query,
        "other": (following, gettext("Next puzzle")),
    }
    address, card_address = (
        reverse(name, args=[slug, puzzle_key]) for name in ("collected-puzzle", "collected-puzzle-card")
    )
    return _page(request, shown, address, card_address, context)


@require_safe
def archive(request: HttpRequest) -> HttpResponse:
    """The games that have puzzles, each with the picture of its first one."""
    games = [
        (GAMES[slug], len(puzzles), next(iter(puzzles))) for slug, puzzles in collection.by_game().items()
    ]
    return render(request, "puzzles/archive.html", {"games": games})


def archive_of(request: HttpRequest, slug: str, runs: Sequence[tuple[str, str, int]]) -> HttpResponse:
    """The puzzles of a game: all, those of a theme, or a set that somebody has made.

    Args:
        runs: the kinds of runs, with their names and the reader's best scores.
    """
    query, puzzles = _chosen(slug, request.GET)
    theme, order = request.GET.get("theme", ""), _order(request.GET)
    shown = Paginator(puzzles, ON_A_PAGE).get_page(request.GET.get("page"))
    numbers = {key: number for number, key in enumerate(collection.by_game()[slug], 1)}
    ratings = difficulty.ratings(slug)
    context = {
        "game": GAMES[slug],
        "title": gettext(GAMES[slug].title),
        "page": shown,
        "rows": [_row(slug, each, numbers[each.key], ratings[each.key], query) for each in shown],
        "runs": runs,
        "theme": theme,
        "themes": [
            (each, gettext(words.THEMES[each]), len(_of_theme(slug, each)), _query(each, order))
            for each in _themes(slug)
        ],
        "all": _query("", order),
        "orders": [(gettext(name), each == order, _query(theme, each)) for each, name in ORDERS.items()],
        "count": len(numbers),
        "set": reverse("puzzles-of", args=[slug]) + query if "set" in request.GET else "",
        "sizes": SET_SIZES,
    }
    return render(request, "puzzles/archive_of.html", context)


@require_safe
def made_set(request: HttpRequest, slug: str) -> HttpResponse:
    """Redirect to a set of random puzzles, all or those of a theme. Its link shows everybody the same."""
    puzzles = _of_theme(slug, request.GET.get("theme", ""))
    wanted = request.GET.get("count", "")
    count = int(wanted) if wanted in map(str, SET_SIZES) else SET_SIZES[0]
    keys = [each.key for each in SystemRandom().sample(puzzles, min(count, len(puzzles)))]
    return HttpResponseRedirect(set_address(slug, keys))


def set_address(slug: str, keys: Iterable[str]) -> str:
    """The address of a set of puzzles."""
    return f"{reverse('puzzles-of', args=[slug])}?set={SEPARATOR.join(keys)}"


@require_safe
def days(request: HttpRequest) -> HttpResponse:
    """The puzzles of all days until today."""
    today = datetime.now(UTC).date()
    every = range((today - daily.FIRST).days + 1)
    shown = Paginator(every, ON_A_PAGE).get_page(request.GET.get("page"))
    rows = [_row_of_day(today - number * A_DAY) for number in shown]
    return render(request, "puzzles/days.html", {"page": shown, "rows": rows})


@require_safe
def picture(request: HttpRequest, **where: Any) -> HttpResponse:
    """The position of a puzzle, as an SVG document."""
    shown = of(**where)
    drawn = drawing.picture(shown.game.slug, shown.state, None, gettext(shown.game.title))
    return HttpResponse(drawn, content_type="image/svg+xml", headers={"Cache-Control": FOR_A_WHILE})


@require_safe
async def card(request: HttpRequest, **where: Any) -> HttpResponse:
    """The position of a puzzle on a preview card, as PNG."""
    shown = of(**where)
    response = HttpResponse(content_type="image/png", headers={"Cache-Control": FOR_A_WHILE})
    return await painted(request, drawing.card(shown.game.slug, shown.state, None), response)


def judged(shown: Shown, move: str) -> dict[str, Any]:
    """The verdict on a move, with the plies of the answer if it is correct. Raises `IllegalMove`."""
    right, parsed = collection.is_answer(shown, move), str(shown.game.rules.parse(move))
    return {
        "right": right,
        "words": words.verdict(shown, parsed),
        "move": parsed,
        "plies": _plies(shown, right),
    }


def answered(shown: Shown) -> dict[str, Any]:
    """The best move, with its verdict and plies, for solvers who give up."""
    move = shown.puzzle.answer
    return {"right": False, "words": words.verdict(shown, move), "move": move, "plies": _plies(shown, True)}


def on_board(
    request: HttpRequest, scene: Scene, question: str, address: str, context: dict[str, Any]
) -> HttpResponse:
    """A page that asks for the best move in a position."""
    chosen = scene.state.options
    return render(
        request,
        "puzzles/puzzle.html",
        {
            **context,
            "address": address,
            "name": _name(scene, context["kind"]),
            "game": scene.game,
            "title": gettext(scene.game.title),
            "question": question,
            "rules": options.in_words(chosen),
            "preset": options.preset_in_words(scene.game, options.preset_of(scene.game, chosen)),
            "position": on_screen(scene),
        },
    )


def theme_names(puzzle: Puzzle) -> str:
    """The themes of a puzzle in words."""
    return ", ".join(gettext(words.THEMES[theme]) for theme in puzzle.themes)


def of(day: date | None = None, slug: str = "", puzzle_key: str = "") -> Shown:
    """The puzzle of a day, or of the collection. Raises `Http404`."""
    try:
        if day is not None:
            return daily.of_day(day, datetime.now(UTC).date())
        return collection.shown(collection.by_game()[slug][puzzle_key])
    except (NoPuzzle, KeyError) as error:
        raise Http404 from error


def _chosen(slug: str, asked: QueryDict) -> tuple[str, list[Puzzle]]:
    """The puzzles that a query asks for, and the query that says so. Raises `Http404` if there are none."""
    if "set" not in asked:
        theme, order = asked.get("theme", ""), _order(asked)
        return _query(theme, order), _ordered(slug, _of_theme(slug, theme), order)
    puzzles = puzzles_of_set(slug, asked.get("set", ""))
    if not puzzles:
        raise Http404
    return f"?set={SEPARATOR.join(each.key for each in puzzles)}", puzzles


def puzzles_of_set(slug: str, text: str) -> list[Puzzle]:
    """The puzzles of a set, as its address names them; unknown ones are left out."""
    there = collection.by_game().get(slug, {})
    keys = [key for key in dict.fromkeys(text.split(SEPARATOR)) if key in there]
    return [there[key] for key in keys[: max(SET_SIZES)]]


def _order(asked: QueryDict) -> str:
    order = asked.get("order", "")
    return order if order in ORDERS else ""


def _ordered(slug: str, puzzles: list[Puzzle], order: str) -> list[Puzzle]:
    """Puzzles of a game by rating, if an order is asked for."""
    if not order:
        return puzzles
    ratings = difficulty.ratings(slug)
    return sorted(puzzles, key=lambda each: ratings[each.key], reverse=order == HARDEST)


def _query(theme: str, order: str) -> str:
    asked = {name: value for name, value in (("theme", theme), ("order", order)) if value}
    return f"?{urlencode(asked)}" if asked else ""


def _row(slug: str, puzzle: Puzzle, number: int, rating: float, query: str) -> dict[str, Any]:
    """A puzzle of the collection in a list."""
    note = " · ".join(filter(None, (words.asked(collection.shown(puzzle)), theme_names(puzzle))))
    return {
        "key": puzzle.key,
        "address": reverse("collected-puzzle", args=[slug, puzzle.key]) + query,
        "picture": reverse("collected-puzzle-picture", args=[slug, puzzle.key]),
        "named": gettext("Puzzle %(number)d") % {"number": number},
        "note": note,
        "rating": round(rating),
    }


def _row_of_day(day: date) -> dict[str, Any]:
    """The puzzle of a day in a list."""
    shown = of(day=day)
    return {
        "address": reverse("puzzle-of", args=[day]),
        "picture": reverse("puzzle-picture", args=[day]),
        "named": date_format(day),
        "note": f"{gettext(shown.game.title)} · {words.asked(shown)}",
    }


def _of_theme(slug: str, theme: str) -> list[Puzzle]:
    """The puzzles of a game that have a theme, all of them for "". Raises `Http404` if there are none."""
    puzzles = collection.by_game().get(slug, {}).values()
    found = [each for each in puzzles if not theme or theme in each.themes]
    if not found:
        raise Http404
    return found


def _themes(slug: str) -> list[str]:
    """The themes that a game has."""
    there = {theme for puzzle in collection.by_game()[slug].values() for theme in puzzle.themes}
    return [theme for theme in collection.THEMES if theme in there]


def question_of(shown: Shown) -> str:
    """Whose turn it is, and the task."""
    return f"{words.to_move(shown)} {words.asked(shown)}"


def _page(
    request: HttpRequest, shown: Shown, address: str, card_address: str, context: dict[str, Any]
) -> HttpResponse:
    """The page of a puzzle on the board."""
    question = question_of(shown)
    name = _name(shown, context["kind"])
    card = link_previews.card_of_page(request, shown.game, name, question, card_address)
    return on_board(request, shown, question, address, {**context, "card": card})


def _name(scene: Scene, kind: str) -> str:
    return f"{kind}: {gettext(scene.game.title)}"


def on_screen(scene: Scene) -> dict[str, Any]:
    """The initial data of the board."""
    return codec.plain(
        {
            "state": scene.state,
            "seat": scene.state.turn,
            "names": words.names(scene),
            "legal": [str(move) for move in scene.game.rules.legal_moves(scene.state)],
            "before": [],
        }
    )


def _plies(shown: Shown, told: bool) -> list[dict[str, Any]]:
    """The plies of the answer in the format of the board; none unless `told`."""
    if not told:
        return []
    played = collection.answer(shown)
    return [board_ply(number, each.step, each.outcome) for number, each in enumerate(played, 1)]
