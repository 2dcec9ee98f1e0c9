"""The lobby in browsers: everybody's page keeps up by itself."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import NewPage, Watch
from tests.browser.players import SERVER_AWAY, led_to, press_play_as_guest, set_table
from tools.harness.servers import ParlourServer


@pytest.fixture
def host(new_page: NewPage, sqlite_server: ParlourServer) -> Page:
    return new_page(sqlite_server)


@pytest.fixture
def other(new_page: NewPage, sqlite_server: ParlourServer) -> Page:
    return new_page(sqlite_server)


def row(page: Page, address: str) -> Locator:
    """The row of the table or match with this address."""
    path = re.sub(r"^https?://[^/]+", "", address)
    return page.locator(".list-row", has=page.locator(f"[data-part=link][href='{path}']"))


def test_a_table_appears_in_every_lobby_is_joined_and_its_match_can_be_watched(
    host: Page, other: Page, new_page: NewPage, sqlite_server: ParlourServer
) -> None:
    third = new_page(sqlite_server)
    for page in (other, third):
        page.goto("/#tables")
    press_play_as_guest(host)
    address = set_table(host, "kalah", "kalaha", 2)
    host.goto("/#mine")
    for page in (other, third):
        expect(row(page, address)).to_contain_text("Rules: Kalaha")
    row(other, address).get_by_role("button", name="Join").click()
    led_to(other, "/m/")
    # Whoever waits in the lobby is taken to the match.
    led_to(host, other.url)
    expect(row(third, address)).to_have_count(0)
    path = re.sub(r"^https?://[^/]+", "", other.url)
    third.locator(f"#boards [href='{path}']").click()
    expect(third).to_have_url(other.url)


def test_lobby_knows_everything_again_after_a_restart(
    host: Page, other: Page, watch: Watch, sqlite_server: ParlourServer
) -> None:
    watch.allow(SERVER_AWAY)
    press_play_as_guest(host)
    other.goto("/#tables")
    sqlite_server.restart()
    address = set_table(host, "kalah", "circle", 2)
    expect(row(other, address)).to_be_visible()
