"""Tables, invitations, challenges and my games, as people use them who have never been here."""

from __future__ import annotations

import contextlib
import re
import sqlite3
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games.registry import GAMES
from tests.browser.conftest import NewPage, Watch
from tests.browser.looks import Picture, check_looks_everywhere
from tests.browser.players import (
    NO_ANIMATION,
    become_guest,
    change,
    come_in,
    led_to,
    open_more,
    post,
    set_table,
    wait_for_ply,
)
from tools.harness.servers import ParlourServer

WORDS_WITHIN = """
    (choice) => {
        const words = document.createRange();
        words.selectNodeContents(choice);
        const [own, box] = [words.getBoundingClientRect(), choice.getBoundingClientRect()];
        return [box.width, own.left - box.left, box.right - own.right];
    }
"""
"""How wide a choice is, and what it leaves at both sides of its words."""


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
    return lambda page, name: check_looks_everywhere(page, picture, name)


def set_plain_table(page: Page, game: str, listed: bool = True) -> str:
    """Create a table with one press more than none; its address."""
    page.goto(f"/new/{game}")
    if not listed:
        change(page)
        page.get_by_label("People I invite").check()
    page.get_by_role("button", name="Create table").click()
    led_to(page, "/t/" if listed else "/i/")
    return page.url


def challenge(page: Page, name: str, game: str = "kalah") -> None:
    page.goto(f"/challenge/{name}/{game}")
    change(page)
    page.locator("input[name=first][value=other]").check()
    page.get_by_role("button", name="Send the challenge").click()
    led_to(page, "/t/")


def toast(page: Page, words: str | re.Pattern[str]) -> Any:
    return page.locator(".toast", has_text=words)


class TestTheForm:
    def test_all_terms_are_chosen_and_shown(
        self, visitor: Callable[..., Page], look: Callable[[Page, str], None]
    ) -> None:
        page = visitor()
        come_in(page)
        page.goto("/new/kalah")
        summary = page.locator("#change > summary")
        expect(summary).to_contain_text(
            "Casual · Open to everyone · No clock · Random first move · Everyone can watch"
        )
        change(page)
        page.get_by_label("Clock").select_option(label="5 minutes + 3 seconds per move")
        page.get_by_label("People I invite").check()
        page.get_by_label("The other player").check()
        page.get_by_label("Who can watch?").select_option(label="1 minute later")
        expect(summary).to_contain_text(
            "Casual · By invitation · 5 minutes + 3 seconds per move · The other player moves first · "
            "Spectators see it 1 minute later"
        )
        look(page, "form")
        page.get_by_role("button", name="Create table").click()
        terms = page.locator("#terms")
        expect(terms).to_contain_text("5 minutes + 3 seconds per move")
        expect(terms).to_contain_text("Everyone can watch, 1 minute later")
        expect(terms).to_contain_text("By invitation only")
        expect(terms).to_contain_text("the next player to join")
        look(page, "table-by-link")


SCREENS = ((1280, 720), (390, 664))
"""Width and height of a small laptop's window, and of a phone with its browser's bars."""
FORMS = [f"/{form}/{game}" for form in ("new", "computer") for game in GAMES]


def test_the_button_that_begins_is_on_the_first_screen(page: Page) -> None:
    for form in FORMS:
        page.goto(form)
        for width, height in SCREENS:
            page.set_viewport_size({"width": width, "height": height})
            expect(page.locator("main .button-primary"), form).to_be_in_viewport(ratio=1)
            if form.startswith("/new/"):
                expect(page.locator(".preset > svg").first, form).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("listed", ["yes", "no"])
def test_the_link_is_the_first_thing_at_a_new_table(page: Page, listed: str) -> None:
    come_in(page)
    page.goto(post(page, "/new/cantstop", preset="strict", seats="4", first="lot", listed=listed).url)
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        for first in (page.locator("#link-1"), page.get_by_role("img", name="QR code")):
            expect(first).to_be_in_viewport(ratio=1)
        expect(page.get_by_role("button", name="Copy the link")).to_be_in_viewport(ratio=1)
        link, chairs = page.locator("#link-1").bounding_box(), page.locator("#chairs").bounding_box()
        assert link
        assert chairs
        # Above the chairs, or beside and before them.
        assert link["y"] < chairs["y"] or link["x"] < chairs["x"]
    # Nothing there is louder than the link.
    expect(page.locator("main .button-primary:visible")).to_have_text(["Copy the link"])
    expect(page.locator("main .button-danger")).to_have_count(0)


class TestWithAnAccount:
    @pytest.fixture
    def member(self, visitor: Callable[..., Page], sqlite_server: ParlourServer) -> Page:
        """Somebody who has registered."""
        page = visitor()
        become_guest(page)
        name = page.locator("body").get_attribute("data-me")
        path = sqlite_server.database_url.removeprefix("sqlite:///")
        with contextlib.closing(sqlite3.connect(path, timeout=20)) as connection, connection:
            connection.execute("UPDATE lobby_user SET is_guest = 0 WHERE username = ?", [name])
        return page

    def test_own_rules_switch_rated_off_and_say_why(
        self, member: Page, look: Callable[[Page, str], None]
    ) -> None:
        member.goto("/new/kalah")
        change(member)
        rated = member.locator("input[name=rated][value=yes]")
        words = member.locator("label", has=rated).locator("span")
        before = words.evaluate(WORDS_WITHIN)
        rated.check()
        expect(member.get_by_label("Lowest rating")).to_be_visible()
        # Nothing jumps, and the words have the room at their sides that those not chosen have.
        assert words.evaluate(WORDS_WITHIN) == before
        look(member, "form-rated")
        member.locator("input[name=preset][value=own]").check()
        expect(member.get_by_text("Matches with custom rules are never rated")).to_be_visible()
        expect(rated).to_be_disabled()
        expect(member.get_by_label("Lowest rating")).to_be_hidden()
        expect(member.locator("input[name=rated][value=no]")).to_be_checked()

    @pytest.mark.full
    def test_a_table_i_may_not_sit_at_says_why(
        self, member: Page, visitor: Callable[..., Page], look: Callable[[Page, str], None]
    ) -> None:
        guest = visitor()
        become_guest(guest)
        member.goto("/new/kalah")
        change(member)
        member.locator("input[name=rated][value=yes]").check()
        member.get_by_label("Lowest rating").fill("1400")
        member.get_by_role("button", name="Create table").click()
        led_to(member, "/t/")
        row = guest.locator(f"#open-tables > li[data-id='{member.url.rpartition('/')[2]}']")
        expect(row).to_contain_text("Rated · No clock · Ratings from 1400")
        expect(row).to_contain_text("Guests play casual matches.")
        expect(row.get_by_role("button", name="Join")).to_have_count(0)
        look(guest, "lobby-rated")
        live = row.inner_text()
        guest.reload()
        assert row.inner_text() == live
        guest.goto(member.url)
        expect(guest.get_by_role("button", name="Join")).to_have_count(0)
        expect(guest.get_by_text("Guests play casual matches.")).to_be_visible()


class TestInvitations:
    def test_a_friend_with_the_link_sits_down_and_the_match_begins(
        self, visitor: Callable[..., Page], look: Callable[[Page, str], None]
    ) -> None:
        host, friend = visitor(permissions=["clipboard-read", "clipboard-write"]), visitor()
        name = come_in(host)
        set_plain_table(host, "kalah", listed=False)
        expect(host.get_by_role("img", name="QR code")).to_be_visible()
        host.get_by_role("button", name="Copy").click()
        expect(host.get_by_role("button", name="Copied")).to_be_visible()
        # The address bar shows what people copy.
        assert host.evaluate("navigator.clipboard.readText()") == host.url
        friend.goto(host.url)
        expect(friend.get_by_role("heading", level=1)).to_have_text(f"{name} invites you to play Kalah")
        assert friend.url == host.url
        look(friend, "invited")
        friend.get_by_role("button", name="Join").click()
        led_to(friend, "/m/")
        led_to(host, "/m/")
        assert host.url == friend.url

    @pytest.mark.full
    def test_invitation_used_says_so(
        self, visitor: Callable[..., Page], watch: Watch, look: Callable[[Page, str], None]
    ) -> None:
        watch.allow("410")
        host, friend, late = visitor(), visitor(), visitor()
        come_in(host)
        set_plain_table(host, "kalah", listed=False)
        link = host.locator("#link-1").input_value()
        friend.goto(link)
        friend.get_by_role("button", name="Join").click()
        led_to(friend, "/m/")
        late.goto(link)
        expect(late.get_by_role("heading", level=1)).to_have_text("This invitation has been used")
        look(late, "invitation-used")

    @pytest.mark.full
    def test_a_public_table_has_its_address_and_links_for_one(self, visitor: Callable[..., Page]) -> None:
        page = visitor()
        come_in(page)
        address = set_plain_table(page, "cantstop")
        expect(page.locator("#link-1")).to_have_value(address)
        page.get_by_role("button", name="Create a link for one person").click()
        expect(page.locator("#link-2")).to_have_value(re.compile("/i/"))


class TestChallenges:
    def test_challenge_accepted_from_any_page(
        self, visitor: Callable[..., Page], look: Callable[[Page, str], None]
    ) -> None:
        host, other = visitor(), visitor()
        name = come_in(host)
        rival = come_in(other)
        other.goto("/rules/kalah")
        before = other.evaluate("document.activeElement.tagName")
        challenge(host, rival)
        expect(host.get_by_text(f"This table is reserved for {rival}")).to_be_visible()
        expect(toast(other, f"{name} challenges you: Kalah")).to_be_visible()
        assert other.evaluate("document.activeElement.tagName") == before
        look(other, "toast")
        other.reload()
        expect(toast(other, name)).to_be_visible()
        accept = other.get_by_role("button", name=f"Accept {name}’s challenge")
        accept.focus()
        other.keyboard.press("Enter")
        led_to(other, "/m/")
        led_to(host, "/m/")
        assert host.url == other.url

    @pytest.mark.full
    def test_challenge_declined_from_any_page(self, visitor: Callable[..., Page]) -> None:
        host, other = visitor(), visitor()
        come_in(host)
        rival = come_in(other)
        other.goto("/rules/kalah")
        challenge(host, rival)
        host.goto("/rules/morris")
        toast(other, "challenges you").get_by_role("button", name="Decline").click()
        expect(toast(other, "challenges you")).to_have_count(0)
        expect(toast(host, f"{rival} declined your challenge: Kalah")).to_be_visible()
        assert other.url.endswith("/rules/kalah")

    @pytest.mark.full
    def test_challenge_listed_among_own_games(
        self, visitor: Callable[..., Page], look: Callable[[Page, str], None]
    ) -> None:
        host, other = visitor(), visitor()
        come_in(host)
        rival = come_in(other)
        other.goto("/#mine")
        challenge(host, rival)
        row = other.locator("#my-tables > li")
        expect(row).to_contain_text("Challenge")
        toast(other, "challenges you").get_by_role("button", name="Hide").click()
        look(other, "mine-challenge")
        row.get_by_role("button", name="Accept").click()
        led_to(other, "/m/")


class TestMyGames:
    @pytest.mark.full
    def test_the_badge_counts_what_waits_for_me(
        self, visitor: Callable[..., Page], look: Callable[[Page, str], None]
    ) -> None:
        host, other = visitor(), visitor()
        come_in(host)
        rival = become_guest(other)
        challenge(host, rival)
        toast(other, "challenges you").get_by_role("button", name="Accept").click()
        led_to(other, "/m/")
        tab = other.context.new_page()
        tab.goto("/#mine")
        expect(tab.locator("#mine-badge .number")).to_have_text("1")
        expect(tab.locator("#my-matches > li")).to_contain_text("Your turn")
        expect(tab).to_have_title(re.compile(r"^\(1\) "))
        expect(tab.get_by_role("link", name="Your turn in 1 game")).to_be_visible()
        look(tab, "my-turn")
        wait_for_ply(other, 0)
        other.keyboard.press("1")
        expect(tab.locator("#mine-badge")).to_be_hidden()
        expect(tab.locator("#my-matches .badge-turn")).to_be_hidden()
        expect(tab).to_have_title(re.compile(r"^Parlour"))
        host.goto("/rules/kalah")
        expect(host.get_by_role("link", name="Your turn in 1 game")).to_be_visible()

    @pytest.mark.full
    def test_the_same_again_is_one_press_away(self, visitor: Callable[..., Page]) -> None:
        host, other, watcher = visitor(), visitor(), visitor()
        become_guest(host)
        other.goto(set_table(host, "cantstop", "strict", 2))
        other.get_by_role("button", name="Join").click()
        led_to(other, "/m/")
        match = other.url
        open_more(other)
        other.get_by_role("button", name="New game with these rules").click()
        led_to(other, "/t/")
        other.get_by_text("Rules and settings").click()
        expect(other.get_by_role("heading", name="Rules: Strict")).to_be_visible()
        expect(other.locator("#terms")).to_contain_text("2 players")
        watcher.goto(match)
        open_more(watcher)
        watcher.get_by_role("link", name="New game with these rules").click()
        expect(watcher.locator("input[name=preset][value=strict]")).to_be_checked()
        change(watcher)
        expect(watcher.locator("input[name=first][value=host]")).to_be_checked()


@pytest.mark.full
def test_tables_are_filtered_by_game_as_they_come(
    visitor: Callable[..., Page], look: Callable[[Page, str], None]
) -> None:
    page, host = visitor(), visitor()
    page.goto("/#tables")
    come_in(host)
    # There is nothing to choose from as long as there is no table.
    set_plain_table(host, "morris")
    page.get_by_role("navigation", name="Filter tables by game").get_by_role("link", name="Kalah").click()
    stop = set_plain_table(host, "cantstop").rpartition("/")[2]
    kalah = set_plain_table(host, "kalah").rpartition("/")[2]
    expect(page.locator(f"#open-tables > li[data-id='{kalah}']")).to_be_visible()
    expect(page.locator(f"#open-tables > li[data-id='{stop}']")).to_have_count(0)
    look(page, "filter")
    page.reload()
    expect(page.locator(f"#open-tables > li[data-id='{kalah}']")).to_be_visible()
    expect(page.locator(f"#open-tables > li[data-id='{stop}']")).to_have_count(0)
    page.get_by_role("link", name="All games").click()
    expect(page.locator(f"#open-tables > li[data-id='{stop}']")).to_be_visible()
