"""Clocks in real browsers: they tick, get low, fall, and say so to everybody in more than colour."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.hearing import HEARING, heard, set_to
from tests.browser.looks import serious_violations
from tests.browser.players import SERVER_AWAY, press, seat_timed, wait_for_ply

SEEN = {"timeout": 20_000}
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


def note(page, seat):
    return page.locator(f".player[data-seat='{seat}'] .player-note")


def first_plies(seats):
    """Both make their first moves; the clock of seat 0 runs from now on."""
    press(seats.players[0], "0")
    wait_for_ply(seats.players[1], 1)
    press(seats.players[1], "7")
    for page in seats.all:
        wait_for_ply(page, 2)


def ask(page, command):
    page.locator("#command-text").fill(command)
    page.locator("#command-text").press("Enter")
    expect(page.locator("#answer")).not_to_be_empty()
    return page.locator("#answer").inner_text()


def stored(server, match_id):
    rows = server.rows("SELECT action FROM games_ply WHERE match_id = ? ORDER BY number", match_id)
    return [action for (action,) in rows]


def test_a_flag_falls_before_the_eyes_of_both_and_the_watcher(new_page, sqlite_server, picture):
    seats = seat_timed(new_page, sqlite_server, "0.1+0")
    first, second = seats.players
    for page in seats.all:
        expect(note(page, 0)).to_contain_text("first move")
        expect(clock(page, 1)).to_have_text("6.0")
    first_plies(seats)
    for page in seats.all:
        expect(clock(page, 0)).to_have_attribute("data-running", "")
        expect(clock(page, 0)).to_have_attribute("data-low", "")
        expect(note(page, 0)).to_contain_text("little time")
        expect(clock(page, 1)).not_to_have_attribute("data-running", "")
    expect(clock(first, 0)).to_have_text(re.compile(r"^[0-4]\.\d$"), timeout=5_000)
    picture(second, "clocks-low")
    for page in seats.all:
        wait_for_ply(page, 3)
        expect(page.locator("#reason")).to_contain_text("ran out of time")
        expect(clock(page, 0)).to_have_text("0.0")
        expect(clock(page, 0)).not_to_have_attribute("data-running", "")
    expect(first.locator("#headline")).to_contain_text("won")
    expect(second.locator("#headline")).to_have_text("You won")
    expect(second.locator("#moves")).to_contain_text("out of time")
    assert stored(sqlite_server, seats.match_id) == ["1", "1", "left:0:time"]
    standing = clock(second, 1).inner_text()
    second.reload()
    wait_for_ply(second, 3)
    expect(clock(second, 1)).to_have_text(standing)
    picture(second, "clocks-time")


def test_a_match_whose_first_move_never_comes_is_aborted_for_everyone(new_page, sqlite_server, picture):
    seats = seat_timed(new_page, sqlite_server, "5+3", age=20)
    for page in seats.all:
        expect(note(page, 0)).to_contain_text("first move")
        expect(clock(page, 0)).to_have_text(re.compile(r"^0:[0-3]\d$"))
        expect(clock(page, 1)).to_have_text("5:00")
    picture(seats.players[0], "clocks-first-move")
    for page in seats.all:
        expect(page.locator("#headline")).to_have_text("Match aborted", timeout=45_000)
        expect(page.locator("#reason")).to_contain_text("did not make a first move in time")
        expect(page.locator("#resign")).to_be_hidden()
    expect(seats.players[0].locator("#rematch")).to_be_visible()
    expect(seats.watcher.locator("#moves")).to_contain_text("aborted")
    picture(seats.players[0], "clocks-aborted")


def test_clocks_are_said_on_request_and_never_by_themselves(new_page, sqlite_server):
    seats = seat_timed(new_page, sqlite_server, "3+2")
    names = [page.locator("[data-me]").get_attribute("data-me") for page in seats.players]
    first_plies(seats)
    said = ask(seats.watcher, "clock")
    assert re.search(rf"{names[0]}: (3 minutes|2 minutes \d+ seconds?), running\.", said)
    assert f"{names[1]}: 3 minutes." in said
    timers = seats.watcher.locator(".player-clock [role=timer]")
    expect(timers).to_have_count(2)
    for element in timers.all():
        assert element.get_attribute("aria-live") in (None, "off")
        assert (
            element.evaluate("element => element.closest('[aria-live], [role=status], [role=log]')") is None
        )


def test_a_match_without_a_clock_shows_none_and_says_so(new_page, sqlite_server):
    seats = seat_timed(new_page, sqlite_server, "")
    expect(clock(seats.watcher, 0)).to_be_hidden()
    assert ask(seats.watcher, "clock") == "This match has no clock."


def test_a_slow_clock_counts_days(new_page, sqlite_server, picture):
    seats = seat_timed(new_page, sqlite_server, "3d", age=3_600)
    expect(clock(seats.watcher, 0)).to_have_text("2 d 22 h")
    expect(clock(seats.watcher, 1)).to_have_text("3 d 0 h")
    expect(note(seats.watcher, 0)).to_contain_text("to move")
    expect(seats.watcher.locator(".match-about")).to_contain_text("3 days a move")
    picture(seats.watcher, "clocks-slow")


def test_a_ticking_clock_moves_nothing_on_the_page(new_page, sqlite_server):
    """Boxes of the page are the same from one reading of the clock to others."""
    seats = seat_timed(new_page, sqlite_server, "0.2+0")
    first_plies(seats)
    page = seats.watcher
    boxes = """() => JSON.stringify(
        [...document.querySelectorAll('.player, .player-clock, .player-words, .board, .match-moves')]
            .map(element => element.getBoundingClientRect().toJSON()))"""
    expect(clock(page, 0)).to_have_attribute("data-low", "")
    seen = {page.evaluate(boxes)}
    for reading in (r"^0:1\d$|^\d\.\d$", r"^[1-7]\.\d$", r"^[1-4]\.\d$"):
        expect(clock(page, 0)).to_have_text(re.compile(reading), **SEEN)
        seen.add(page.evaluate(boxes))
    assert len(seen) == 1


def test_low_time_is_heard_once_by_its_player_alone(new_page, sqlite_server):
    seats = seat_timed(new_page, sqlite_server, "0.35+0")
    for page in seats.all:
        page.add_init_script(HEARING + set_to(sound="on"))
        page.reload()
        wait_for_ply(page, 0)
        page.locator("#board").click(position={"x": 2, "y": 2})
    first_plies(seats)
    for page in seats.all:
        expect(clock(page, 0)).to_have_attribute("data-low", "", **SEEN)
    assert ["587 587" in " ".join(map(str, heard(page))) for page in seats.all] == [True, False, False]


def test_a_crash_and_the_way_back_show_the_time_as_it_was(new_page, house, watch):
    watch.allow(SERVER_AWAY)
    server = house.open(house.store("sqlite"))
    seats = seat_timed(new_page, server, "0.5+0")
    watcher = seats.watcher
    first_plies(seats)
    server.kill9()
    expect(watcher.locator("#banner")).to_be_visible(**SEEN)
    # Longer than the clock has left, as far as the page can tell while it hears nothing.
    expect(clock(watcher, 0)).to_have_text("0.0", timeout=40_000)
    server.restart()
    expect(clock(watcher, 0)).to_have_text(re.compile(r"^0:[12]\d$"), timeout=30_000)
    assert stored(server, seats.match_id) == ["1", "1"]


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize(("game", "seats"), [("kalah", 2), ("aces", 4)])
def test_clocks_fit_and_axe_finds_nothing_serious(new_page, sqlite_server, picture, game, seats, width):
    viewport = {"width": width, "height": 844 if width == 390 else 800}
    seated = seat_timed(new_page, sqlite_server, "15+10", seats, game, viewport=viewport)
    page = seated.players[0]
    for seat in range(seats):
        expect(clock(page, seat)).to_be_visible()
        name = page.locator(f".player[data-seat='{seat}'] .player-name")
        assert name.bounding_box()["width"] >= 100
        assert page.evaluate(OFF_LINE, seat) <= 1
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert serious_violations(page) == []
        picture(page, f"clocks-{game}-{width}-{scheme}")
