"""The chat of the lobby, as people use it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.administrator import sign_in_as_administrator
from tests.browser.conftest import NewPage, Watch
from tests.browser.looks import check_looks, serious_violations
from tests.browser.players import become_guest
from tools.harness.servers import ParlourServer


@pytest.fixture
def speaker(new_page: NewPage, sqlite_server: ParlourServer) -> Page:
    return new_page(sqlite_server)


@pytest.fixture
def listener(new_page: NewPage, sqlite_server: ParlourServer) -> Page:
    return new_page(sqlite_server)


def field(page: Page) -> Locator:
    return page.get_by_label("Message everyone")


def knows_what_was_said(page: Page) -> None:
    """Wait until the chat has learned what was said before, which opens it by itself where there is room."""
    expect(page.locator("#chat-lines .chat-line, #no-lines:not([hidden])")).not_to_have_count(0)


def open_chat(page: Page) -> None:
    """Have the chat open, whether somebody has spoken already or not."""
    knows_what_was_said(page)
    # In one step: a line that came between a look and a press would open it, and the press would close it.
    page.locator("#chat-toggle").evaluate("toggle => toggle.ariaExpanded === 'true' || toggle.click()")
    expect(page.locator("#chat-body")).to_be_visible()


def say(page: Page, text: str) -> None:
    open_chat(page)
    field(page).fill(text)
    field(page).press("Enter")
    expect(field(page)).to_have_value("")


def line(page: Page, text: str) -> Locator:
    return page.locator(".chat-line", has_text=text)


def about(page: Page, text: str) -> Locator:
    """Open the dialog about whoever said something."""
    line(page, text).get_by_role("button").click()
    return page.locator("#chat-person")


def test_a_visitor_reads_comes_in_and_talks(speaker: Page, listener: Page) -> None:
    listener.goto("/")
    name = become_guest(speaker)
    say(speaker, "Anybody for a game?")
    expect(line(listener, "Anybody for a game?")).to_contain_text(name)
    listener.get_by_role("button", name="Chat as guest").click()
    expect(line(listener, "Anybody for a game?")).to_be_visible()
    say(listener, "Yes, in a minute")
    expect(line(speaker, "Yes, in a minute")).to_be_visible()


SAY_FIVE_LINES = """async () => {
    const socket = new WebSocket("/ws/lobby");
    await new Promise((opened) => (socket.onopen = opened));
    for (let number = 0; number < 5; number += 1) {
        socket.send(JSON.stringify({ type: "say", id: `fast-line-${number}`, text: `fast line ${number}` }));
    }
    let accepted = 0;
    await new Promise((done) => (socket.onmessage = ({ data }) => {
        accepted += JSON.parse(data).type === "accepted";
        if (accepted === 5) done();
    }));
    socket.close();
}"""
"""All that somebody may say at once, faster than a page can be typed into."""


def test_a_line_is_reported_and_the_moderators_answer_is_seen_live(
    new_page: NewPage, speaker: Page, listener: Page, sqlite_server: ParlourServer, picture: Any
) -> None:
    become_guest(speaker)
    become_guest(listener)
    say(speaker, "something rude")
    dialog = about(listener, "something rude")
    dialog.get_by_label("Report this message").fill("It is rude.")
    dialog.get_by_role("button", name="Send the report").click()
    expect(dialog.get_by_role("status")).to_have_text("Thank you. A moderator will look at it.")
    listener.keyboard.press("Escape")
    assert sqlite_server.rows("SELECT reason FROM lobby_report") == [("It is rude.",)]
    moderator = sign_in_as_administrator(new_page, sqlite_server)
    moderator.goto("/admin/lobby/report/")
    moderator.get_by_role("link", name="It is rude.").click()
    expect(moderator.locator("#content")).to_contain_text("something rude")
    moderator.get_by_role("button", name="Hide message").click()
    for page in (speaker, listener):
        expect(line(page, "something rude")).to_have_count(0)
    moderator.goto("/admin/lobby/report/")
    moderator.get_by_role("link", name="It is rude.").click()
    moderator.get_by_role("button", name="Mute the person in chats…").click()
    moderator.get_by_label("Why?").fill("Rude words.")
    moderator.get_by_role("button", name="Mute in chats", exact=True).click()
    expect(speaker.locator("#chat .chat-muted")).to_contain_text("Reason: Rude words.")
    expect(field(speaker)).to_be_hidden()
    picture(speaker, "chat-muted")


@pytest.mark.full
def test_a_ban_by_the_admin_reaches_the_person(
    new_page: NewPage, watch: Watch, speaker: Page, sqlite_server: ParlourServer, picture: Any
) -> None:
    watch.allow("status of 403")
    name = become_guest(speaker)
    moderator = sign_in_as_administrator(new_page, sqlite_server)
    moderator.goto("/admin/lobby/user/")
    moderator.get_by_role("link", name=name, exact=True).click()
    picture(moderator, "admin-person")
    moderator.get_by_role("button", name="Ban…", exact=True).click()
    moderator.get_by_label("Why?").fill("spam")
    picture(moderator, "admin-ban")
    moderator.get_by_role("button", name="Ban", exact=True).click()
    expect(moderator.locator(".messagelist")).to_contain_text(f"{name}: banned.")
    open_chat(speaker)
    field(speaker).fill("can you hear me?")
    field(speaker).press("Enter")
    expect(speaker.locator("#chat-problem, #connection").filter(has_text=re.compile("."))).not_to_have_count(
        0
    )
    speaker.goto("/")
    expect(speaker.get_by_role("heading", name="You are banned")).to_be_visible()
    moderator.goto("/admin/admin/logentry/")
    expect(moderator.locator("#result_list")).to_contain_text("Reason: spam")
    picture(moderator, "admin-log")


@pytest.mark.full
@pytest.mark.parametrize("width", [1280, 390])
def test_chat_layout_and_accessibility(
    new_page: NewPage, sqlite_server: ParlourServer, listener: Page, picture: Any, width: int
) -> None:
    page = new_page(sqlite_server, viewport={"width": width, "height": 844 if width == 390 else 800})
    become_guest(page)
    become_guest(listener)
    say(listener, f"{width}-word-without-any-end-" * 10)
    if width == 390:
        page.locator("#chat-toggle").click()
    say(page, "Good evening, everyone. Who would like a match of anything at all?")
    page.locator("#chat").scroll_into_view_if_needed()
    expect(line(page, "Good evening").last).to_be_visible()
    check_looks(page, picture, "chat")
    about(page, f"{width}-word-without").get_by_label("Report this message").fill("spam")
    assert serious_violations(page) == []
    picture(page, f"chat-person-{width}")
