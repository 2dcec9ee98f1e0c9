"""The lobby in browsers: everybody's page keeps up by itself."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import NewPage, Watch
from tests.browser.players import SERVER_AWAY, change, led_to, press_play_as_guest, set_table
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


def markup(row: Locator) -> str:
    """The row as the document has it, without what differs each time."""
    html = re.sub(r'value="[^"]+"|\s*list-row-new', "", row.evaluate("row => row.outerHTML"))
    # An attribute that is empty and one that is not there are the same to everybody.
    return re.sub(r"\s+", " ", html.replace('hidden=""', "hidden")).replace("> <", "><")


def test_a_new_table_appears_on_everyones_page_without_reload(host: Page, other: Page) -> None:
    other.goto("/#tables")
    press_play_as_guest(host)
    address = set_table(host, "kalah", "kalaha", 2)
    expect(row(other, address)).to_contain_text("Rules: Kalaha")


def test_a_row_that_came_live_is_the_row_of_a_fresh_page(host: Page, other: Page) -> None:
    other.goto("/#tables")
    press_play_as_guest(host)
    address = set_table(host, "cantstop", "published", 3)
    live = markup(row(other, address))
    other.reload()
    assert markup(row(other, address)) == live


def test_a_host_who_waits_in_the_lobby_is_taken_to_the_match(host: Page, other: Page) -> None:
    press_play_as_guest(host)
    address = set_table(host, "kalah", "circle", 2)
    host.goto("/#mine")
    other.goto("/#tables")
    row(other, address).get_by_role("button", name="Sit down").click()
    led_to(other, "/m/")
    led_to(host, "/m/")
    assert host.url == other.url


def test_the_match_can_be_watched_from_the_lobby(
    host: Page, other: Page, new_page: NewPage, sqlite_server: ParlourServer
) -> None:
    third = new_page(sqlite_server)
    third.goto("/#tables")
    press_play_as_guest(host)
    address = set_table(host, "kalah", "circle", 2)
    other.goto(address)
    other.get_by_role("button", name="Sit down").click()
    led_to(other, "/m/")
    expect(row(third, address)).to_have_count(0)
    path = re.sub(r"^https?://[^/]+", "", other.url)
    third.locator(f"#boards [href='{path}']").click()
    expect(third).to_have_url(other.url)


def test_who_sits_down_appears_at_the_table(host: Page, other: Page) -> None:
    press_play_as_guest(host)
    address = set_table(host, "cantstop", "strict", 3)
    name = press_play_as_guest(other)
    other.goto(address)
    other.get_by_role("button", name="Sit down").click()
    expect(host.locator("#chairs")).to_contain_text(name)


def test_who_looks_at_a_table_that_is_cancelled_is_told_so(host: Page, other: Page, watch: Watch) -> None:
    watch.allow("404")
    press_play_as_guest(host)
    other.goto(set_table(host, "kalah", "circle", 2))
    host.get_by_role("button", name="Cancel the table").click()
    expect(other.get_by_role("heading", level=1)).to_have_text("This table has been cleared away")


def test_after_a_restart_everybody_knows_everything_again(
    host: Page, other: Page, watch: Watch, sqlite_server: ParlourServer
) -> None:
    watch.allow(SERVER_AWAY)
    press_play_as_guest(host)
    other.goto("/#tables")
    sqlite_server.restart()
    address = set_table(host, "kalah", "circle", 2)
    expect(row(other, address)).to_be_visible(timeout=20_000)


class TestTheForm:
    def test_a_preset_fills_the_rules_in(self, page: Page) -> None:
        page.goto("/new/kalah")
        change(page)
        page.get_by_text("Every rule by itself").click()
        page.locator("input[name=preset][value=kalaha]").check()
        expect(page.get_by_label("Seeds")).to_have_value("6")

    def test_rules_that_fit_no_preset_are_own(self, page: Page) -> None:
        page.goto("/new/kalah")
        change(page)
        page.get_by_text("Every rule by itself").click()
        page.get_by_label("Seeds").select_option("5")
        expect(page.locator("input[name=preset][value=own]")).to_be_checked()

    def test_rules_that_fit_a_preset_are_that_preset(self, page: Page) -> None:
        page.goto("/new/kalah")
        change(page)
        page.get_by_text("Every rule by itself").click()
        page.get_by_label("Seeds").select_option("4")
        page.get_by_label("The opponent’s store").select_option("false")
        expect(page.locator("input[name=preset][value=classic]")).to_be_checked()

    def test_own_rules_open_the_list_of_rules(self, page: Page) -> None:
        page.goto("/new/kalah")
        change(page)
        page.locator("input[name=preset][value=own]").check()
        expect(page.get_by_label("Seeds")).to_be_visible()

    def test_a_double_press_sets_one_table(self, page: Page) -> None:
        page.goto("/new/kalah")
        page.get_by_role("button", name="Set the table").dblclick()
        led_to(page, "/t/")
        page.goto("/")
        expect(page.locator("#my-tables > li")).to_have_count(1)


def test_a_page_opened_before_one_became_a_guest_still_works(host: Page) -> None:
    host.goto("/")
    tab = host.context.new_page()
    press_play_as_guest(tab)
    set_table(tab, "kalah", "circle", 2)
    host.get_by_role("button", name="Play as guest").click()
    expect(host.locator("#my-tables > li")).to_have_count(1)
