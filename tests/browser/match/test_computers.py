"""Somebody alone, and tables with computers, in real browsers."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from games.registry import GAMES
from tests.browser.looks import Picture, check_looks_everywhere
from tests.browser.players import (
    NO_ANIMATION,
    NewPage,
    become_guest,
    change,
    come_in,
    led_to,
    open_more,
    press,
    resign,
    wait_for_ply,
)
from tools.harness.servers import ParlourServer

KALAH = GAMES["kalah"].levels


@pytest.fixture
def visitor(new_page: NewPage, sqlite_server: ParlourServer) -> Callable[..., Page]:
    """Pages of more and more people."""

    def come(**options: Any) -> Page:
        page = new_page(sqlite_server, **options)
        page.add_init_script(NO_ANIMATION)
        return page

    return come


@pytest.fixture
def look(picture: Picture) -> Callable[[Page, str], None]:
    """`look(page, name)`: `check_looks_everywhere`, so that a story is played once for all windows."""
    return lambda page, name: check_looks_everywhere(page, picture, f"computers-{name}")


def play(page: Page, game: str, first: str = "I do", **options: str) -> None:
    """From the page of the form to the board."""
    page.goto(f"/computer/{game}?level=3" if game == "kalah" else f"/computer/{game}?level=2")
    change(page)
    page.get_by_label(first, exact=True).check()
    for name, value in options.items():
        page.locator(f"[name={name}][value='{value}']").check()
    page.get_by_role("button", name="Play", exact=True).click()
    led_to(page, "/m/")
    wait_for_ply(page, 0)


def hold_back(page: Page, mine: int = 0) -> None:
    """Keep the plies of other seats from a page, to which the computer then goes on thinking."""

    def connect(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def from_server(text: str | bytes) -> None:
            feed, _, rest = str(text).partition(" ")
            message = json.loads(rest) if feed == "match" else {}
            if message.get("type") != "plies" or all(ply["seat"] == mine for ply in message["plies"]):
                socket.send(text)

        server.on_message(from_server)

    page.route_web_socket(re.compile("/ws/page/match/"), connect)


def offered(page: Page) -> list[str]:
    """Everything among the actions that can be pressed now, in the menu too."""
    open_more(page)
    buttons = page.locator("[data-choice]").all()
    return [button.get_attribute("data-choice") or "" for button in buttons if button.is_visible()]


class TestTheForm:
    def test_every_level_says_how_it_plays(self, visitor: Callable[..., Page], look: Any) -> None:
        page = visitor()
        page.goto("/computer/kalah")
        page.get_by_role("radio", name="Level 1: Sprout").check()
        expect(page.get_by_text(KALAH[0].sentence)).to_be_visible()
        page.get_by_role("radio", name="Level 8: Sequoia").check()
        expect(page.get_by_text(KALAH[-1].sentence)).to_be_visible()
        expect(page.get_by_text(KALAH[0].sentence)).to_be_hidden()
        look(page, "page")

    def test_the_form_of_another_game_is_one_press_away(
        self, visitor: Callable[..., Page], look: Any
    ) -> None:
        page = visitor()
        page.goto("/computer/kalah")
        games = page.get_by_role("navigation", name="Game")
        games.get_by_role("link", name="Can’t Stop").click()
        expect(page.get_by_role("radio", name="Level 4: Eagle")).to_be_visible()
        page.get_by_role("group", name="Opponents").get_by_label("3").check()
        change(page)
        page.get_by_text("Customise rules").click()
        look(page, "page-stop")
        page.get_by_role("button", name="Play", exact=True).click()
        led_to(page, "/m/")
        expect(page.locator(".player[data-bot]", has_text="level 2")).to_have_count(3)
        page.goto("/computer")
        expect(games.get_by_role("link", name="Can’t Stop")).to_have_attribute("aria-current", "true")
        expect(page.get_by_role("group", name="Opponents").get_by_label("3")).to_be_checked()

    def test_form_without_scripts_begins_match(self, visitor: Callable[..., Page]) -> None:
        page = visitor(java_script_enabled=False)
        page.goto("/computer")
        page.get_by_role("navigation", name="Game").get_by_role("link", name="Nine Men’s Morris").click()
        page.get_by_role("button", name="Play", exact=True).click()
        led_to(page, "/m/")


class TestAtATable:
    def test_the_host_fills_the_chairs(self, visitor: Callable[..., Page], look: Any) -> None:
        host, other = visitor(), visitor()
        come_in(host)
        host.goto("/new/cantstop")
        host.get_by_role("group", name="Players").get_by_label("4").check()
        host.get_by_role("button", name="Create table").click()
        led_to(host, "/t/")
        other.goto(host.url)
        host.get_by_label("Level").select_option("1")
        host.get_by_role("button", name="Add a computer").click()
        for page in (host, other):
            expect(page.locator("#chairs > li").nth(1)).to_contain_text("Icarus")
            expect(page.locator("#chairs > li").nth(1)).to_contain_text("computer, level 1")
        look(host, "table")
        expect(other.get_by_role("button", name="Remove Icarus")).to_have_count(0)
        host.get_by_role("button", name="Remove Icarus").click()
        expect(other.locator("#chairs > li").nth(1)).to_contain_text("Free")
        expect(other.get_by_text("computer, level 1")).to_be_hidden()
        other.get_by_role("button", name="Join").click()
        # It comes by the socket, and can be pressed where it was not when the page came.
        expect(host.locator("#chairs > li").nth(2)).to_contain_text("Free")
        host.get_by_role("button", name="Add a computer").click()
        expect(host.locator("#chairs > li").nth(2)).to_contain_text("computer, level 2")
        host.get_by_role("button", name="Add a computer").click()
        led_to(host, "/m/")
        led_to(other, "/m/")
        expect(other.locator(".player[data-bot]", has_text="level 2")).to_have_count(2)

    @pytest.mark.full
    def test_the_lobby_says_whose_match_it_is(self, visitor: Callable[..., Page]) -> None:
        page, watcher = visitor(), visitor()
        watcher.goto("/#watch")
        name = become_guest(page)
        play(page, "kalah")
        words = re.compile(rf"{name} – Hazel(-\d+)? \(computer\)")
        expect(watcher.locator("#boards > li", has_text=words)).to_be_visible()
        page.goto("/#mine")
        expect(page.locator("#my-matches > li", has_text=words)).to_be_visible()


class TestAtTheBoard:
    def test_board_offers_resign_only_while_computer_thinks(
        self, visitor: Callable[..., Page], look: Any
    ) -> None:
        page = visitor()
        hold_back(page)
        become_guest(page)
        play(page, "kalah")
        expect(page).to_have_title(re.compile("Your turn"))
        assert "draw" in offered(page)
        page.keyboard.press("Escape")
        press(page, "0")
        expect(page.locator("#headline")).to_have_text(re.compile("is thinking$"))
        card = page.locator(".player[data-thinking]")
        expect(card).to_contain_text("thinking · level 3")
        expect(card.locator(".player-thinking")).to_be_visible()
        expect(card.locator(".player-bot")).to_be_visible()
        expect(card.locator(".presence")).to_be_hidden()
        assert set(offered(page)) == {"resign", "flip"}
        page.keyboard.press("Escape")
        expect(page.locator("#say-soon")).to_have_text(re.compile(r"is thinking\.$"))
        look(page, "thinking")

    @pytest.mark.full
    def test_the_dots_stand_still_for_who_wants_no_motion(self, visitor: Callable[..., Page]) -> None:
        page = visitor(reduced_motion="reduce")
        hold_back(page)
        become_guest(page)
        play(page, "kalah")
        press(page, "0")
        dots = page.locator(".player[data-thinking] .player-thinking")
        expect(dots).to_be_visible()
        assert (
            dots.evaluate("each => each.getAnimations().filter(a => a.playState === 'running').length") == 0
        )

    @pytest.mark.full
    def test_several_and_a_clock(self, visitor: Callable[..., Page], look: Any) -> None:
        page = visitor()
        hold_back(page)
        come_in(page)
        page.goto("/computer/cantstop?level=2")
        page.get_by_role("group", name="Opponents").get_by_label("3").check()
        change(page)
        page.get_by_label("The next one").check()
        page.get_by_label("Clock", exact=True).select_option(label="5 minutes + 3 seconds per move")
        page.get_by_role("button", name="Play", exact=True).click()
        led_to(page, "/m/")
        expect(page.locator(".player[data-thinking]")).to_have_count(1)
        look(page, "several")

    @pytest.mark.full
    def test_a_rematch_begins_at_once(self, visitor: Callable[..., Page], look: Any) -> None:
        page = visitor()
        become_guest(page)
        play(page, "kalah")
        before = page.url
        resign(page)
        expect(page.locator("#rematch")).to_be_visible()
        look(page, "over")
        page.locator("#rematch").click()
        led_to(page, re.compile(f"/m/(?!{before.rpartition('/')[2]})"))
        wait_for_ply(page, 0)
        expect(page.locator(".player[data-bot]", has_text="level 3")).to_have_count(1)


def test_computer_profile_leads_to_match(visitor: Callable[..., Page], look: Any) -> None:
    page = visitor()
    play(page, "kalah")
    page.goto("/@/Hazel")
    expect(page.get_by_text(KALAH[2].sentence)).to_be_visible()
    look(page, "profile")
    page.get_by_role("link", name="Play Hazel").click()
    expect(page.get_by_role("radio", name="Level 3: Hazel")).to_be_checked()
