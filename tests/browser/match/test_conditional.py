"""Conditional moves in Chromium: a line is entered on the board, and played when it is called for."""

from playwright.sync_api import expect

from tests.browser.looks import check_looks
from tests.browser.players import press, seat_timed, wait_for_ply


def test_a_line_is_entered_kept_and_played(new_page, sqlite_server, picture):
    first, second = seat_timed(new_page, sqlite_server, "3d").players
    second.get_by_role("button", name="Conditional moves").click()
    dialog = second.get_by_role("dialog", name="Conditional moves")
    expect(dialog.get_by_text("No lines yet.")).to_be_visible()
    dialog.get_by_role("button", name="Add a line").click()
    plan = second.get_by_role("group", name="Conditional moves")
    expect(plan).to_contain_text("What might")
    press(second, "0")
    expect(plan).to_contain_text("If 1. Your reply?")
    press(second, "8")
    expect(plan).to_contain_text("If 1, then 2.")
    check_looks(second, picture, "conditional")
    plan.get_by_role("button", name="Keep the line").click()
    expect(dialog.get_by_text("If 1, then 2")).to_be_visible()
    check_looks(second, picture, "conditional-lines")
    dialog.get_by_role("button", name="Close").click()
    press(first, "0")
    for page in (first, second):
        wait_for_ply(page, 2)
    rows = sqlite_server.rows("SELECT seat, action FROM games_ply ORDER BY number")
    assert [tuple(row) for row in rows] == [(0, "1"), (1, "2")]
