"""Every other game played to its end in real browsers, with all its seats taken and somebody watching."""

import json
import random

import pytest
from playwright.sync_api import expect

from games.registry import GAMES
from tests.browser.looks import check_looks
from tests.browser.players import SERVER_AWAY, at_board, at_the_end, press, seat, summary, wait_for_ply
from tests.helpers.playout import random_playout

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


def shortest_match(preset):
    """The moves of a short match of Morris that somebody wins: the shortest of many random ones."""
    game = GAMES["morris"]
    lot = random.Random(1)
    matches = []
    for _ in range(150):
        states, actions = random_playout(game, game.rules.PRESETS[preset], 2, lot)
        if len(game.rules.outcome(states[-1]).winners) == 1:
            matches.append([str(action) for action in actions])
    return min(matches, key=len)


def test_nine_mens_morris_by_two(new_page, house, picture):
    server = house.open(house.store("sqlite"), SOCKET_RATE="0")
    seats = seat(new_page, server, "Morris", "nine")
    moves = shortest_match("nine")
    for number, move in enumerate(moves):
        ply, state = position(server, seats.match_id)
        assert ply == number
        mover = seats.players[state["turn"]]
        wait_for_ply(mover, ply)
        for point in move.removeprefix("x").split("-"):
            press(mover, point)
        wait_for_ply(mover, ply + 1)
        if number % 10 == 0:
            check_boards(server, seats, *position(server, seats.match_id))
    check_boards(server, seats, *position(server, seats.match_id))
    check_end(seats)
    picture(seats.watcher, "morris-end")


def test_a_press_on_another_man_of_ones_own_says_why_it_is_no_move(new_page, sqlite_server):
    seats = at_board(new_page, sqlite_server, "morris", "lasker")
    first, second = seats.players
    for ply, (page, point) in enumerate(
        [(first, "d6"), (second, "a1"), (first, "d2"), (second, "a4")], start=1
    ):
        press(page, point)
        wait_for_ply(first, ply)
        wait_for_ply(second, ply)
    press(first, "d6")
    press(first, "d2")
    expect(first.locator("#notice")).to_contain_text("Your own man stands on d2: now that one is selected.")
    press(first, "d1")
    wait_for_ply(second, 5)


def test_a_board_that_does_not_come_is_asked_for_again(new_page, sqlite_server, watch):
    watch.allow(SERVER_AWAY)
    seats = at_board(new_page, sqlite_server, "morris", "lasker")
    first, second = seats.players
    second.route("**/boards/morris*.js*", lambda route: route.abort("connectionrefused"), times=1)
    second.reload()
    press(first, "d6")
    wait_for_ply(second, 1)


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


def test_aces_by_three(new_page, house, picture):
    server = house.open(house.store("sqlite"), SOCKET_RATE="0")
    seats = seat(new_page, server, "Aces", "standard", 3)
    play_by_buttons(server, seats, lambda _ply, moves: moves[0], every=9)
    check_boards(server, seats, *position(server, seats.match_id))
    check_end(seats)
    picture(seats.watcher, "aces-end")


def test_cant_stop_by_four(new_page, house, picture):
    server = house.open(house.store("sqlite"), SOCKET_RATE="0")
    seats, left = at_the_end(new_page, server, "cantstop", "published", 40, 4)
    play_by_buttons(server, seats, lambda ply, _moves: left[ply], every=10)
    check_boards(server, seats, *position(server, seats.match_id))
    check_end(seats)
    picture(seats.watcher, "cantstop-end")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("width", [1280, 390])
def test_nothing_sticks_out_and_axe_finds_nothing_serious(new_page, sqlite_server, picture, game, width):
    rules = GAMES[game].rules
    viewport = {"width": width, "height": 844 if width == 390 else 800}
    chairs = min(rules.SEATS[-1], 4)
    seats = at_board(new_page, sqlite_server, game, next(iter(rules.PRESETS)), chairs, viewport=viewport)
    page = seats.players[0]
    if width > 390:
        # A long name gives way to the name of the site, which stays on one line.
        page.locator(".site-name").evaluate("name => { name.textContent = 'Wholehearted-Wombat9'; }")
        assert page.locator(".brand").bounding_box()["height"] <= 48
    else:
        expect(page.locator(".site-header, .site-footer")).to_have_count(2)
        expect(page.locator(".site-header:visible, .site-footer:visible")).to_have_count(0)
    check_looks(page, picture, game)
