"""A class in browsers: made, its cards printed, and two pupils who come in by them on phones and play."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from playwright.sync_api import Page, ViewportSize, expect

from lobby.moderation.moderators import TEACHERS
from tests.browser.conftest import NewPage
from tests.browser.looks import check_looks_everywhere
from tests.browser.players import change, led_to, press, wait_for_ply
from tests.browser.visitors import WINDOW
from tests.helpers import accounts
from tools.harness.servers import ParlourServer

PHONE: ViewportSize = {"width": 390, "height": 664}
PAPER: ViewportSize = {"width": 718, "height": 1047}
"""A4 within its margins."""
IN_GROUP = """
    INSERT INTO lobby_user_groups (user_id, group_id)
    SELECT lobby_user.id, auth_group.id FROM lobby_user, auth_group WHERE username = ? AND name = ?
"""


def make_class(teacher: Page) -> str:
    """Make a class with two pupils from the foot of the front page; its address."""
    teacher.goto("/")
    teacher.locator("footer").get_by_role("link", name="Classes").click()
    teacher.get_by_label("Name of the class").fill("5b")
    teacher.get_by_role("button", name="Make a class").click()
    led_to(teacher, re.compile("/class/[A-Z]{6}$"))
    teacher.get_by_label("First names").fill("Mari\nAnna Liisa")
    teacher.get_by_role("button", name="Add pupils").click()
    expect(teacher.locator("#pupils-title")).to_have_text("2 pupils")
    return teacher.url


def come_in(pupil: Page, school_class: str, teacher: Page, name: str) -> None:
    """Open the address in the QR code of a card, and say that it is one's own."""
    card = teacher.locator(".pupil-card").filter(has_text=name)
    pupil.set_viewport_size(PHONE)
    pupil.goto(f"{school_class}/card?letters={card.locator('.class-code').last.inner_text()}")
    expect(pupil.get_by_role("heading", level=1)).to_have_text(f"Are you {name}?")
    pupil.get_by_role("button", name="Yes, that’s me").click()
    expect(pupil.get_by_text(f"You are {name}.")).to_be_visible()


def hold_lesson(
    teacher: Page, school_class: str, pupils: Sequence[Page], picture: Callable[[Page, str], None]
) -> None:
    """Give homework, and pair a round, which opens by itself on the pages of the pupils."""
    teacher.goto(f"{school_class}/homework")
    teacher.locator("#give-course > summary").click()
    teacher.locator("#courseform-due").fill("2099-01-31")
    teacher.locator("#give-course button").click()
    expect(teacher.get_by_text("By 31 Jan 2099")).to_be_visible()
    check_looks_everywhere(teacher, picture, "class-homework")
    teacher.goto(f"{school_class}/lesson")
    expect(teacher.locator("#free")).to_have_text("2 pupils are here and free.")
    teacher.get_by_role("button", name="Pair round 1").click()
    for pupil in pupils:
        led_to(pupil, re.compile("/m/"))
        pupil.goto(school_class)
    expect(teacher.get_by_text("Round 1 · Table 1")).to_be_visible()
    check_looks_everywhere(teacher, picture, "class-lesson")
    teacher.get_by_role("link", name="Wall board").click()
    expect(teacher.locator(".wall-boards figure")).to_have_count(1)
    teacher.goto(f"{school_class}/end")
    check_looks_everywhere(teacher, picture, "class-end")


def test_a_class_from_its_cards_to_a_match(
    new_page: NewPage, sqlite_server: ParlourServer, picture: Callable[[Page, str], None]
) -> None:
    teacher, mari, anna = (new_page(sqlite_server) for _ in range(3))
    (account,) = accounts.registered(sqlite_server, "Liis")
    sqlite_server.write(IN_GROUP, "Liis", TEACHERS)
    accounts.sign_in(teacher, sqlite_server, account)
    school_class = make_class(teacher)
    check_looks_everywhere(teacher, picture, "class-teacher")
    teacher.get_by_role("link", name="Print cards").click()
    check_looks_everywhere(teacher, picture, "class-cards")
    # Phones read codes on white, in every theme.
    expect(teacher.locator(".pupil-card .qr").first).to_have_css("background-color", "rgb(255, 255, 255)")
    # A4 has room for ten.
    teacher.emulate_media(media="print")
    teacher.set_viewport_size(PAPER)
    heights = teacher.locator(".pupil-card").evaluate_all("all => all.map((each) => each.offsetHeight)")
    assert max(heights) <= PAPER["height"] / 5
    teacher.emulate_media(media="screen")
    teacher.set_viewport_size(WINDOW)

    come_in(mari, school_class, teacher, "Mari")
    come_in(anna, school_class, teacher, "Anna Liisa")
    check_looks_everywhere(mari, picture, "class-pupil")
    mari.set_viewport_size(PHONE)
    hold_lesson(teacher, school_class, (mari, anna), picture)
    mari.get_by_role("link", name="Play Anna Liisa").click()
    change(mari)
    mari.locator("input[name=first][value=host]").check()
    mari.get_by_role("button", name="Challenge").click()
    toast = anna.locator("#challenges .toast").filter(has_text="challenges you")
    expect(toast).to_contain_text("Mari challenges you")
    toast.get_by_role("button", name="Accept").click()
    for pupil in (mari, anna):
        led_to(pupil, re.compile("/m/"))
        expect(pupil.locator("main")).to_contain_text("Anna Liisa")
    wait_for_ply(mari, 0)
    press(mari, "0")
    wait_for_ply(anna, 1)

    teacher.goto(mari.url)
    wait_for_ply(teacher, 1)
    visitor = new_page(sqlite_server)
    assert visitor.request.get(mari.url).status == 403
