"""Clocks in Chromium: a flag that falls, and room for them on the page. What they show is tested in Node."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.looks import check_looks
from tests.browser.players import press, seat_timed, wait_for_ply
from tests.helpers.samples import in_full

OFF_LINE = """(seat) => {
    const card = document.querySelector(`.player[data-seat='${seat}']`);
    const middle = (part) => {
        const {top, bottom, height} = card.querySelector(part).getBoundingClientRect();
        return height && (top + bottom) / 2;
    };
    const tally = middle('.player-tally');
    const apart = ['.player-name', '.player-clock'].map((part) => Math.abs(middle(part) - tally));
    return tally && Math.min(...apart);
}"""
"""How far what a player has stands from the line of their name or of their clock, if it is shown."""


def clock(page, seat):
    return page.locator(f".player[data-seat='{seat}'] .player-clock")


def stored(server, match_id):
    rows = server.rows("SELECT action FROM games_ply WHERE match_id = ? ORDER BY number", match_id)
    return [action for (action,) in rows]


def test_a_fallen_flag_ends_the_match_for_both_and_the_watcher(new_page, sqlite_server):
    seats = seat_timed(new_page, sqlite_server, "0.1+0")
    first, second = seats.players
    watcher = seats.watcher
    press(first, "0")
    press_once_playable(second, "7")
    for page in (first, second, watcher):
        wait_for_ply(page, 3)
        expect(page.locator("#reason")).to_contain_text("ran out of time")
        expect(clock(page, 0)).to_have_text("0.0")
        expect(page.locator(".player-clock[data-running]")).to_have_count(0)
    expect(second.locator("#headline")).to_have_text("You won")
    assert stored(sqlite_server, seats.match_id) == ["1", "1", "left:0:time"]
    standing = clock(second, 1).inner_text()
    second.reload()
    wait_for_ply(second, 3)
    expect(clock(second, 1)).to_have_text(standing)


def press_once_playable(page, cell):
    """Press a place of the board at one's turn, whatever happens after that."""
    page.locator(f"#board [data-cell='{cell}'][data-playable]").click()


def test_a_ticking_clock_moves_nothing_on_the_page(new_page, sqlite_server):
    """Boxes of the page are the same from one reading of the clock to others."""
    seats = seat_timed(new_page, sqlite_server, "5+3")
    press(seats.players[0], "0")
    press_once_playable(seats.players[1], "7")
    page = new_page(sqlite_server)
    page.clock.install()
    page.goto(f"/m/{seats.match_id}")
    expect(clock(page, 0)).to_have_attribute("data-running", "")
    boxes = """() => JSON.stringify(
        [...document.querySelectorAll('.player, .player-clock, .player-words, .board, .match-moves')]
            .map(element => element.getBoundingClientRect().toJSON()))"""
    seen = set()
    # A jump that a clock makes is no silence of the server, as long as it is one at a time.
    for jump, reading in (
        (275_000, r"^0:2\d$"),
        (4_500, r"^0:[12]\d$"),
        (4_500, r"^0:1\d$"),
        (4_500, r"^0:1\d$|^\d\.\d$"),
    ):
        page.clock.fast_forward(jump)
        expect(clock(page, 0)).to_have_attribute("data-low", "")
        expect(clock(page, 0)).to_have_text(re.compile(reading))
        seen.add(page.evaluate(boxes))
    page.clock.fast_forward(4_500)
    expect(clock(page, 0)).to_have_text(re.compile(r"^\d\.\d$"))
    seen.add(page.evaluate(boxes))
    assert len(seen) == 1


@pytest.mark.parametrize("width", in_full(1280, 390))
@pytest.mark.parametrize(("game", "seats"), in_full(("kalah", 2), ("aces", 4)))
def test_clocks_fit_and_axe_finds_nothing_serious(new_page, sqlite_server, picture, game, seats, width):
    viewport = {"width": width, "height": 844 if width == 390 else 800}
    seated = seat_timed(new_page, sqlite_server, "15+10", seats, game, viewport=viewport)
    page = seated.players[0]
    for seat in range(seats):
        expect(clock(page, seat)).to_be_visible()
        name = page.locator(f".player[data-seat='{seat}'] .player-name")
        assert name.bounding_box()["width"] >= 100
        assert page.evaluate(OFF_LINE, seat) <= 1
    check_looks(page, picture, f"clocks-{game}")
