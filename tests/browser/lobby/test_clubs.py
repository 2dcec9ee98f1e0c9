"""A club in browsers, from its foundation to the removal of a member."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.looks import check_looks_everywhere
from tests.browser.players import led_to, submit
from tests.helpers import accounts
from tools.harness.servers import ParlourServer


def open_chat(page: Page) -> None:
    """Have the chat open, once it knows what was said before."""
    expect(page.locator("#chat-lines .chat-line, #no-lines:not([hidden])")).not_to_have_count(0)
    page.locator("#chat-toggle").evaluate("toggle => toggle.ariaExpanded === 'true' || toggle.click()")
    expect(page.locator("#chat-body")).to_be_visible()


def test_a_club_from_its_foundation_to_a_removal(
    new_page: NewPage, sqlite_server: ParlourServer, picture: Callable[[Page, str], None]
) -> None:
    owner, member = new_page(sqlite_server), new_page(sqlite_server)
    for page, account in zip(
        (owner, member), accounts.registered(sqlite_server, "Olga", "Mart"), strict=True
    ):
        accounts.sign_in(page, sqlite_server, account)

    owner.goto("/clubs")
    check_looks_everywhere(owner, picture, "clubs")
    owner.get_by_role("link", name="Found a club").click()
    check_looks_everywhere(owner, picture, "club-form")
    owner.get_by_label("Name of the club").fill("Harbour club")
    owner.get_by_label("people whose request an organiser accepts").check()
    owner.get_by_role("button", name="Found the club").click()
    led_to(owner, re.compile("/club/harbour-club$"))

    member.goto("/club/harbour-club")
    member.get_by_label("Message to the organisers (optional)").fill("I live next door")
    member.get_by_role("button", name="Ask to join").click()
    expect(
        member.get_by_text("Your request has been sent to the organisers of the club.").last
    ).to_be_visible()
    owner.goto("/clubs")
    owner.get_by_role("link", name="1 request to join").click()
    expect(owner.locator("#requests")).to_contain_text("I live next door")
    check_looks_everywhere(owner, picture, "club-request")
    owner.get_by_role("button", name="Accept Mart").click()
    expect(owner.locator("#members")).to_contain_text("Mart")

    owner.get_by_label("New announcement, for all members").fill("Games on Friday at six")
    owner.get_by_role("button", name="Announce").click()
    cup = {"title": "Club cup", "format": "swiss", "rounds": "3", "preset": "circle"}
    club = re.search(r"\?club=(\w+)", owner.content())
    assert club is not None
    submit(owner, "/tournaments/new/kalah", club=club[1], **cup)
    member.goto("/club/harbour-club")
    expect(member.get_by_text("Games on Friday at six")).to_be_visible()
    open_chat(member)
    member.get_by_label("Message everyone").fill("I will be there")
    member.get_by_label("Message everyone").press("Enter")
    owner.goto("/club/harbour-club")
    expect(owner.locator(".chat-line", has_text="I will be there")).to_contain_text("Mart")
    check_looks_everywhere(owner, picture, "club")
    picture(member, "club-chat")

    member.get_by_role("link", name="Club cup").click()
    member.get_by_role("button", name="Enter", exact=True).click()
    expect(member.get_by_text("You are in.")).to_be_visible()
    cup_page = member.url

    member.goto("/club/harbour-club")
    open_chat(member)
    owner.get_by_text("Remove a member").click()
    owner.get_by_label("Name", exact=True).first.fill("Mart")
    owner.get_by_role("button", name="Remove", exact=True).click()
    expect(owner.locator("#members")).not_to_contain_text("Mart")
    expect(member.locator("#chat")).to_be_hidden()
    member.reload()
    expect(member.get_by_text("You were removed from this club.")).to_be_visible()
    member.goto(cup_page)
    expect(member.get_by_text("Only members of the club can enter this tournament.")).to_be_visible()
