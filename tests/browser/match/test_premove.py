"""A premove in Chromium: entered while the opponent thinks, shown, and played when the turn comes."""

from playwright.sync_api import expect

from tests.browser.looks import check_looks
from tests.browser.players import press, seat_timed, wait_for_ply


def test_a_premove_is_shown_taken_back_and_played(new_page, sqlite_server, picture):
    seats = seat_timed(new_page, sqlite_server, "5+3")
    first, second = seats.players
    entered = second.locator(".cell[data-premove]")
    press(second, "8")
    expect(entered).to_have_attribute("data-cell", "8")
    check_looks(second, picture, "premove")
    entered.click(button="right")
    expect(entered).to_have_count(0)
    press(second, "7")
    expect(entered).to_have_attribute("data-cell", "7")
    press(first, "0")
    for page in (first, second):
        wait_for_ply(page, 2)
    rows = sqlite_server.rows("SELECT seat, action FROM games_ply ORDER BY number")
    assert [tuple(row) for row in rows] == [(0, "1"), (1, "1")]
