"""The page of people, as they use it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import NewPage
from tests.browser.looks import SCHEMES, serious_violations
from tests.browser.players import become_guest, come_in, led_to, set_table
from tools.harness.servers import ParlourServer


@pytest.fixture
def me(new_page: NewPage, sqlite_server: ParlourServer) -> Page:
    return new_page(sqlite_server)


@pytest.fixture
def other(new_page: NewPage, sqlite_server: ParlourServer) -> Page:
    return new_page(sqlite_server)


def followed(page: Page, name: str) -> Locator:
    """The row of somebody I follow."""
    section = page.get_by_role("region", name="People I follow")
    return section.locator(".list-row", has_text=name)


def follow(page: Page, name: str) -> None:
    """Find somebody by name, and follow them."""
    page.get_by_role("navigation", name="Site").get_by_role("link", name="People", exact=True).click()
    page.get_by_role("link", name="People I follow").click()
    page.get_by_label("Name, or its first letters").fill(name[:-1].lower())
    page.get_by_role("button", name="Find").click()
    page.get_by_role("button", name=f"Follow: {name}", exact=True).click()
    expect(followed(page, name)).to_be_visible()


def test_followed_user_presence_shown(
    new_page: NewPage, sqlite_server: ParlourServer, me: Page, other: Page
) -> None:
    name = become_guest(other)
    become_guest(me)
    follow(me, name)
    row = followed(me, name)
    expect(row).to_contain_text("online")
    address = set_table(other, "kalah", "circle", 2)
    third = new_page(sqlite_server)
    third.goto(address)
    third.get_by_role("button", name="Join").click()
    led_to(third, "/m/")
    expect(row).to_contain_text("playing")
    watch = row.get_by_role("link", name=f"Watch {name}")
    expect(watch).to_be_visible()
    led_to(other, "/m/")
    other.close()
    expect(row).to_contain_text("in a match, but away")
    expect(row.locator(".presence")).not_to_have_attribute("data-here", re.compile(".*"))
    watch.click()
    led_to(me, third.url)


@pytest.mark.full
def test_report_from_people_page(me: Page, other: Page, sqlite_server: ParlourServer, picture: Any) -> None:
    name = become_guest(other)
    become_guest(me)
    follow(me, name)
    followed(me, name).locator("summary").click()
    followed(me, name).get_by_role("link", name=re.compile("^Report")).click()
    me.get_by_label("What is wrong?").fill("This name is an insult.")
    assert serious_violations(me) == []
    picture(me, "report")
    me.get_by_role("button", name="Send the report").click()
    expect(me.get_by_role("status").filter(has_text="Thank you")).to_be_visible()
    assert me.url.endswith("/people?find=" + name[:-1].lower())
    assert sqlite_server.rows("SELECT reason FROM lobby_report") == [("This name is an insult.",)]


@pytest.mark.full
@pytest.mark.parametrize("width", [1280, 390])
def test_people_page_layout_and_accessibility(
    new_page: NewPage, sqlite_server: ParlourServer, other: Page, picture: Any, width: int
) -> None:
    page = new_page(sqlite_server, viewport={"width": width, "height": 664 if width == 390 else 720})
    names = []
    for _ in range(3):
        other.context.clear_cookies()
        names.append(become_guest(other))
    come_in(page)
    page.goto("/people")
    assert serious_violations(page) == []
    picture(page, f"people-none-{width}")
    follow(page, names[0])
    follow(page, names[2])
    for name, act in ((names[1], "Mute"), (names[1], "Block")):
        page.goto(f"/people?find={name}")
        page.get_by_label(f"More about {name}").click()
        page.get_by_role("button", name=re.compile(f"^{act}")).click()
    page.goto(f"/people?find={names[0][:3]}")
    page.locator(".site-name").evaluate("name => { name.textContent = 'Wholehearted-Wombat9'; }")
    assert page.locator(".brand").bounding_box()["height"] <= 48
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert serious_violations(page, colours=scheme != SCHEMES[0]) == []
        picture(page, f"people-{width}-{scheme}")
    followed(page, names[0]).locator("summary").click()
    expect(followed(page, names[0]).locator(".menu-body")).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert serious_violations(page) == []
    picture(page, f"people-menu-{width}")
