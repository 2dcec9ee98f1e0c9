"""Looking at a finished match in Chromium: by keyboard, and from a file; the bar itself is tested in Node."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.looks import Picture, check_looks_everywhere
from tests.browser.players import NO_ANIMATION, open_more, wait_for_ply
from tests.conftest import Launcher
from tools.harness import subprocess_call
from tools.harness.servers import ParlourServer

DICED = "cantstop"
ROUNDING = 0.5
"""Pixels of scrolling that a browser does not have."""


@pytest.fixture(scope="module")
def server(launcher: Launcher) -> ParlourServer:
    """A site on which one match of dice has been played."""
    return launcher.open(launcher.store("sqlite"))


@pytest.fixture(scope="module")
def match(server: ParlourServer) -> tuple[str, int]:
    """The match and the number of its plies."""
    match_id, plies = subprocess_call.call(server.database_url, a_match)
    return match_id, plies


def a_match() -> tuple[str, int]:
    from games.registry import GAMES
    from lobby.people.models import User
    from tools.harness.recorded import Recorder, stored

    played = Recorder(GAMES[DICED]).play_on(Random(7))
    users = [User.objects.create_user(name) for name in ("Ulno", "Artjom")]
    return stored(played, users).pk, len(played.entries)


@pytest.fixture
def still(new_page: NewPage, server: ParlourServer) -> Page:
    """A page on which nothing flies."""
    page = new_page(server, accept_downloads=True)
    page.add_init_script(NO_ANIMATION)
    return page


def download(page: Page, match_id: str, directory: Path) -> Path:
    """The file of a match, as its page offers it."""
    page.goto(f"/m/{match_id}")
    open_more(page)
    with page.expect_download() as waiting:
        page.get_by_role("link", name="Match as JSON").click()
    page.keyboard.press("Escape")
    path = directory / waiting.value.suggested_filename
    waiting.value.save_as(path)
    return path


def board(page: Page) -> list[str]:
    """What every place of the board says to people who listen."""
    return page.locator("#board [data-cell]").evaluate_all(
        "places => places.map(place => place.getAttribute('aria-label') ?? place.textContent)"
    )


def wait_for_more(page: Page, ply: int) -> None:
    """Wait until the board stands at this ply, below 10, or at any after it."""
    expect(page.locator("#match")).to_have_attribute("data-ply", re.compile(rf"^([{ply}-9]|\d\d+)$"))


def tab_to(page: Page, selector: str) -> None:
    """Walk to a control with the tabulator alone."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"the tabulator never reached {selector}")


def test_a_match_is_replayed_by_keyboard_alone(still: Page, match: tuple[str, int]) -> None:
    page, (match_id, last) = still, match
    page.goto(f"/m/{match_id}")
    wait_for_ply(page, last)
    # The position is there before the plies that led to it.
    expect(page.locator("#no-moves")).to_be_hidden()
    expect(page.locator("#moves [aria-current]")).to_be_in_viewport()
    page.keyboard.press("ArrowLeft")
    wait_for_ply(page, last - 1)
    tab_to(page, "#play")
    page.keyboard.press("Home")
    wait_for_ply(page, 0)
    page.keyboard.press("ArrowRight")
    wait_for_ply(page, 1)
    expect(page).to_have_url(re.compile("#1$"))

    page.keyboard.press("Tab")
    expect(page.locator("#pace")).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(page.locator("#pace")).to_have_value("4")
    wait_for_ply(page, 1)
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Space")
    expect(page.locator("#play")).to_have_text("Pause")
    wait_for_more(page, 4)
    page.keyboard.press("p")
    expect(page.locator("#play")).to_have_text("Replay")
    stopped = page.locator("#match").get_attribute("data-ply")
    expect(page).to_have_url(re.compile(f"#{stopped}$"))

    page.keyboard.press("End")
    wait_for_ply(page, last)
    expect(page).to_have_url(re.compile(f"/m/{match_id}$"))
    page.reload()
    expect(page.locator("#pace")).to_have_value("4")


def test_the_whole_turn_of_a_ply_is_in_sight(still: Page, match: tuple[str, int]) -> None:
    page, (match_id, last) = still, match
    page.goto(f"/m/{match_id}#{last}")
    wait_for_ply(page, last)
    # The plies that led there come after the position.
    expect(page.locator("#moves [aria-current]")).to_be_attached()
    seen = [in_sight(page)]
    # On the way back they come into sight from above.
    for ply in range(last - 1, last - 20, -1):
        page.locator("#previous").click()
        wait_for_ply(page, ply)
        seen.append(in_sight(page))
    marked = [where for where in seen if where]
    assert len(marked) > 8
    assert [
        where for where in marked if where["room"] >= 0 and min(where["above"], where["below"]) < -ROUNDING
    ] == []


def in_sight(page: Page) -> dict[str, float] | None:
    """How the row of the ply on the board lies in the list; None for a ply that is no move."""
    found: dict[str, float] | None = page.evaluate(
        """() => {
            const box = document.querySelector('[data-scroll]');
            const row = box.querySelector('[aria-current]')?.closest('li').getBoundingClientRect();
            const {top} = box.getBoundingClientRect();
            const {clientHeight: height} = box;
            return row && {above: row.top - top, below: top + height - row.bottom, room: height - row.height};
        }"""
    )
    return found


def test_an_exported_match_is_imported_to_the_same_board(
    still: Page, match: tuple[str, int], tmp_path: Path
) -> None:
    page, (match_id, last) = still, match
    path = download(page, match_id, tmp_path)
    assert path.name == f"parlour-{match_id}.json"
    wait_for_ply(page, last)
    there, headline = board(page), page.locator("#headline").inner_text()
    page.get_by_role("link", name="Replay a file").first.click()
    page.get_by_label("Match file").set_input_files(path)
    page.get_by_role("button", name="Check and replay").click()
    wait_for_ply(page, last)
    assert board(page) == there
    expect(page.locator("#headline")).to_have_text(headline)
    expect(page.get_by_text("An imported match, not played on this site.")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    wait_for_ply(page, last - 1)
    tab_to(page, "#play")
    page.keyboard.press("Home")
    wait_for_ply(page, 0)
    page.locator("#pace").select_option("4")
    page.keyboard.press("p")
    wait_for_more(page, 3)
    page.keyboard.press("p")
    page.locator("#turn-board").click()
    expect(page.locator("#mine .player-name")).to_have_text("Artjom")


def test_a_false_file_is_told_with_the_ply_and_the_reason(
    still: Page, match: tuple[str, int], tmp_path: Path, watch: object, picture: Picture
) -> None:
    page = still
    watch.allow("status of 400")  # type: ignore[attr-defined]
    file = json.loads(download(page, match[0], tmp_path).read_text())
    throw = next(ply for ply in file["plies"] if ply["dice"])
    throw["dice"][0] = throw["dice"][0] % 6 + 1
    false = tmp_path / "false.json"
    false.write_text(json.dumps(file))
    page.goto("/replay")
    page.get_by_label("Match file").set_input_files(false)
    page.get_by_role("button", name="Check and replay").click()
    problem = page.get_by_role("alert")
    expect(problem).to_contain_text(f"Ply {throw['number']}: The dice secret gives")
    # The faces of a throw stay together.
    faces = "\N{NO-BREAK SPACE}".join(map(str, throw["dice"]))
    assert f"not {faces}." in (problem.text_content() or "")
    check_looks_everywhere(page, picture, "replay-refused")


def test_replays_are_accessible(
    still: Page, match: tuple[str, int], tmp_path: Path, picture: Picture
) -> None:
    page = still
    path = download(page, match[0], tmp_path)
    page.goto(f"/m/{match[0]}#12")
    wait_for_ply(page, 12)
    check_looks_everywhere(page, picture, "replay-match")
    page.goto("/replay")
    check_looks_everywhere(page, picture, "replay-form")
    page.get_by_label("Match file").set_input_files(path)
    page.get_by_role("button", name="Check and replay").click()
    wait_for_ply(page, match[1])
    check_looks_everywhere(page, picture, "replay-imported")


def an_eventful_file() -> str:
    from games.registry import GAMES
    from tools.harness.recorded import eventful

    return json.dumps(eventful(GAMES["morris"], None, 2, Random(2)).file())


def test_replay_includes_match_actions(
    still: Page, server: ParlourServer, tmp_path: Path, picture: Picture
) -> None:
    page = still
    path = tmp_path / "eventful.json"
    path.write_text(subprocess_call.call(server.database_url, an_eventful_file))
    last = len(json.loads(path.read_text())["plies"])
    page.goto("/replay")
    page.get_by_label("Match file").set_input_files(path)
    page.get_by_role("button", name="Check and replay").click()
    wait_for_ply(page, last)
    back = page.locator("#moves button", has_text=re.compile("takes? back|took back|taken back", re.I)).first
    expect(back).to_be_attached()
    back.click()
    expect(page.locator("#reason")).not_to_be_empty()
    # Of all that stands in the list for people who listen, nothing sticks out of it.
    assert page.evaluate("document.documentElement.scrollHeight") < 2000
    check_looks_everywhere(page, picture, "replay-eventful")
