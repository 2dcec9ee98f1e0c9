"""The ladder of a club in browsers: set up, joined, a challenge, and its match."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.looks import check_looks_everywhere
from tests.browser.players import led_to, submit
from tests.helpers import accounts
from tools.harness.servers import ParlourServer

AT = "/club/ladder-club"


def test_a_ladder_from_its_form_to_a_match(
    new_page: NewPage, sqlite_server: ParlourServer, picture: Callable[[Page, str], None]
) -> None:
    owner, member = new_page(sqlite_server), new_page(sqlite_server)
    for page, account in zip(
        (owner, member), accounts.registered(sqlite_server, "Liis", "Peeter"), strict=True
    ):
        accounts.sign_in(page, sqlite_server, account)
    submit(owner, "/clubs/new", name="Ladder club", joining="open")
    submit(member, f"{AT}/join")

    owner.goto(AT)
    owner.get_by_role("link", name="Set up a ladder").click()
    check_looks_everywhere(owner, picture, "ladder-form")
    owner.get_by_label("Days to play after that").fill("9")
    owner.get_by_role("button", name="Save").click()
    led_to(owner, re.compile(f"{AT}/ladder$"))
    owner.get_by_role("button", name="Join the ladder").click()

    member.goto(f"{AT}/ladder")
    member.get_by_role("button", name="Join the ladder").click()
    member.get_by_role("button", name="Challenge Liis").click()
    expect(member.get_by_text("You have challenged Liis.")).to_be_visible()
    owner.goto(f"{AT}/ladder")
    check_looks_everywhere(owner, picture, "ladder-challenged")
    owner.get_by_role("button", name="Accept", exact=True).click()
    expect(owner.get_by_role("button", name="Play now")).to_be_visible()

    member.goto(AT)
    member.get_by_role("link", name="Open the ladder").click()
    member.get_by_role("button", name="Play now").click()
    led_to(member, re.compile("/t/"))
    expect(owner.get_by_text("Peeter challenges you").last).to_be_visible()
    owner.get_by_role("button", name="Play now").click()
    led_to(owner, re.compile("/m/"))
    led_to(member, re.compile("/m/"))

    submit(member, f"{AT}/ladder/leave")
    member.goto(f"{AT}/ladder")
    expect(member.get_by_text("Peeter and Liis: the places stay")).to_be_visible()
    check_looks_everywhere(member, picture, "ladder")
