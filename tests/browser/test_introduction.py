"""The introduction of each game as a newcomer plays it: by mouse, by touch, by keyboard and by ear."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from games.pages import introduction
from games.registry import GAMES
from tests.browser.by_ear.listener import Listener
from tests.browser.by_ear.transcript import Transcript
from tests.browser.conftest import NewPage
from tests.browser.looks import Picture, check_looks_everywhere, serious_violations
from tests.browser.players import NO_ANIMATION, come_in, led_to, press, wait_for_ply
from tests.helpers.samples import FULL
from tools.harness.servers import ParlourServer

INTRODUCED = [slug for slug, game in GAMES.items() if game.introduction]
WAYS = ("mouse", "touch", "keyboard", "ear")
OF_KALAH = {"3": "2", "5": "4", "1": "0", "6": "5"}
"""The places of the pits of the first seat."""
KEYS = {"roll": "r", "stop": "s", "6+8": "1", "4+6": "2"}
"""The keys of moves that have one of their own; pits have their numbers."""
USUAL = {("kalah", "mouse"), ("morris", "ear"), ("aces", "touch"), ("cantstop", "keyboard")}
PLAYED = [(slug, way) for slug in INTRODUCED for way in WAYS if FULL or (slug, way) in USUAL]


def right_moves(slug: str) -> list[str]:
    return [next(iter(each.lines)) for each in introduction.played(slug)]


def come_to(page: Page, slug: str) -> None:
    page.goto(f"/rules/{slug}/try")
    expect(page.locator("#introduction[data-lesson='1']")).to_have_attribute("data-ply", "0")


def at_lesson(page: Page, number: int) -> None:
    expect(page.locator("#introduction")).to_have_attribute("data-lesson", str(number))


def places(slug: str, move: str) -> list[str]:
    """The places of a board that make a move, none if it has a button."""
    if slug == "kalah":
        return [OF_KALAH[move]]
    return move.removeprefix("x").split("-") if slug == "morris" else []


def pressed(page: Page, slug: str, move: str, act: Callable[[str], None]) -> None:
    """A move by places or buttons; on a touch screen a button of dice shows first where it leads."""
    for place in places(slug, move):
        act(f"#board [data-cell='{place}']")
    if not places(slug, move):
        act(f"#controls [aria-keyshortcuts='{KEYS[move]}']")
        if page.locator("#controls [data-looked]").count():
            act("#controls [data-looked]")


def by_key(page: Page, slug: str, move: str) -> None:
    """By its key, else by its notation in the text box."""
    if slug == "kalah" or move in KEYS:
        page.keyboard.press(KEYS.get(move, move))
    else:
        typed(page, move)


def typed(page: Page, move: str) -> None:
    page.keyboard.press("/")
    page.keyboard.type(move)
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")


def go_on(page: Page, slug: str, number: int, act: Callable[[], None]) -> None:
    """Wait for the next lesson, and begin it where it has a position of its own."""
    lessons = introduction.played(slug)
    if number < len(lessons):
        if lessons[number].lesson.position is not None:
            expect(page.locator("#next")).to_be_focused()
            act()
        at_lesson(page, number + 1)


def ended(page: Page, slug: str) -> None:
    aim = GAMES[slug].introduction
    assert aim
    expect(page.locator("#narration")).to_contain_text(aim.aim)
    expect(page.locator("#play-computer")).to_be_focused()
    assert serious_violations(page) == []


@pytest.mark.parametrize(("slug", "way"), PLAYED)
def test_introduction_played_to_end(
    new_page: NewPage, sqlite_server: ParlourServer, slug: str, way: str
) -> None:
    phone = {"viewport": {"width": 390, "height": 664}, "has_touch": True, "is_mobile": True}
    page = new_page(sqlite_server, **(phone if way == "touch" else {}))
    page.add_init_script(NO_ANIMATION)
    listener = Listener(page, Transcript("An introduction by ear")) if way == "ear" else None
    come_to(page, slug)
    assert serious_violations(page) == []
    for number, move in enumerate(right_moves(slug), 1):
        if listener:
            heard(listener, slug, number, move)
        elif way == "keyboard":
            by_key(page, slug, move)
        else:
            act = page.tap if way == "touch" else page.click
            pressed(page, slug, move, act)
        go_on(
            page,
            slug,
            number,
            (lambda: page.tap("#next")) if way == "touch" else lambda: page.keyboard.press("Enter"),
        )
    ended(page, slug)


def heard(listener: Listener, slug: str, number: int, move: str) -> None:
    """A move in the text box; what it did is heard, with what is to be done next."""
    listener.press("/")
    listener.type(move)
    lessons = introduction.played(slug)
    said = listener.hear(lessons[number - 1].lesson.told)
    listener.press("Escape")
    if number < len(lessons) and lessons[number].lesson.position is None:
        assert said.endswith(lessons[number].lesson.task)


@pytest.fixture
def at(new_page: NewPage, sqlite_server: ParlourServer) -> Page:
    page = new_page(sqlite_server)
    page.add_init_script(NO_ANIMATION)
    return page


def test_another_legal_move_is_answered_and_can_be_tried_again(at: Page) -> None:
    come_to(at, "kalah")
    press(at, "0")
    expect(at.locator("#notice")).to_have_text(
        "The last seed of that pit lands elsewhere. Sow the third pit."
    )
    typed(at, "7")
    expect(at.locator("#answer")).to_have_text("Pit 7 is not yours. Yours are 1 to 6.")
    typed(at, "no move")
    expect(at.locator("#notice")).to_have_text("Sow any of your pits.")
    at_lesson(at, 1)
    press(at, "2")
    at_lesson(at, 2)


def test_introduction_leads_to_computer_match(at: Page) -> None:
    come_in(at)
    at.goto("/#play-kalah")
    offer = at.locator("#play-kalah").get_by_role("link", name="First time? Learn it")
    offer.click()
    led_to(at, "/rules/kalah/try")
    for move in right_moves("kalah"):
        press(at, OF_KALAH[move])
        if at.locator("#next").is_visible():
            at.locator("#next").click()
    at.get_by_role("button", name="Play the computer").click()
    led_to(at, "/m/")
    wait_for_ply(at, 0)
    expect(at.locator("#match")).to_have_attribute("data-game", "kalah")
    at.goto("/#play-kalah")
    expect(at.locator("#play-kalah")).to_be_visible()
    expect(offer).to_be_hidden()


def test_the_offer_can_be_refused(at: Page) -> None:
    at.goto("/#play-aces")
    sheet = at.locator("#play-aces")
    sheet.get_by_role("button", name="Hide").click()
    expect(sheet.locator(".introduce")).to_be_hidden()
    at.reload()
    expect(sheet).to_be_visible()
    expect(sheet.locator(".introduce")).to_be_hidden()
    for path, is_offered in (("/computer/aces", False), ("/new/aces", False), ("/new/kalah", True)):
        at.goto(path)
        expect(at.get_by_role("link", name="Learn it in a minute")).to_have_count(int(is_offered))


@pytest.mark.full
@pytest.mark.parametrize("slug", INTRODUCED)
def test_looks(at: Page, slug: str, picture: Picture) -> None:
    come_to(at, slug)
    check_looks_everywhere(at, picture, f"introduction-{slug}")
