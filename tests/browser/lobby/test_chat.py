"""The chat of the lobby, as people use it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.administrator import sign_in_as_administrator
from tests.browser.conftest import NewPage, Watch
from tests.browser.looks import check_looks, serious_violations
from tests.browser.players import SERVER_AWAY, become_guest
from tests.conftest import House
from tools.harness.servers import ParlourServer


@pytest.fixture
def speaker(new_page: NewPage, sqlite_server: ParlourServer) -> Page:
    return new_page(sqlite_server)


@pytest.fixture
def listener(new_page: NewPage, sqlite_server: ParlourServer) -> Page:
    return new_page(sqlite_server)


def field(page: Page) -> Locator:
    return page.get_by_label("Say something to everyone")


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
    listener.get_by_role("button", name="Come in as guest").click()
    expect(line(listener, "Anybody for a game?")).to_be_visible()
    say(listener, "Yes, in a minute")
    expect(line(speaker, "Yes, in a minute")).to_be_visible()
    # Nobody is asked what to do about themselves.
    expect(line(speaker, "Anybody for a game?").get_by_role("button")).to_have_count(0)


def test_what_looks_like_markup_or_a_link_is_text(speaker: Page, listener: Page) -> None:
    listener.goto("/")
    become_guest(speaker)
    say(speaker, "<img src=x onerror=alert(1)> http://example.org/")
    said = line(listener, "<img src=x onerror=alert(1)> http://example.org/")
    expect(said).to_be_visible()
    assert said.locator("img, a").count() == 0


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


def test_what_is_refused_stays_in_the_field_with_the_reason(speaker: Page) -> None:
    become_guest(speaker)
    open_chat(speaker)
    field(speaker).fill("one too many")
    speaker.evaluate(SAY_FIVE_LINES)
    field(speaker).press("Enter")
    expect(speaker.get_by_role("alert")).to_contain_text("Wait a few seconds")
    expect(field(speaker)).to_have_value("one too many")
    expect(line(speaker, "one too many")).to_have_count(0)
    field(speaker).press("End")
    field(speaker).type("!")
    expect(speaker.get_by_role("alert")).to_have_text("")


def test_what_was_said_while_the_server_was_away_is_said_once(
    speaker: Page, listener: Page, watch: Watch, sqlite_server: ParlourServer
) -> None:
    watch.allow(SERVER_AWAY)
    become_guest(speaker)
    listener.goto("/")
    say(speaker, "before the restart")
    expect(line(listener, "before the restart")).to_be_visible()
    sqlite_server.terminate()
    field(speaker).fill("while it was away")
    field(speaker).press("Enter")
    sqlite_server.start()
    expect(line(listener, "while it was away")).to_have_count(1, timeout=30_000)
    expect(field(speaker)).to_have_value("", timeout=30_000)
    expect(line(speaker, "while it was away")).to_have_count(1)
    expect(line(listener, "before the restart")).to_have_count(1)


def test_what_i_said_elsewhere_opens_the_chat_and_is_not_new(new_page: NewPage, house: House) -> None:
    # Where nobody has ever spoken the chat is closed.
    page = new_page(house.open(house.store("sqlite")))
    become_guest(page)
    knows_what_was_said(page)
    expect(field(page)).to_be_hidden()
    page.evaluate(SAY_FIVE_LINES)
    expect(line(page, "fast line 4")).to_be_visible()
    expect(page.locator("#chat-fresh")).to_be_hidden()


@pytest.mark.parametrize("act", ["Mute", "Block"])
def test_lines_of_somebody_muted_or_blocked_go_and_come_back(speaker: Page, listener: Page, act: str) -> None:
    name = become_guest(speaker)
    become_guest(listener)
    say(speaker, f"before {act}")
    dialog = about(listener, f"before {act}")
    expect(dialog.get_by_role("heading")).to_have_text(name)
    dialog.get_by_role("button", name=act).click()
    expect(dialog).to_be_hidden()
    expect(line(listener, f"before {act}")).to_have_count(0)
    say(speaker, f"after {act}")
    second_page = listener.context.new_page()
    second_page.goto("/")
    say(listener, f"I hear nothing of {act}")
    expect(line(speaker, f"I hear nothing of {act}")).to_be_visible()
    for page in (listener, second_page):
        expect(line(page, f"I hear nothing of {act}")).to_be_visible()
        expect(line(page, f"after {act}")).to_have_count(0)
    second_page.goto("/people")
    second_page.get_by_role("button", name=f"Un{act.lower()}: {name}").click()
    # The lobby that stayed open shows again what was never sent to it.
    expect(line(listener, f"before {act}")).to_be_visible()
    expect(line(listener, f"after {act}")).to_be_visible()


def test_a_line_is_reported_and_the_moderators_answer_is_seen_live(
    new_page: NewPage, speaker: Page, listener: Page, sqlite_server: ParlourServer
) -> None:
    become_guest(speaker)
    become_guest(listener)
    say(speaker, "something rude")
    dialog = about(listener, "something rude")
    dialog.get_by_label("Report this line").fill("It is rude.")
    dialog.get_by_role("button", name="Send the report").click()
    expect(dialog.get_by_role("status")).to_have_text("Thank you. A moderator will look at it.")
    listener.keyboard.press("Escape")
    assert sqlite_server.rows("SELECT reason FROM lobby_report") == [("It is rude.",)]
    moderator = sign_in_as_administrator(new_page, sqlite_server)
    moderator.goto("/admin/lobby/report/")
    moderator.get_by_role("link", name="It is rude.").click()
    expect(moderator.locator("#content")).to_contain_text("something rude")
    moderator.get_by_role("button", name="Hide the line").click()
    for page in (speaker, listener):
        expect(line(page, "something rude")).to_have_count(0)


def test_a_ban_by_the_admin_reaches_the_person(
    new_page: NewPage, speaker: Page, sqlite_server: ParlourServer, picture: Any
) -> None:
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
    expect(speaker.get_by_role("button", name="Play as guest")).to_be_visible()
    moderator.goto("/admin/admin/logentry/")
    expect(moderator.locator("#result_list")).to_contain_text("Reason: spam")
    picture(moderator, "admin-log")


def test_the_chat_works_by_keyboard(speaker: Page, listener: Page) -> None:
    become_guest(speaker)
    name = become_guest(listener)
    say(listener, "first")
    say(listener, "second")
    expect(line(speaker, "second")).to_be_visible()
    log = speaker.get_by_role("log", name="Chat")
    expect(log).to_have_attribute("aria-live", "off")
    log.focus()
    expect(log).to_have_attribute("aria-live", "polite")
    speaker.keyboard.press("Tab")
    expect(line(speaker, "second").get_by_role("button")).to_be_focused()
    speaker.keyboard.press("ArrowUp")
    expect(line(speaker, "first").get_by_role("button", name=f"About {name}")).to_be_focused()
    speaker.keyboard.press("Enter")
    expect(speaker.locator("#chat-person")).to_be_visible()
    speaker.keyboard.press("Escape")
    expect(line(speaker, "first").get_by_role("button")).to_be_focused()
    speaker.keyboard.press("Tab")
    expect(field(speaker)).to_be_focused()


def test_on_a_phone_the_chat_opens_by_a_button_that_counts(
    new_page: NewPage, speaker: Page, sqlite_server: ParlourServer
) -> None:
    phone = new_page(sqlite_server, viewport={"width": 390, "height": 844})
    become_guest(phone)
    # A line from before would not be counted.
    knows_what_was_said(phone)
    become_guest(speaker)
    expect(field(phone)).to_be_hidden()
    say(speaker, "hello phone")
    button = phone.get_by_role("button", name=re.compile("1 new.*Open"))
    expect(button).to_have_attribute("aria-expanded", "false")
    button.click()
    expect(line(phone, "hello phone")).to_be_visible()
    say(phone, "hello desk")
    expect(line(speaker, "hello desk")).to_be_visible()
    phone.get_by_role("button", name="Close", exact=True).click()
    expect(field(phone)).to_be_hidden()


@pytest.mark.parametrize("width", [1280, 390])
def test_nothing_sticks_out_and_axe_finds_nothing_serious(
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
    about(page, f"{width}-word-without").get_by_label("Report this line").fill("spam")
    assert serious_violations(page) == []
    picture(page, f"chat-person-{width}")
