"""The daily puzzle as somebody solves it: by press, by keyboard alone and by ear."""

from __future__ import annotations

import json
import re
from datetime import date, timedelta

import pytest
from playwright.sync_api import Page, Route, expect

from games.domain import codec
from games.puzzles import collection, daily
from games.puzzles.collection import Puzzle
from games.puzzles.daily import FIRST
from tests.browser.by_ear.listener import Listener
from tests.browser.by_ear.transcript import Transcript
from tests.browser.conftest import NewPage
from tests.browser.looks import LONGER, OVERLAPS, Picture, check_looks_everywhere
from tests.browser.players import NO_ANIMATION, led_to, press
from tests.helpers.samples import in_full
from tools.harness.servers import ParlourServer

COUNT_FLIGHTS = """() => {
    window.flown = 0;
    const layer = document.querySelector(".board-flights");
    new MutationObserver(() => { window.flown += layer.children.length; }).observe(layer, {childList: true});
}"""
"""Counts what flies over the board in `window.flown`, however quickly it lands."""

WINDOWS = [(1280, 720), (1366, 768), (390, 664), (390, 844), (360, 640), (844, 390), (768, 1024)]
NEEDED = """
    () => [...document.querySelectorAll('#board, .match-line, #help, [data-share], .match-title')]
        .map((each) => each.getBoundingClientRect())
        .filter(({left, top, right, bottom}) =>
            left < -0.5 || top < -0.5 || right > innerWidth + 0.5 || bottom > innerHeight + 0.5).length
"""
"""How much of what a solver needs is not in the window."""


def of_game(slug: str) -> tuple[date, Puzzle]:
    """The first day after another with a puzzle of a game, and the puzzle."""
    for number, puzzle in enumerate(daily.former()):
        if number and puzzle.slug == slug and not puzzle.answer.startswith("x"):
            return FIRST + timedelta(number), puzzle
    raise AssertionError("there is none")


def wrong(puzzle: Puzzle) -> str:
    return next(move for move in puzzle.worth if move != puzzle.answer)


@pytest.fixture
def at(new_page: NewPage, sqlite_server: ParlourServer) -> Page:
    """A page on which nothing flies."""
    page = new_page(sqlite_server)
    page.add_init_script(NO_ANIMATION)
    return page


def come_to(page: Page, day: date) -> None:
    page.goto(f"/puzzle/{day}")
    expect(page.locator("#puzzle")).to_have_attribute("data-ply", "0")


def solved(page: Page, puzzle: Puzzle) -> None:
    """The whole answer lies on the board."""
    expect(page.locator("#puzzle[data-solved]")).to_have_attribute("data-ply", str(len(puzzle.line)))


def place_of(day: date, move: str) -> str:
    """The place on the board of Kalah of a pit of whoever is to move."""
    state = daily.of_day(day, day).state
    return str(state.turn * (state.options.pits + 1) + int(move) - 1)


def test_a_wrong_press_says_what_it_costs_and_the_right_one_what_it_wins(at: Page) -> None:
    day, puzzle = of_game("kalah")
    come_to(at, day)
    press(at, place_of(day, wrong(puzzle)))
    expect(at.locator("#notice")).to_contain_text("Another move wins by")
    expect(at.locator("#puzzle")).to_have_attribute("data-ply", "0")
    other = at.locator("#other")
    expect(other).not_to_have_class(re.compile("button-primary"))
    press(at, place_of(day, puzzle.answer))
    solved(at, puzzle)
    expect(other).to_have_class(re.compile("button-primary"))
    best = puzzle.worth[puzzle.answer]
    expect(at.locator("#verdict")).to_contain_text(f"Right! That wins by {best} seeds.")
    press(at, place_of(day, wrong(puzzle)))
    expect(at.locator("#notice")).to_have_text("This puzzle is solved.")


def test_while_a_move_is_judged_nobody_is_to_move(at: Page) -> None:
    day, puzzle = of_game("kalah")
    come_to(at, day)
    held: list[Route] = []
    at.route("**/moves/*", lambda route: held.append(route))
    press(at, place_of(day, wrong(puzzle)))
    expect(at.locator("#verdict")).to_have_text("Checking the answer…")
    expect(at.locator("#question")).to_be_hidden()
    held[0].continue_()
    expect(at.locator("#question:not([hidden])")).to_have_count(1)
    expect(at.locator("#verdict")).to_be_empty()


def test_the_right_move_flies_and_the_turn_is_played_to_its_end(
    new_page: NewPage, sqlite_server: ParlourServer
) -> None:
    day, puzzle = of_game("kalah")
    page = new_page(sqlite_server)
    come_to(page, day)
    page.evaluate(COUNT_FLIGHTS)
    press(page, place_of(day, puzzle.answer))
    solved(page, puzzle)
    assert page.evaluate("window.flown") > 0


def test_the_answer_is_shown_whenever_asked_for_and_the_puzzle_can_be_had_again(at: Page) -> None:
    day, puzzle = of_game("kalah")
    come_to(at, day)
    press(at, place_of(day, wrong(puzzle)))
    expect(at.locator("#notice")).to_contain_text("Another move")
    at.get_by_role("button", name="Show me").click()
    solved(at, puzzle)
    expect(at.locator("#verdict")).to_have_text(re.compile(r"^The answer: \d+\. That wins by"))
    expect(at.locator("#notice")).to_be_empty()
    at.get_by_role("button", name="Try again").click()
    expect(at.locator("#puzzle:not([data-solved])")).to_have_attribute("data-ply", "0")
    at.get_by_role("button", name="Show me").click()
    solved(at, puzzle)
    at.get_by_role("button", name="Try again").click()
    press(at, place_of(day, puzzle.answer))
    solved(at, puzzle)
    expect(at.locator("#verdict")).to_contain_text("Right!")


def test_todays_puzzle_adds_a_day_to_the_streak_and_its_result_can_be_shared(at: Page) -> None:
    at.goto("/puzzle")
    expect(at.locator("#puzzle")).to_have_attribute("data-ply", "0")
    day = date.fromisoformat(str(at.locator("#puzzle").get_attribute("data-day")))
    yesterday = {"day": str(day - timedelta(1)), "days": 2}
    at.evaluate("(kept) => localStorage.setItem('parlour:puzzles', JSON.stringify(kept))", yesterday)
    at.reload()
    expect(at.locator("#streak")).to_have_text("2 days in a row")
    puzzle = daily.of_day(day, day).puzzle
    at.evaluate("localStorage.setItem('parlour:typing', '\"on\"')")
    at.reload()
    at.locator("#command-text").fill(puzzle.answer)
    at.locator("#command-text").press("Enter")
    solved(at, puzzle)
    expect(at.locator("#streak")).to_have_text("3 days in a row")
    text = str(at.get_by_role("button", name="Share").get_attribute("data-text"))
    assert text.endswith("Solved in 1 try. 3 days in a row.")
    at.reload()
    expect(at.locator("#streak")).to_have_text("3 days in a row")


@pytest.mark.full
def test_puzzle_solved_by_keyboard(at: Page) -> None:
    day, puzzle = of_game("kalah")
    at.add_init_script("localStorage.setItem('parlour:pits', '\"side\"')")
    come_to(at, day)
    at.keyboard.press(wrong(puzzle))
    expect(at.locator("#notice")).to_contain_text("Another move")
    at.keyboard.press(puzzle.answer)
    solved(at, puzzle)


def test_a_man_is_moved_by_two_presses(at: Page) -> None:
    day, puzzle = of_game("morris")
    come_to(at, day)
    for point in puzzle.answer.split("-"):
        press(at, point)
    solved(at, puzzle)
    expect(at.locator("#verdict")).to_contain_text("Right!")


def test_puzzle_solved_by_screen_reader(at: Page) -> None:
    """Whoever does not see finds the board by Tab, hears what a pit holds, and what their move was worth."""
    day, puzzle = of_game("kalah")
    listener = Listener(at, Transcript("A puzzle by ear"))
    come_to(at, day)
    assert "Find the move that wins by the most." in " ".join(listener.lines())
    listener.tab_to("pit", "gridcell")
    listener.press(wrong(puzzle))
    listener.hear("Another move wins by")
    listener.press(puzzle.answer)
    heard = listener.hear("Right!")
    assert heard.startswith("You sowed")
    assert "That wins by" in heard


def test_puzzle_failed_request_changes_nothing(at: Page, watch: object) -> None:
    watch.allow("Failed to load resource")  # type: ignore[attr-defined]
    day, puzzle = of_game("kalah")
    come_to(at, day)
    at.context.set_offline(True)
    press(at, place_of(day, puzzle.answer))
    expect(at.locator("#notice")).to_contain_text("Cannot reach the server.")
    at.context.set_offline(False)
    press(at, place_of(day, puzzle.answer))
    solved(at, puzzle)


@pytest.mark.parametrize("slug", in_full("kalah", "morris"))
def test_all_that_is_needed_is_in_the_window(at: Page, slug: str) -> None:
    day, _ = of_game(slug)
    come_to(at, day)
    for longer in (False, True):
        if longer:
            at.evaluate(LONGER)
        for width, height in WINDOWS:
            at.set_viewport_size({"width": width, "height": height})
            at.evaluate(
                "() => new Promise((rest) => requestAnimationFrame(() => requestAnimationFrame(rest)))"
            )
            where = f"{slug} at {width}x{height}{', longer' if longer else ''}"
            assert at.evaluate(OVERLAPS) == [], where
            assert longer or at.evaluate(NEEDED) == 0, where


def test_the_front_page_leads_there_and_it_leads_to_the_day_before(at: Page) -> None:
    at.goto("/")
    strip = at.get_by_role("region", name="Today’s puzzle")
    strip.scroll_into_view_if_needed()
    expect(strip.locator("img")).to_have_js_property("complete", value=True)
    assert strip.locator("img").evaluate("(image) => image.naturalWidth") > 0
    strip.locator(".row-title > a").click()
    expect(at).to_have_title(
        "Puzzle of the day · " + at.locator(".match-title .soft").inner_text() + " · Parlour"
    )
    here = at.locator("#puzzle").get_attribute("data-address")
    at.get_by_role("link", name="Yesterday’s").click()
    led_to(at, "/puzzle/")
    day = date.fromisoformat(str(here).removeprefix("/puzzle/"))
    assert at.url.endswith(f"/puzzle/{day - timedelta(1)}")


@pytest.mark.full
def test_puzzle_without_scripts_says_so(new_page: NewPage, sqlite_server: ParlourServer) -> None:
    page = new_page(sqlite_server, java_script_enabled=False)
    page.goto("/puzzle")
    expect(page.locator("noscript > .notice")).to_be_visible()
    expect(page.locator("noscript > .notice")).to_have_text("The board needs JavaScript.")


@pytest.mark.parametrize("slug", in_full("kalah", "morris"))
def test_looks(at: Page, slug: str, picture: Picture) -> None:
    day, puzzle = of_game(slug)
    come_to(at, day)
    check_looks_everywhere(at, picture, f"puzzle-{slug}")
    at.set_viewport_size({"width": 1280, "height": 720})
    at.evaluate("() => new Promise((rest) => requestAnimationFrame(() => requestAnimationFrame(rest)))")
    for place in [place_of(day, puzzle.answer)] if slug == "kalah" else puzzle.answer.split("-"):
        press(at, place)
    solved(at, puzzle)
    check_looks_everywhere(at, picture, f"puzzle-{slug}-solved")


def begin_run(page: Page, kind: str) -> Puzzle:
    """Begin a run of Can’t Stop by the keyboard; its first puzzle, which has two moves."""
    page.goto("/puzzles/cantstop")
    page.locator(f"form[action$={kind}] button").press("Enter")
    expect(page.locator("#run")).to_have_attribute("data-number", "0")
    state = json.loads(page.locator("#position").text_content() or "")["puzzle"]["state"]
    puzzles = collection.by_game()["cantstop"].values()
    return next(each for each in puzzles if codec.plain({"at": collection.shown(each).state})["at"] == state)


def type_move(page: Page, move: str) -> None:
    page.keyboard.press("/")
    page.keyboard.type(move)
    page.keyboard.press("Enter")


def test_storm_counts_what_is_right_and_goes_on(at: Page, picture: Picture) -> None:
    listener = Listener(at, Transcript("A storm by ear"))
    puzzle = begin_run(at, "storm")
    expect(at.locator("#clock")).to_have_text("3:00")
    check_looks_everywhere(at, picture, "storm")
    type_move(at, puzzle.answer)
    expect(at.locator("#score")).to_have_text("1")
    assert "Your turn." in listener.hear("Right!")
    expect(at.locator("#clock")).to_have_text(re.compile("^2:5"))
    at.reload()
    expect(at.locator("#score")).to_have_text("1")
    expect(at.locator("#run")).to_have_attribute("data-number", "1")


def test_streak_ends_with_a_mistake_and_begins_again(at: Page) -> None:
    listener = Listener(at, Transcript("A streak by ear"))
    type_move(at, wrong(begin_run(at, "streak")))
    listener.hear("0 puzzles solved.")
    expect(at.locator("#again")).to_be_focused()
    expect(at.get_by_role("link", name="Missed puzzles")).to_be_visible()
    at.keyboard.press("Enter")
    expect(at.locator("#run")).to_have_attribute("data-number", "0")
