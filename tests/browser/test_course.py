"""The courses of the games: ten lessons, and where one is in them."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from games.domain.position import Position
from games.pages.introduction import COURSE, played
from games.registry import GAMES
from tests.browser.board_moves import press_move
from tests.browser.by_ear.listener import Listener
from tests.browser.by_ear.transcript import Transcript
from tests.browser.conftest import NewPage
from tests.browser.looks import Picture, check_looks_everywhere
from tests.browser.players import NO_ANIMATION
from tests.helpers import accounts
from tools.harness.servers import ParlourServer

Act = Callable[[Page, str, int, str], None]
"""Makes a move in a lesson of a course."""

TAUGHT = [slug for slug, game in GAMES.items() if game.course]


@pytest.fixture
def at(new_page: NewPage, sqlite_server: ParlourServer) -> Page:
    page = new_page(sqlite_server)
    page.add_init_script(NO_ANIMATION)
    return page


def position_of(slug: str, number: int) -> Position:
    return Position(GAMES[slug], played(slug, COURSE)[number - 1].before.state, 2)


def press(page: Page, slug: str, number: int, move: str) -> None:
    press_move(position_of(slug, number), move, page.click)


def answer(page: Page, slug: str, number: int, act: Act = press) -> None:
    """Make the move that a lesson asks for, and go on to the next one."""
    expect(page.locator("#introduction")).to_have_attribute("data-lesson", str(number))
    lessons = played(slug, COURSE)
    act(page, slug, number, next(iter(lessons[number - 1].lines)))
    if number == len(lessons):
        expect(page.locator("#play-computer")).to_be_focused()
    elif lessons[number].lesson.position is not None:
        if act is type_move:
            expect(page.locator("#next")).to_be_focused()
            page.keyboard.press("Enter")
        else:
            page.locator("#next").click()


def test_lesson_answers_another_move_and_then_shows_the_right_one(at: Page) -> None:
    at.goto("/rules/kalah/course")
    hinted = at.locator("#board [data-hint]")
    expect(at.locator("#question")).to_have_text("Find the pit that earns another turn.")
    expect(hinted).to_have_count(0)
    press(at, "kalah", 1, "2")
    expect(at.locator("#notice")).to_have_text("Count: its last seed has to fall into your store.")
    expect(hinted).to_have_attribute("data-cell", "4")
    answer(at, "kalah", 1)
    expect(at.locator("#progress")).to_have_text("Lesson 2 of 10")


def test_course_goes_on_where_one_left_it(at: Page) -> None:
    at.goto("/rules/kalah/course")
    answer(at, "kalah", 1)
    at.goto("/rules/kalah")
    at.get_by_role("link", name="How to play well").click()
    expect(at.locator("#progress")).to_have_text("Lesson 2 of 10")
    expect(at.locator("#question")).to_have_text(played("kalah", COURSE)[1].lesson.task)


def test_account_takes_over_what_a_browser_knows_and_other_browsers_go_on(
    at: Page, new_page: NewPage, sqlite_server: ParlourServer, picture: Picture
) -> None:
    at.goto("/rules/kalah/course")
    answer(at, "kalah", 1)
    account = accounts.registered(sqlite_server, "Pupil")[0]
    accounts.sign_in(at, sqlite_server, account)
    with at.expect_response("**/courses"):
        at.goto("/people/online")
    with at.expect_response("**/courses"):
        at.goto("/rules/kalah/course")
        answer(at, "kalah", 2)
    other = new_page(sqlite_server)
    accounts.sign_in(other, sqlite_server, account)
    other.goto("/rules")
    course = other.get_by_role("listitem").filter(has_text="Lesson 3 of 10")
    check_looks_everywhere(other, picture, "courses")
    course.get_by_role("link", name="Kalah").click()
    expect(other.locator("#progress")).to_have_text("Lesson 3 of 10")


def test_lessons_are_done_by_ear(at: Page) -> None:
    """Task, another move, the right one, and the next task are all heard."""
    listener = Listener(at, Transcript("A course by ear"))
    at.goto("/rules/kalah/course")
    assert "Find the pit that earns another turn." in " ".join(listener.lines())
    listener.tab_to("pit", "gridcell")
    listener.press("2")
    listener.hear(r"Count: its last seed has to fall into your store\.")
    first, second = played("kalah", COURSE)[:2]
    listener.press(next(iter(first.lines)))
    listener.hear(re.escape(first.lesson.told))
    expect(at.locator("#next")).to_be_focused()
    listener.press("Enter")
    listener.hear(re.escape(second.lesson.task))


def tap(page: Page, slug: str, number: int, move: str) -> None:
    def touch(place: str) -> None:
        page.tap(place)
        # The first touch of several choices shows where they lead.
        if page.locator("#controls [data-looked]").count():
            page.tap("#controls [data-looked]")

    press_move(position_of(slug, number), move, touch)


def type_move(page: Page, slug: str, number: int, move: str) -> None:
    # Where the lesson goes on in the same position the focus is in the text box already.
    page.keyboard.press("/")
    page.keyboard.type(move)
    page.keyboard.press("Enter")


@pytest.mark.full
@pytest.mark.parametrize("slug", TAUGHT)
@pytest.mark.parametrize("act", [press, tap, type_move])
def test_course_played_to_its_end_and_begun_again(
    new_page: NewPage, sqlite_server: ParlourServer, slug: str, act: Act, picture: Picture
) -> None:
    """By mouse, by touch, and by keyboard alone."""
    phone = {"viewport": {"width": 390, "height": 664}, "has_touch": True, "is_mobile": True}
    page = new_page(sqlite_server, **(phone if act is tap else {}))
    page.add_init_script(NO_ANIMATION)
    page.goto(f"/rules/{slug}/course")
    if act is press:
        check_looks_everywhere(page, picture, f"course-{slug}")
    for number in range(1, 11):
        answer(page, slug, number, act)
    page.reload()
    expect(page.locator("#progress")).to_have_text("Lesson 1 of 10")
