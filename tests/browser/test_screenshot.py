"""The picture in the README: `make screenshot` takes it anew."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.players import press, seat, wait_for_ply


@pytest.mark.full
def test_a_match_in_progress_looks_as_the_readme_shows_it(new_page, sqlite_server, picture):
    seats = seat(new_page, sqlite_server, "Kalah", "classic", viewport={"width": 1280, "height": 800})
    first, second = seats.players
    for ply, (page, place) in enumerate(
        [(first, 2), (first, 5), (second, 8), (second, 11), (first, 0), (second, 9)]
    ):
        wait_for_ply(page, ply)
        press(page, str(place))
        wait_for_ply(page, ply + 1)
    wait_for_ply(first, 6)
    expect(first.locator("#headline")).to_have_text(re.compile("Your turn"))
    wait_for_ply(seats.watcher, 6)
    expect(first.locator("#watchers")).to_have_text("1")
    first.locator("#headline").hover()
    picture(first, "screenshot")


@pytest.mark.full
@pytest.mark.parametrize(
    ("name", "size"),
    [("wide", {"width": 1280, "height": 720}), ("narrow", {"width": 390, "height": 664})],
)
def test_a_match_looks_as_the_install_dialog_shows_it(new_page, sqlite_server, picture, name, size):
    seats = seat(new_page, sqlite_server, "Kalah", "classic", viewport=size)
    for ply, place in enumerate([2, 5]):
        wait_for_ply(seats.players[0], ply)
        press(seats.players[0], str(place))
    wait_for_ply(seats.players[0], 2)
    picture(seats.players[0], f"screen-{name}")
