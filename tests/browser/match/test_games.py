"""The last moves of every other game in Chromium, with all its seats taken and somebody watching."""

import json

import pytest
from playwright.sync_api import expect

from games.registry import GAMES
from tests.browser.looks import check_looks
from tests.browser.players import at_board, at_the_end, press, summary, wait_for_ply
from tests.helpers.samples import sample

NAMES = """
    SELECT username FROM lobby_user u JOIN games_seating s ON s.user_id = u.id
    WHERE s.match_id = ? ORDER BY seat
"""
LAST = "SELECT number, state FROM games_ply WHERE match_id = ? ORDER BY number DESC LIMIT 1"


def position(server, match_id):
    """The number of the last ply and the state after it, from the store."""
    rows = server.rows(LAST, match_id)
    if rows:
        return rows[0][0], json.loads(rows[0][1])
    ((start,),) = server.rows("SELECT start FROM games_match WHERE id = ?", match_id)
    return 0, json.loads(start)


def check_boards(server, seats, ply, state):
    """Every board stands at the stored position; what it says of it is what the stored one would say."""
    names = [name for (name,) in server.rows(NAMES, seats.match_id)]
    for number, page in enumerate(seats.all):
        wait_for_ply(page, ply)
        if number == state["turn"] and state["ended"] is None:
            continue  # it also says what can be played, which is not of the position
        mine = number if number < len(names) else None
        expected = page.evaluate(
            """async ([state, seat, names]) => {
                const board = await import(document.getElementById('match').dataset.board);
                const view = {seat, bottom: seat ?? 0, names, legal: [], selection: null,
                              last: null, outcome: null, narrow: false, preview: null};
                return board.summary(state, view);
            }""",
            [state, mine, names],
        )
        # The page adds whose turn it is.
        assert summary(page).startswith(expected)


def check_end(seats):
    for page in seats.all:
        expect(page.locator("#headline")).to_contain_text("won")
        expect(page.locator("#resign")).to_be_hidden()


def test_nine_mens_morris_by_two(new_page, launcher, picture):
    server = launcher.open(launcher.store("sqlite"), SOCKET_RATE="0")
    seats, left = at_the_end(new_page, server, "morris", "nine", 8)
    ply, state = position(server, seats.match_id)
    while state["ended"] is None:
        mover = seats.players[state["turn"]]
        wait_for_ply(mover, ply)
        for point in left[ply].removeprefix("x").split("-"):
            press(mover, point)
        wait_for_ply(mover, ply + 1)
        ply, state = position(server, seats.match_id)
    check_boards(server, seats, ply, state)
    check_end(seats)
    picture(seats.watcher, "morris-end")


def play_by_buttons(server, seats, choose, every):
    """Whoever is on turn presses the button that `choose(ply, moves)` names, until the end."""
    while True:
        ply, state = position(server, seats.match_id)
        if ply % every == 0:
            check_boards(server, seats, ply, state)
        if state["ended"] is not None:
            return
        mover = seats.players[state["turn"]]
        wait_for_ply(mover, ply)
        buttons = mover.locator("#controls button:not([aria-disabled='true'])")
        expect(buttons.first).to_be_visible()
        moves = buttons.evaluate_all("buttons => buttons.map(button => button.dataset.move)")
        mover.locator(f"#controls button[data-move='{choose(ply, moves)}']").click()
        expect(mover.locator("#match")).not_to_have_attribute("data-ply", str(ply))


def test_aces_by_three(new_page, launcher, picture):
    server = launcher.open(launcher.store("sqlite"), SOCKET_RATE="0")
    seats, left = at_the_end(new_page, server, "aces", "standard", sample(12, 6), 3)
    play_by_buttons(server, seats, lambda ply, _moves: left[ply], every=4)
    check_boards(server, seats, *position(server, seats.match_id))
    check_end(seats)
    picture(seats.watcher, "aces-end")


def test_cant_stop_by_four(new_page, launcher, picture):
    server = launcher.open(launcher.store("sqlite"), SOCKET_RATE="0")
    seats, left = at_the_end(new_page, server, "cantstop", "published", sample(8, 4), 4)
    play_by_buttons(server, seats, lambda ply, _moves: left[ply], every=4)
    check_boards(server, seats, *position(server, seats.match_id))
    check_end(seats)
    picture(seats.watcher, "cantstop-end")


@pytest.mark.full
@pytest.mark.parametrize("game", GAMES)
def test_match_page_layout_and_accessibility(new_page, sqlite_server, picture, game):
    rules = GAMES[game].rules
    seats = at_board(new_page, sqlite_server, game, next(iter(rules.PRESETS)), min(rules.SEATS[-1], 4))
    page = seats.players[0]
    page.set_viewport_size({"width": 1280, "height": 800})
    # A long name gives way to the name of the site, which stays on one line.
    page.locator(".site-name").evaluate("name => { name.textContent = 'Wholehearted-Wombat9'; }")
    assert page.locator(".brand").bounding_box()["height"] <= 48
    check_looks(page, picture, game)
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator(".site-header, .site-footer")).to_have_count(2)
    expect(page.locator(".site-header:visible, .site-footer:visible")).to_have_count(0)
    check_looks(page, picture, game)
