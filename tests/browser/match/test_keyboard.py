"""Every board can be entered by Tab alone and walked by the arrow keys, whatever the game."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from games.registry import GAMES, Game
from tests.browser.conftest import NewPage
from tests.browser.players import NO_ANIMATION, wait_for_ply
from tests.helpers.samples import in_full
from tools.harness.people import Person, guest
from tools.harness.servers import ParlourServer

ARROWS = ("ArrowDown", "ArrowRight", "ArrowUp", "ArrowLeft")
MOST_TABS = 100
MOST_STEPS = 1000
"""Several times as many as the largest board takes."""

WIDE, NARROW = {"width": 1280, "height": 800}, {"width": 360, "height": 740}

ROWS = """
    () => [...document.querySelectorAll('#board [role=row]')].map((row) =>
      [...row.children].map((cell) => cell.dataset.cell))
"""
WALK = """
    ([places, keys, most]) => {
        const left = new Set(places);
        const turns = new Map();
        for (let step = 0; left.size && step <= most; step += 1) {
            const here = document.activeElement.closest('#board [data-cell]');
            left.delete(here?.dataset.cell);
            const turn = turns.get(here) ?? 0;
            turns.set(here, turn + 1);
            const pressed = {key: keys[turn % keys.length], bubbles: true, cancelable: true};
            document.activeElement.dispatchEvent(new KeyboardEvent('keydown', pressed));
        }
        return [...left];
    }
"""
"""Presses each of the keys in turn at every place to which they lead; the places to which they do not lead.

Within the page, as hundreds of real presses are dear; by_ear walks over a board by real ones.
"""
FOCUSED = "() => document.activeElement.closest('#board [data-cell]')?.dataset.cell ?? null"


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_board_is_entered_by_tab_and_walked_by_arrows(
    new_page: NewPage, sqlite_server: ParlourServer, game: Game
) -> None:
    host, other = guest(sqlite_server), guest(sqlite_server)
    page = new_page(sqlite_server)
    page.add_init_script(NO_ANIMATION)
    cookies = (cookie.split("=", 1) for cookie in host.headers()["Cookie"].split("; "))
    page.context.add_cookies([{"name": n, "value": v, "url": sqlite_server.url} for n, v in cookies])
    walked = []
    for path, size in itertools.product(matches(host, other, game), in_full(WIDE, NARROW)):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        page.goto(path)
        wait_for_ply(page, 0)
        rows = page.evaluate(ROWS)
        enter(page)
        check_one_stop(page)
        # Rules that change no place of the board are walked once.
        if rows not in walked:
            walked.append(rows)
            assert not_reached(page, {name for row in rows for name in row}) == []
            check_one_stop(page)
        page.keyboard.press("Tab")
        assert page.evaluate(FOCUSED) is None


def matches(host: Person, other: Person, game: Game) -> Iterator[str]:
    """The page of a match of a game; in the full run, of one for each of its presets."""
    for preset in in_full(*game.rules.PRESETS):
        host.post(f"/new/{game.slug}", preset=preset, seats=str(game.rules.SEATS[0]), first="host")
        other.post(f"{host.path}/sit")
        yield other.path


def enter(page: Page) -> None:
    """Press Tab from where the focus is until it is on a place of the board."""
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        if page.evaluate(FOCUSED) is not None:
            return
    raise AssertionError("no place of the board can be reached by Tab")


def check_one_stop(page: Page) -> None:
    """Of all places of the board, the one in focus is in the order of Tab."""
    stop = page.locator("#board [data-cell][tabindex='0']")
    expect(stop).to_have_count(1)
    assert stop.get_attribute("data-cell") == page.evaluate(FOCUSED)


def not_reached(page: Page, places: set[str]) -> list[str]:
    """The places to which arrow keys do not lead from the one in focus."""
    left: list[str] = page.evaluate(WALK, [sorted(places), ARROWS, MOST_STEPS])
    return left
