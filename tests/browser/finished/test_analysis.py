"""The analysis of a match in the browser: asked for, filling in by itself, good to look at everywhere."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from games.registry import GAMES
from lobby.people.models import User
from tests.browser.looks import check_looks_everywhere, serious_violations
from tests.browser.players import open_more
from tests.helpers import thinking
from tests.helpers.finished import at_random
from tools.harness import subprocess_call

DICE = next(slug for slug, game in GAMES.items() if game.dice and game.odds)
MANY = next(slug for slug, game in GAMES.items() if 3 in game.rules.SEATS and slug != DICE)
PLAIN = next(slug for slug, game in GAMES.items() if game.unit)


SHIFTS = """
    globalThis.shifted = 0;
    new PerformanceObserver(list => {
        for (const entry of list.getEntries()) globalThis.shifted += entry.value;
    }).observe({type: 'layout-shift', buffered: true});
"""


@pytest.fixture
def finished(sqlite_server):
    """`finished(slug, seats, most)`: the id of a match of so many random actions at most."""
    return lambda *wanted: subprocess_call.call(sqlite_server.database_url, played, *wanted)


def played(slug: str, seats: int = 2, most: int = 200) -> str:
    """To be called inside a process: a match that is over."""
    number = User.objects.count()
    users = [User.objects.create_user(f"Calm-Heron-{number + seat}") for seat in range(seats)]
    return at_random(users, slug, most).pk


def middle(shape):
    """How far along the page it stands."""
    box = shape.bounding_box()
    return round(box["x"] + box["width"] / 2)


def analysed(page, server, match_id, look=thinking.dream):
    """Ask for the analysis, and have all of it thought about."""
    page.goto(f"/m/{match_id}/analysis")
    page.get_by_role("button", name=re.compile("^(Analyse this match|Show the luck)$")).click()
    expect(page.get_by_role("progressbar", name="Positions analysed")).to_be_visible()
    subprocess_call.call(server.database_url, look, 1000)
    expect(page.locator("#analysis")).to_have_attribute("aria-busy", "false")


def test_the_page_fills_in_by_itself(page, sqlite_server, finished, picture):
    match_id = finished(PLAIN)
    page.goto(f"/m/{match_id}/analysis")
    assert serious_violations(page) == []
    picture(page, "analysis-before")
    page.get_by_role("button", name="Analyse this match").click()
    expect(page.locator("#analysis")).to_have_attribute("aria-busy", "true")
    subprocess_call.call(sqlite_server.database_url, thinking.think, 5)
    expect(page.get_by_text(re.compile("^5 of .* positions"))).to_be_visible()
    picture(page, "analysis-filling")
    assert serious_violations(page) == []
    subprocess_call.call(sqlite_server.database_url, thinking.think, 1000)
    expect(page.locator("#analysis")).to_have_attribute("aria-busy", "false")
    expect(page.locator("#said")).to_have_text("The analysis is complete.")
    expect(page.get_by_role("img", name=re.compile("to win at move 0"))).to_be_visible()
    # The number of each moment stands on its own line.
    flags, lines = (page.locator(each).all() for each in (".analysis-flag circle", ".analysis-lines line"))
    assert [middle(each) for each in flags] == [middle(each) for each in lines]
    check_looks_everywhere(page, picture, "analysis")


def test_mistakes_are_found_and_mended_by_keyboard(page, sqlite_server, finished, picture):
    analysed(page, sqlite_server, finished(PLAIN))
    words, board = page.locator("#position-words"), page.locator("#board")
    slider = page.get_by_role("slider", name="Position")
    expect(slider).to_be_enabled()
    slider.focus()
    page.keyboard.press("Home")
    expect(words).to_have_text(re.compile("^Move 1: Calm-Heron.* played "))
    expect(page.locator(".analysis-marker")).to_have_attribute("x1", re.compile(r"^2\d"))
    page.keyboard.press("End")
    expect(words).to_have_text("The match is over.")
    page.locator("body").click(position={"x": 1, "y": 1})
    page.keyboard.press("p")
    expect(words).to_have_text(re.compile("was better; .* given away"))
    expect(page.locator("#said")).to_have_text(words.inner_text())
    expect(board.locator(".track-played")).to_be_attached()
    expect(board.locator(".track-better")).to_be_attached()
    picture(page, "analysis-mistake")
    page.keyboard.press("t")
    expect(words).to_have_text(re.compile("to move$"))
    expect(board.locator(".track-better")).to_have_count(0)
    playable = board.locator(".cell[data-playable]").first
    expect(playable).to_be_attached()
    playable.focus()
    page.keyboard.press("Enter")
    expect(words).to_have_text(re.compile(r"^[✗★] .*Expected: "))
    page.keyboard.press("t")
    expect(words).to_have_text(re.compile("to move$"))
    assert serious_violations(page) == []


def test_the_turning_points_are_one_press_from_their_board(page, sqlite_server, finished):
    analysed(page, sqlite_server, finished(PLAIN))
    expect(page.locator("#moves [role=table]")).to_be_hidden()
    moments = page.get_by_role("region", name="Turning points").get_by_role("link")
    expect(moments).to_have_count(3)
    expect(page.locator("#position-ply")).to_be_enabled()
    for nth in range(3):
        moment = moments.nth(nth)
        (moment.click if nth else moment.focus)()
        if not nth:
            page.keyboard.press("Enter")
        expect(moment).to_have_attribute("aria-current", "true")
        expect(page.locator("#position-words")).to_have_text(re.compile("^Move .*: Calm-Heron.* played "))
        assert page.get_by_role("slider", name="Position").input_value() == moment.get_attribute(
            "data-moment"
        )
    expect(page.locator(".analysis-moment[aria-current]")).to_have_count(1)


def test_analysis_page_does_not_shift_while_filling(page, sqlite_server, finished):
    match_id = finished(PLAIN)
    page.add_init_script(SHIFTS)
    page.goto(f"/m/{match_id}/analysis")
    page.get_by_role("button", name="Analyse this match").click()
    expect(page.locator("#position-ply")).to_be_enabled()
    subprocess_call.call(sqlite_server.database_url, thinking.think, 5)
    expect(page.get_by_text(re.compile("^5 of .* positions"))).to_be_visible()
    subprocess_call.call(sqlite_server.database_url, thinking.dream, 1000)
    expect(page.locator("#analysis")).to_have_attribute("aria-busy", "false")
    assert page.evaluate("shifted") < 0.02
    # Nothing is left of the room for what was shown before.
    assert page.locator("#analysis-lead").bounding_box()["height"] < 60


def test_analysis_details_stay_open_while_filling(page, sqlite_server, finished):
    match_id = finished(PLAIN)
    page.goto(f"/m/{match_id}/analysis")
    page.get_by_role("button", name="Analyse this match").click()
    expect(page.locator("#analysis")).to_have_attribute("aria-busy", "true")
    subprocess_call.call(sqlite_server.database_url, thinking.think, 5)
    page.get_by_role("heading", name="Every decision").click()
    subprocess_call.call(sqlite_server.database_url, thinking.dream, 1000)
    expect(page.locator("#analysis")).to_have_attribute("aria-busy", "false")
    expect(page.locator("tr[data-ply='3']").get_by_role("link")).to_be_visible()


def test_a_row_leads_to_its_position_on_the_board(page, sqlite_server, finished):
    match_id = finished(PLAIN)
    analysed(page, sqlite_server, match_id)
    page.get_by_role("heading", name="Every decision").click()
    row = page.locator("tr[data-ply='3']").get_by_role("link")
    expect(row).to_have_accessible_name(re.compile("^Move [1-3] on the board$"))
    row.click()
    expect(page).to_have_url(re.compile(rf"/m/{match_id}#3$"))
    expect(page.locator("#match")).to_have_attribute("data-ply", "3")
    open_more(page)
    page.get_by_role("link", name="Analysis", exact=True).click()
    expect(page.get_by_role("heading", name="Every decision")).to_be_visible()


@pytest.mark.full
def test_analysis_of_dice_game_separates_luck_and_skill(page, sqlite_server, finished, picture):
    analysed(page, sqlite_server, finished(DICE, 2, 60))
    expect(page.get_by_role("heading", name="Luck and skill")).to_be_visible()
    expect(page.get_by_text("By luck alone, 68 of 100 matches").first).to_be_visible()
    check_looks_everywhere(page, picture, "analysis-dice")


@pytest.mark.full
def test_analysis_chart_of_many_seats_has_lines(page, sqlite_server, finished, picture):
    analysed(page, sqlite_server, finished(MANY, 3, 40))
    expect(page.locator(".analysis-chart polyline")).to_have_count(3)
    check_looks_everywhere(page, picture, "analysis-many")


@pytest.mark.full
def test_analysis_page_complete_without_javascript(new_page, sqlite_server, finished):
    match_id = finished(PLAIN)
    page = new_page(sqlite_server, java_script_enabled=False)
    page.goto(f"/m/{match_id}/analysis")
    page.get_by_role("button", name="Analyse this match").click()
    subprocess_call.call(sqlite_server.database_url, thinking.think, 1000)
    page.reload()
    expect(page.get_by_role("heading", name="Every decision")).to_be_visible()
