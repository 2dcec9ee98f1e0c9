"""Kalah in real browsers: two play, a third watches, and the board is always the stored one."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.browser.players import (
    SERVER_AWAY,
    at_board,
    at_the_end,
    come_in,
    led_to,
    press,
    set_table,
    wait_for_ply,
)
from tests.helpers.samples import in_full
from tools.harness.patience import patience

PITS = 6


def stored_states(server, match_id):
    """Every state of the match by number of plies, the start included."""
    ((start,),) = server.rows("SELECT start FROM games_match WHERE id = ?", match_id)
    plies = server.rows("SELECT state FROM games_ply WHERE match_id = ? ORDER BY number", match_id)
    return [json.loads(state) for state in (start, *(row[0] for row in plies))]


def shown_seeds(page):
    """The seeds of every place, read off what a screen reader is told of it."""
    labels = page.locator("#board [data-cell]").evaluate_all(
        "cells => Object.fromEntries(cells.map(cell => [cell.dataset.cell, cell.ariaLabel]))"
    )
    return [int(re.search(r": (\d+) seed", labels[str(place)])[1]) for place in range(2 * (PITS + 1))]


def check_boards(server, seats, state, ply):
    for page in seats.all:
        wait_for_ply(page, ply)
        assert shown_seeds(page) == state["board"]


def place_of(state, pit):
    return state["turn"] * (PITS + 1) + pit


def legal_pits(state):
    left = place_of(state, 0)
    return [pit for pit in range(PITS) if state["board"][left + pit]]


def drop_socket(page):
    """Lose the network for a moment, and have it back."""
    page.context.set_offline(True)
    page.evaluate("dispatchEvent(new Event('offline'))")
    page.context.set_offline(False)


def play_to_the_end(server, seats, choose, troubles):
    """Play on by presses, all boards compared with the store at every ply; trouble comes at some of them."""
    first = ply = len(stored_states(server, seats.match_id)) - 1
    while (state := stored_states(server, seats.match_id)[-1])["ended"] is None:
        check_boards(server, seats, state, ply)
        troubles.pop(ply - first, lambda: None)()
        mover = seats.players[state["turn"]]
        wait_for_ply(mover, ply)
        press(mover, str(place_of(state, choose(ply, state))))
        ply += 1
        wait_for_ply(mover, ply)
    check_boards(server, seats, state, ply)
    assert not troubles
    for page in seats.all:
        expect(page.locator("#headline")).to_contain_text(re.compile("won|draw|lost", re.IGNORECASE))


def troubles(server, seats):
    """A reload, a crash and a lost connection, by the number of plies before each."""

    def crash():
        server.kill9()
        server.restart()

    def drop_all():
        for page in seats.all:
            drop_socket(page)

    return {3: seats.players[0].reload, 6: crash, 9: drop_all}


@pytest.mark.parametrize("preset", in_full("circle", "kalaha", "classic"))
def test_match_survives_a_reload_a_crash_and_a_lost_connection(new_page, launcher, watch, preset):
    watch.allow(SERVER_AWAY)
    server = launcher.open(launcher.store("sqlite"), SOCKET_RATE="0")
    seats, left = at_the_end(new_page, server, "kalah", preset, 14)
    play_to_the_end(server, seats, lambda ply, _state: int(left[ply]) - 1, troubles(server, seats))


@pytest.mark.full
def test_move_made_while_the_server_is_down_is_played_once(new_page, launcher, watch):
    watch.allow(SERVER_AWAY)
    server = launcher.open(launcher.store("sqlite"))
    seats = at_board(new_page, server, "kalah", "circle")
    server.kill9()
    first = seats.players[0]
    expect(first.locator("#banner")).to_be_visible(timeout=patience(20) * 1000)
    press(first, "0")
    expect(first.locator("#notice")).to_contain_text("will be sent when you are back online")
    server.restart()
    for page in seats.all:
        wait_for_ply(page, 1)
    assert server.rows("SELECT action FROM games_ply WHERE match_id = ?", seats.match_id) == [("1",)]
    expect(first.locator("#banner")).to_be_hidden(timeout=patience(20) * 1000)


def test_seeds_travel_one_by_one(new_page, sqlite_server):
    """With animation on, a board shows seeds in the air before it comes to rest.

    What does not change meanwhile is not written anew: a view box that is has the whole board laid out again.
    """
    seats = at_board(new_page, sqlite_server, "kalah", "classic", animation=True)
    watcher = seats.watcher
    watcher.evaluate(
        """() => {
            window.flown = 0;
            window.idle = [];
            const same = ({type, target, attributeName: name, oldValue}) =>
                type === 'attributes' && target.getAttribute(name) === oldValue;
            new MutationObserver(records => {
                window.flown += records.flatMap(record => [...record.addedNodes]).length;
                window.idle.push(...records.filter(same).map(record => record.attributeName));
            }).observe(document.querySelector('#board'),
                {childList: true, subtree: true, attributes: true, attributeOldValue: true});
        }"""
    )
    press(seats.players[0], "5")
    wait_for_ply(watcher, 1)
    assert watcher.evaluate("window.flown") >= 4
    assert watcher.evaluate("window.idle") == []


@pytest.mark.full
def test_resignation_and_rematch(new_page, sqlite_server):
    seats = at_board(new_page, sqlite_server, "kalah", "circle")
    watcher = seats.watcher
    first, second = seats.players
    second.get_by_role("button", name="Resign").click()
    second.locator("#resign").click()
    for page in seats.all:
        expect(page.locator("#headline")).not_to_be_empty()
    expect(first.locator("#rematch")).to_be_visible()
    first.locator("#rematch").click()
    second.locator("#rematch").click()
    for page in (first, second):
        led_to(page, re.compile(f"/m/(?!{seats.match_id})"))
    watcher.locator("#rematch-link").click()
    led_to(watcher, first.url)
    wait_for_ply(second, 0)
    press(second, "0")
    wait_for_ply(first, 1)


@pytest.mark.full
def test_table_appears_in_every_lobby_and_leads_to_the_board(new_page, sqlite_server):
    host, other, onlooker = (new_page(sqlite_server) for _ in range(3))
    for page in (other, onlooker):
        page.goto("/#tables")
    come_in(host)
    set_table(host, "kalah", "circle", 2)
    name = host.locator("body").get_attribute("data-me")
    row = other.locator("#open-tables li", has_text=name)
    expect(row).to_be_visible()
    expect(onlooker.locator("#open-tables li", has_text=name)).to_be_visible()
    row.get_by_role("button", name="Join").click()
    for page in (host, other):
        led_to(page, "/m/")
    expect(onlooker.locator("#open-tables li", has_text=name)).to_be_hidden()
    expect(onlooker.locator("#boards").get_by_role("link", name=name)).to_be_visible()
