"""What the match page fetches once the board stands, or once somebody needs it: as soon as it can be had."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage, Watch
from tests.browser.players import at_board, press, wait_for_ply
from tools.harness.servers import ParlourServer

CHAT, COMMANDS = "**/chat/match-chat.*.js*", "**/actions/commands.*.js*"
ASKED_AGAIN = "() => performance.getEntriesByType('resource').some(({ name }) => name.includes('again='))"


@pytest.fixture
def pages(new_page: NewPage, sqlite_server: ParlourServer, watch: Watch) -> list[Page]:
    """Two players at a board, whose network will not be good."""
    watch.allow("net::ERR_")
    return at_board(new_page, sqlite_server, "kalah", "circle").players


def without(page: Page, files: str) -> list[str]:
    """Load a match while nothing of these files comes through; their addresses, as they are asked for."""
    asked: list[str] = []
    page.route(files, lambda route: (asked.append(route.request.url), route.abort())[-1])
    page.reload()
    wait_for_ply(page, 0)
    return asked


def test_board_is_played_while_the_chat_module_fails_to_load(pages: list[Page]) -> None:
    mover, other = pages
    asked = without(mover, CHAT)
    expect(mover.locator("#talk-toggle")).to_be_hidden()
    press(mover, "2")
    wait_for_ply(other, 1)
    mover.wait_for_function(ASKED_AGAIN)
    assert "?again=1" in asked[1]
    mover.unroute(CHAT)
    mover.locator("#talk-toggle").click()
    field = mover.locator("#talk-players").get_by_label("Message the")
    field.fill("Good evening")
    field.press("Enter")
    other.locator("#talk-toggle").click()
    expect(other.locator("#talk-players .chat-line", has_text="Good evening")).to_be_visible()


def test_typed_command_waits_for_the_commands_module(pages: list[Page]) -> None:
    mover, _ = pages
    asked = without(mover, COMMANDS)
    expect(mover.locator("#talk-toggle")).to_be_visible()
    assert asked == []
    mover.keyboard.press("/")
    box = mover.locator("#command-text")
    box.press_sequentially("legal")
    box.press("Enter")
    mover.wait_for_function(ASKED_AGAIN)
    expect(box).to_have_value("legal")
    assert len(asked) > 1
    mover.unroute(COMMANDS)
    expect(mover.locator("#answer")).to_contain_text("1, 2")
    expect(box).to_have_value("")
    expect(box).to_be_editable()
