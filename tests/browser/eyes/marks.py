"""The marks of seats on the boards of all games, photographed in all sets of colours and for all eyes."""

from __future__ import annotations

import dataclasses
import json
from itertools import combinations
from random import Random
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import numpy as np
from playwright.sync_api import CDPSession, Page, Route

from games.bots.any_game import random_action
from games.domain import codec
from games.registry import GAMES
from tests.browser.eyes.colours import contrast, difference, lab
from tests.browser.eyes.photographs import Box, Pixels, light_of, luminances, photographs
from tests.helpers.samples import FULL, in_full
from tools.harness.services import ROOT

EYES = ("none", "achromatopsia", "protanopia", "deuteranopia", "tritanopia") if FULL else ("achromatopsia",)
"""As Chromium calls them (CDP, Emulation.setEmulatedVisionDeficiency).

It draws the page as G. M. Machado, M. M. Oliveira and L. A. F. Fernandes, "A Physiologically-based Model for
Simulation of Color Vision Deficiency" (2009) compute it where a kind of cones is missing. So a picture is
what is measured, and anybody sees the same one with the tools of the browser.

A usual run looks through the eyes that see the least: in greys, in light."""
THEMES = ("wood", "paper", "contrast")
SCHEMES = in_full("light", "dark")

WIDTH = 640
"""Of a board on the stage: what it has on a laptop, about."""
GRID = 24
"""Pictures of marks are compared in so many rows and columns."""


class Look(NamedTuple):
    """How the mark of a seat looks: the colour of its ground, and its picture in grey."""

    colour: tuple[float, float, float]
    grey: Pixels


class Apart(NamedTuple):
    """How far two marks are from each other."""

    delta: float
    contrast: float
    shape: float


STAGE = "http://stage.test"
HTML = """
    <!doctype html><title>Stage</title><link rel="icon" href="data:,">
    <link rel="stylesheet" href="/css/site.css"><link rel="stylesheet" href="/css/board.css">
"""
# The boards say their words in English, as they are written.
WORDS = """
    window.gettext = (words) => words;
    window.ngettext = (one, many, count) => (count === 1 ? one : many);
    window.interpolate = (words, values) => words.replace(/%\\((\\w+)\\)s/g, (_, name) => values[name]);
"""
# The boards as the site draws them, each in every set of colours, with nothing beside them.
SET_STAGE = """
    async ([games, themes, width]) => {
        const [{picture}, {marked, viewOf}] =
            await Promise.all([import('/shapes/patch.js'), import('/board/miniboard.js')]);
        const modules = Object.fromEntries(await Promise.all(
            games.map(async ({slug}) => [slug, await import(`/boards/${slug}.js`)])));
        const stages = themes.map((theme) => {
            const stage = document.createElement('div');
            stage.dataset.board = theme;
            stage.style.cssText = 'display: grid; grid-template-columns: auto auto; justify-content: start';
            stage.append(...games.map(({slug, state, seats}) => {
                const names = Array.from({length: seats}, (_, nth) => `Seat ${nth}`);
                const view = viewOf({match: {id: '', game: slug, players: names}, events: [], outcome: null});
                const mark = `${theme}-${slug}-`;
                const shapes = modules[slug].draw(state, view).map((shape) => marked(shape, mark));
                const size = modules[slug].viewBox(state, view).join(' ');
                const board = picture(shapes, `0 0 ${size}`, 'board-art');
                board.dataset.game = slug;
                board.style.cssText = `width: ${width}px; height: auto`;
                return board;
            }));
            return stage;
        });
        document.body.replaceChildren(...stages);
    }
"""
# Where the largest mark, man and area of every seat stand: a square around the middle of each.
FIND = """
    () => [...document.querySelectorAll('[data-game]')].flatMap((board) => {
        const kinds = {
            mark: (seat) => `g > path[fill="var(--seat-${seat})"]`,
            man: (seat) => `circle[fill$="morris-${['white', 'black'][seat]})"]`,
            area: (seat) => `rect[fill$="seat-fill-${seat})"]`,
        };
        const seats = [0, 1, 2, 3, 4, 5, 6, 7];
        return Object.entries(kinds).flatMap(([kind, selector]) => seats.flatMap((seat) => {
            const boxes = [...board.querySelectorAll(selector(seat))]
                .map((each) => each.getBoundingClientRect())
                // A strip that is no wider than a line shows no pattern: there is a mark beside it.
                .filter(({width, height}) => Math.min(width, height) >= 8)
                .sort((a, b) => b.width - a.width);
            return boxes.slice(0, 1).map(({left, top, width, height}) => ({
                game: board.dataset.game, theme: board.closest('[data-board]').dataset.board, kind, seat,
                x: left + width / 2, y: top + height / 2,
                side: kind === 'area' ? Math.min(width, height) : Math.max(width, height),
            }));
        }));
    })
"""


def open_stage(page: Page) -> None:
    """A page with nothing but the style sheets and modules of the site, as they are in `static/`."""
    page.route(f"{STAGE}/**", _from_static)
    page.add_init_script(WORDS)
    page.goto(f"{STAGE}/")


def _from_static(route: Route) -> None:
    path = urlsplit(route.request.url).path
    if path == "/":
        route.fulfill(body=HTML, content_type="text/html")
    else:
        route.fulfill(path=ROOT / "static" / path.removeprefix("/"))


def looks(page: Page, scheme: str) -> dict[tuple[str, str, str], dict[str, list[Look]]]:
    """The looks of all seats by (game, kind of mark, set of colours) and by eye, in light or dark."""
    page.evaluate(SET_STAGE, [positions(), THEMES, WIDTH])
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    places = page.evaluate(FIND)
    squares = [_square(each) for each in places]
    found: dict[tuple[str, str, str], dict[str, list[Look]]] = {}
    devtools = page.context.new_cdp_session(page)
    for eye in EYES:
        seen_by(devtools, eye)
        for place, pixels in zip(places, photographs(page, squares), strict=True):
            key = place["game"], place["kind"], f"{place['theme']} {scheme}"
            found.setdefault(key, {}).setdefault(eye, []).append(_look(pixels, place["kind"]))
    devtools.detach()
    return found


def seen_by(devtools: CDPSession, eye: str) -> None:
    """Show the page as an eye sees it, from now on."""
    devtools.send("Emulation.setEmulatedVisionDeficiency", {"type": eye})


def _square(place: dict[str, Any]) -> Box:
    side = round(place["side"])
    return round(place["x"] - place["side"] / 2), round(place["y"] - place["side"] / 2), side, side


def _look(pixels: Pixels, kind: str) -> Look:
    """The colour that most of a mark has within its rim, and all of it in grey, `GRID` by `GRID`."""
    light = light_of(pixels)
    # At its edge a small mark is blurred.
    rim = max(3, len(light) // 8)
    middle = pixels[rim : len(light) - rim, rim : len(light) - rim].reshape(-1, 3)
    colours, counts = np.unique(middle, axis=0, return_counts=True)
    red, green, blue = light_of(colours[counts.argmax()])
    # What lies around a round man says nothing about it.
    edge = round(len(light) * 0.15) if kind == "man" else 0
    inner = light[edge : len(light) - edge, edge : len(light) - edge]
    rows = np.linspace(0, len(inner) - 1, GRID).round().astype(int)
    grey = np.cbrt(luminances(inner))
    return Look((float(red), float(green), float(blue)), grey[np.ix_(rows, rows)])


def apart(one: Look, other: Look) -> Apart:
    """CIEDE2000, the contrast of luminances, and how little of one shape is in the other.

    The last is 0 for the same drawing in two colours, however far these are apart, and 1 for two drawings
    that have nothing in common: one less the correlation of their greys, whichever of them is light.
    """
    correlation = np.corrcoef(one.grey.ravel(), other.grey.ravel())[0, 1]
    return Apart(
        difference(lab(one.colour), lab(other.colour)),
        contrast(one.colour, other.colour),
        float(1 - abs(correlation)),
    )


def pairs(seats: list[Look]) -> dict[tuple[int, int], Apart]:
    """How far every two seats are apart."""
    return {
        (one, other): apart(seats[one], seats[other]) for one, other in combinations(range(len(seats)), 2)
    }


def positions() -> list[dict[str, Any]]:
    """A position of every game in which each seat of the fullest table has its marks on the board."""
    return [
        {"slug": slug, "seats": game.rules.SEATS[-1], "state": json.loads(codec.encode(_position(slug)))}
        for slug, game in GAMES.items()
    ]


def _position(slug: str) -> Any:
    rules, chance = GAMES[slug].rules, Random(slug)
    state = rules.setup(rules.Options(), rules.SEATS[-1])
    for _ in range(10):
        state = rules.play(state, random_action(rules, state, chance)).state
    if hasattr(state, "owners"):
        seats = range(rules.SEATS[-1])
        owners = [None] * len(state.owners)
        for seat in seats:
            owners[2 + seat] = seat  # type: ignore[call-overload]
        return dataclasses.replace(state, owners=tuple(owners))
    return state
