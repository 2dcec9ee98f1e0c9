"""The analysis board: variations by press and by key, comments and signs, dice that are chosen, and files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage, Watch
from tests.browser.looks import fits
from tests.browser.players import NO_ANIMATION, led_to, press
from tools.harness.patience import wait_until
from tools.harness.servers import ParlourServer


@pytest.fixture
def at(new_page: NewPage, sqlite_server: ParlourServer) -> Page:
    """A page on which nothing flies."""
    page = new_page(sqlite_server)
    page.add_init_script(NO_ANIMATION)
    return page


def come_to(page: Page, game: str) -> None:
    page.goto(f"/analysis/{game}")
    expect(page.locator("#analysis:not([data-loading])")).to_have_attribute("data-node", "0")


def played(page: Page, *moves: str) -> None:
    """The moves of the list as it shows them."""
    expect(page.locator("#tree .ply")).to_have_text(list(moves))


def test_variations_signs_and_comments_stay_in_the_browser(at: Page) -> None:
    come_to(at, "kalah")
    press(at, "2")
    played(at, "1. 3")
    at.keyboard.press("1")
    played(at, "1. 3", "2. 1")
    at.keyboard.press("ArrowLeft")
    at.keyboard.press("5")
    played(at, "1. 3", "2. 1", "2. 5")
    at.keyboard.press("#")
    at.keyboard.type("Keeps the big pit.")
    at.keyboard.press("Escape")
    expect(at.locator("#comment")).not_to_be_focused()
    at.get_by_role("button", name="Interesting move").click()
    expect(at.get_by_role("list", name="Instead of 1")).to_contain_text("2. 5!?")
    expect(at.locator(".match-narration")).to_contain_text("Player 1 sowed 5 seeds")
    expect(at.locator(".match-narration")).to_contain_text("Keeps the big pit.")
    at.reload()
    played(at, "1. 3", "2. 1", "2. 5!?")
    at.locator("#tree .ply", has_text="5!?").click()
    at.get_by_role("button", name="Make this variation the main line").click()
    played(at, "1. 3", "2. 5!?", "2. 1")
    at.keyboard.press("Shift+ArrowRight")
    expect(at.locator("[aria-current=step]")).to_have_text("2. 1")
    at.get_by_role("button", name="Remove this move").click()
    played(at, "1. 3", "2. 5!?")
    expect(at.locator("[aria-current=step]")).to_have_text("1. 3")
    at.get_by_role("link", name="Play from here").click()
    led_to(at, "/position/")
    expect(at.locator("#text")).to_have_value("kalah.1 classic turn=0 board=4,4,0,5*3,1,4*6,0")


def test_the_keys_of_lichess_step(at: Page) -> None:
    come_to(at, "kalah")
    for key in ("2", "5"):
        at.keyboard.press(key)
        expect(at.locator("#tree .ply").last).to_have_text(f"1. {key}")
        at.keyboard.press("k")
        expect(at.locator("#analysis")).to_have_attribute("data-node", "0")
    step = at.locator("[aria-current=step]")
    at.keyboard.press("j")
    expect(step).to_have_text("1. 2")
    at.keyboard.press("Shift+J")
    expect(step).to_have_text("1. 5")
    at.keyboard.press("Shift+K")
    expect(step).to_have_text("1. 2")
    at.keyboard.press("0")
    expect(at.locator("#analysis")).to_have_attribute("data-node", "0")
    at.keyboard.press("$")
    expect(step).to_have_text("1. 2")
    at.keyboard.press("Space")
    expect(at.locator("#evaluate")).to_have_attribute("aria-pressed", "true")


def test_long_words_of_buttons_fit_beside_the_board(new_page: NewPage, sqlite_server: ParlourServer) -> None:
    page = new_page(sqlite_server, locale="ru")
    come_to(page, "kalah")
    assert fits(page)


def test_dice_are_chosen_or_rolled(at: Page) -> None:
    come_to(at, "cantstop")
    at.keyboard.press("r")
    played(at, "1. roll")
    at.get_by_label("Dice", exact=True).fill("34")
    at.get_by_role("button", name="Set").click()
    expect(at.locator("#notice")).to_have_text("Type 4 numbers from 1 to 6.")
    at.get_by_label("Dice", exact=True).fill("3456")
    at.get_by_role("button", name="Set").click()
    played(at, "1. roll", "[3 4 5 6]")
    at.keyboard.press("ArrowLeft")
    at.locator("#dice").get_by_role("button", name="Roll").click()
    expect(at.locator("#tree .ply")).to_have_count(3)


def test_a_file_is_saved_and_opened_and_another_one_refused(at: Page, tmp_path: Path, watch: Watch) -> None:
    watch.allow("status of 422")
    come_to(at, "kalah")
    press(at, "2")
    played(at, "1. 3")
    at.get_by_role("button", name="More").click()
    with at.expect_download() as saved:
        at.get_by_role("button", name="Save as a file").click()
    study = json.loads(saved.value.path().read_text())
    assert [node.get("action") for node in study["chapters"][0]["nodes"]] == ["", "3"]
    at.get_by_role("button", name="Remove all moves").click()
    expect(at.locator("#tree .ply")).to_have_count(0)
    file = tmp_path / "study.json"
    for text, problem in (
        ("no study", "This file is not a study."),
        (json.dumps({"chapters": [{"position": "?", "nodes": [{"id": 0}]}]}), "This is not a study"),
    ):
        file.write_text(text)
        at.get_by_role("button", name="More").click()
        at.get_by_label("Open a file").set_input_files(file)
        expect(at.locator("#file-problem")).to_contain_text(problem)
        at.keyboard.press("Escape")
    file.write_text(json.dumps(study))
    at.get_by_role("button", name="More").click()
    at.get_by_label("Open a file").set_input_files(file)
    played(at, "1. 3")


def test_marks_are_drawn_by_mouse_and_by_key(at: Page) -> None:
    come_to(at, "morris")
    first, last = (at.locator(f"#board [data-cell={name}]") for name in ("a7", "d7"))
    first.hover()
    at.mouse.down(button="right")
    last.hover()
    at.mouse.up(button="right")
    arrow = at.locator("#board .track-marked path")
    expect(arrow).to_have_count(3)
    at.keyboard.press("d")
    for place in (first, first, last, last):
        place.focus()
        at.keyboard.press("Enter")
    # A ring has a line and a halo.
    expect(arrow).to_have_count(3 + 2 + 2)
    expect(at.locator("#tree .ply")).to_have_count(0)
    at.reload()
    expect(arrow).to_have_count(3 + 2 + 2)


def test_the_best_level_evaluates_what_is_on_the_board(at: Page, sqlite_server: ParlourServer) -> None:
    come_to(at, "kalah")
    at.keyboard.press("e")
    expect(at.locator("#evaluation")).to_have_text("Evaluating…")
    waited = "SELECT count(*) FROM games_positionlook WHERE look IS NULL"
    wait_until(lambda: sqlite_server.rows(waited) == [(1,)], "the wish for an evaluation")
    look = (
        '{"seat":0,"shares":[0.75,0.25],"moves":[{"move":"3","share":0.75}],"proved":false,'
        '"depth":9,"line":["3","6","1"]}'
    )
    sqlite_server.write("UPDATE games_positionlook SET look = ?, due = NULL", look)
    expect(at.locator("#evaluation")).to_have_text("Player 1 75%. Best: 3.")
    expect(at.locator("#deepening > p")).to_have_text(["Player 1 75%Depth 9", "3 6 1"])
    expect(at.locator("#say-soon")).to_have_text("Player 1 75%. Best: 3.")
    at.keyboard.press("Space")
    played(at, "1. 3")
    at.keyboard.press("k")
    expect(at.locator("#evaluation")).to_have_text("Player 1 75%. Best: 3.")
    at.keyboard.press("l")
    expect(at.locator("#evaluation")).to_be_empty()
    expect(at.locator("#deepening")).to_be_hidden()
