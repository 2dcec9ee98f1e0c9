"""The examples on the pages of the rules: every rule as a reader plays it on its board."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from games.domain import position
from games.domain.position import Position
from games.examples.examples import Example, rules_of
from games.registry import GAMES
from games.rules.base import Roll
from tests.browser.board_moves import press_move
from tests.browser.conftest import NewPage, Watch
from tests.browser.looks import Picture, check_looks_everywhere, serious_violations
from tests.browser.players import NO_ANIMATION
from tests.helpers.samples import in_full
from tools.harness.servers import ParlourServer

SHOWN = [slug for slug in GAMES if rules_of(slug)]
REFUSED = "422"
"""What the console says of a move that the server refuses."""


@pytest.fixture
def at(new_page: NewPage, sqlite_server: ParlourServer, watch: Watch) -> Page:
    watch.allow(REFUSED)
    page = new_page(sqlite_server)
    page.add_init_script(NO_ANIMATION)
    return page


def open_rule(page: Page, number: int) -> Locator:
    figure = page.locator(f"[data-rule='{number}']")
    figure.get_by_role("button", name="Try it").click()
    shown = figure.locator("#example")
    expect(shown.locator("#board [tabindex='0']")).to_be_focused()
    return shown


def moves(example: Example) -> Iterator[tuple[Position, str, Position]]:
    """Each move of a line with the positions before it and after it, the roll included."""
    before = position.parse(example.position)
    state, move, rules = before.state, "", before.game.rules
    for action in example.line:
        if isinstance(action, str):
            before, move = Position(before.game, state, before.seats), action
        state = rules.play(state, rules.parse(action) if isinstance(action, str) else Roll(action)).state
        if rules.chance(state) is None:
            yield before, move, Position(before.game, state, before.seats)


def play(page: Page, example: Example, act: Callable[[str], None] | None = None) -> None:
    """Play an example to its end: its line by presses, and what is refused by “Show me”."""
    shown = page.locator("#example")
    expect(shown).to_have_attribute("data-position", example.position)
    for before, move, after in moves(example):
        press_move(before, move, act or page.click)
        expect(shown).to_have_attribute("data-position", str(after))
    if example.refused:
        ends = shown.get_attribute("data-position")
        page.click("#show")
        expect(page.locator("#notice")).to_have_text(example.sentence)
        expect(shown).to_have_attribute("data-position", ends or "")
    else:
        expect(page.locator("#verdict")).not_to_be_empty()


def next_example(page: Page, number: int, count: int) -> None:
    page.click("#next")
    expect(page.locator("#progress")).to_have_text(f"{number}/{count}")


@pytest.mark.full
@pytest.mark.parametrize("slug", SHOWN)
def test_every_example_is_played(at: Page, slug: str) -> None:
    at.goto(f"/rules/{slug}")
    for number, rule in enumerate(rules_of(slug)):
        open_rule(at, number)
        for nth, example in enumerate(rule.examples, 1):
            if nth > 1:
                next_example(at, nth, len(rule.examples))
            play(at, example)


@pytest.mark.parametrize("slug", in_full(*SHOWN))
def test_first_examples_are_played_by_touch(
    new_page: NewPage, sqlite_server: ParlourServer, watch: Watch, slug: str
) -> None:
    watch.allow(REFUSED)
    page = new_page(sqlite_server, viewport={"width": 390, "height": 664}, has_touch=True, is_mobile=True)
    page.add_init_script(NO_ANIMATION)
    page.goto(f"/rules/{slug}")

    def tap(place: str) -> None:
        page.tap(place)
        # The first touch of several choices shows where they lead.
        if page.locator("#controls [data-looked]").count():
            page.tap("#controls [data-looked]")

    for number, rule in enumerate(rules_of(slug)[:4]):
        open_rule(page, number)
        play(page, rule.examples[0], tap)
    assert serious_violations(page) == []


def test_an_example_is_played_by_keys_and_by_text(at: Page) -> None:
    at.goto("/rules/kalah")
    rule = next(number for number, rule in enumerate(rules_of("kalah")) if "own store" in rule.begins)
    shown = open_rule(at, rule)
    after = rules_of("kalah")[rule].examples[0].after
    expect(shown.locator("#question")).to_have_text("Your move: 3.")
    at.keyboard.press("3")
    expect(shown).to_have_attribute("data-position", after)
    expect(shown.locator("#verdict")).to_contain_text("you move again")
    at.click("#again")
    at.keyboard.press("/")
    at.keyboard.type("no move")
    at.keyboard.press("Enter")
    expect(at.locator("#notice")).to_have_text("“no move” is not a move in this game.")
    at.keyboard.type("3")
    at.keyboard.press("Enter")
    expect(shown).to_have_attribute("data-position", after)


def test_another_legal_move_is_played_and_the_example_begins_again(at: Page) -> None:
    at.goto("/rules/kalah")
    shown = open_rule(at, 1)
    at.click("#board [data-cell='1']")
    expect(shown.locator("#question")).to_contain_text("The example shows another move")
    at.click("#board [data-cell='2']")
    expect(at.locator("#notice")).to_have_text("Press “Again” to start over.")
    at.click("#show")
    expect(shown).to_have_attribute("data-position", rules_of("kalah")[1].examples[0].after)


def test_what_is_refused_on_the_board_says_why(at: Page) -> None:
    at.goto("/rules/kalah")
    shown = open_rule(at, 0)
    at.click("#board [data-cell='7']")
    expect(at.locator("#notice")).to_contain_text("Yours are in the near row.")
    expect(shown).to_have_attribute("data-position", rules_of("kalah")[0].examples[0].position)


@pytest.mark.parametrize("slug", in_full(*SHOWN))
def test_boards_are_drawn_when_they_come_near_the_view(at: Page, slug: str) -> None:
    at.goto(f"/rules/{slug}")
    stills = at.locator("[data-part='still']")
    last = stills.last
    expect(stills.first.locator("svg")).to_have_count(1)
    expect(last.locator("svg")).to_have_count(0)
    last.scroll_into_view_if_needed()
    expect(last.locator("svg")).to_have_count(1)


@pytest.mark.full
@pytest.mark.parametrize("slug", SHOWN)
def test_looks(at: Page, slug: str, picture: Picture) -> None:
    at.goto(f"/rules/{slug}")
    open_rule(at, 1)
    check_looks_everywhere(at, picture, f"rules-{slug}")
