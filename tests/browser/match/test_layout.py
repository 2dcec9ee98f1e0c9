"""The board is the hero: whatever the window, all that play needs is in it, and nothing lies over another."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games.registry import GAMES
from tests.browser.conftest import NewPage
from tests.browser.looks import LONGER
from tests.browser.players import NO_ANIMATION, at_board, come_in, press, seat_timed, wait_for_ply
from tests.helpers import nearly_over
from tests.helpers.samples import FULL, in_full
from tools.harness import subprocess_call
from tools.harness.servers import ParlourServer

WINDOWS = [(1280, 720), (390, 664), (844, 390)]
if FULL:
    WINDOWS += [(1366, 768), (390, 844), (360, 640), (768, 1024)]
LEAST = {
    "kalah": [50, 50, 47, 50, 42, 50, 50],
    "morris": [50, 50, 50, 50, 42, 50, 50],
    "cantstop": [50, 50, 48, 50, 44, 46, 38],
    "aces": [50, 50, 48, 50, 42, 42, 38],
}
"""The share of each window that a board has at least, in per cent."""
AT_THE_END = 0.9
"""How much of that it has still where the sheet for the end stands below it."""
PLAYED_OUT = 0.98
"""The same on a desktop where the sheet has more to tell, in the language with the longest sentences."""
UPRIGHT = (390, 664)
"""The window of a phone, on which the sheet leaves the board as it is."""
SMALL = """
    () => [...document.querySelectorAll('#end :is(button, a)')].filter((each) => each.checkVisibility())
        .filter((each) => {
            const {width, height} = each.getBoundingClientRect();
            return Math.min(width, height) < 43.5 || each.scrollWidth > each.clientWidth + 1;
        }).map((each) => each.textContent)
"""
"""What is too small to be pressed, or too long for its button, of the sheet for the end."""

OFFERED = """
    () => {
        const offered = document.querySelector('#call-toast').content.cloneNode(true);
        offered.querySelector('[data-part=words]').textContent =
            'Friday cup, round 2: you play Snappy-Beaver. Make your first move within 120 s.';
        document.querySelector('#challenges').append(offered);
    }
"""
"""The next match of a tournament, as static/lobby/next-match.js offers it."""

BOXES = """
    () => {
        const parts = {
            board: '#board', line: ':is(.match-line, #end-words)', game: '#controls button',
            player: '.player',
            name: '.player-name', tally: '.player-tally', bar: '.match-bar > *', way: '.moves-nav button',
            chat: '#talk-toggle', menu: '[data-dialog=more]', action: '#actions [data-choice]',
            hint: '.match-odds button', live: '.match-live', end: '#end :is(button, a)', toast: '.toast',
        };
        return Object.entries(parts).flatMap(([part, selector]) =>
            [...document.querySelectorAll(selector)].filter((each) => each.checkVisibility(
                {visibilityProperty: true})).map((each) => {
                const {left, top, right, bottom} = each.getBoundingClientRect();
                return {part, left, top, right, bottom, words: each.textContent.trim()};
            }));
    }
"""
DRAWN = "() => new Promise((rest) => requestAnimationFrame(() => requestAnimationFrame(rest)))"
"""The time that a page takes to draw itself for another window."""
OUTSIDE = 0.5
"""Pixels by which rounding may take an edge beyond the window."""
BADGES = """
    () => [...document.querySelectorAll('#board .board-key')].map((badge) => {
        const both = [badge, badge.previousElementSibling];
        const [key, count] = both.map((each) => each.getBoundingClientRect());
        return Math.max(key.top - count.bottom, count.top - key.bottom);
    })
"""
"""The keys on the pits of Kalah: how far each is above or below the number of seeds."""
CUT = """
    (name) => {
        const names = [...document.querySelectorAll('#others .player-name')];
        for (const each of names) each.textContent = name;
        return names.map((each) => each.scrollWidth > each.clientWidth);
    }
"""
"""Which opponents' names are cut off, if all have this one."""
NAMED = """
    (name) => {
        for (const each of document.querySelectorAll('.player-name')) each.textContent = name;
    }
"""
"""Give all players the same name."""
LONGEST_NAME = "Wolfeschlegelsteinha"
LONG = "You rolled 2 5 3 4 5. 1 two went left to Smart-Gazelle. 2 fives went right to Upbeat-Puffin."
"""What happens at most at a table of four with a handful of dice."""
BUST = (
    "Snappy-Beaver threw 2, 5, 2 and 1. Bust! Snappy-Beaver lost the runners in columns 2, 5 and 8. "
    "No pairing can be played: no runner is left for columns 3, 4, 6 and 7."
)
"""What happens at most at a table of three with dice that are paired."""
NARRATED = """
    (words) => {
        document.querySelector('#reason').textContent = words;
        const line = document.querySelector('.match-narration');
        return line.scrollHeight <= line.clientHeight;
    }
"""
"""Whether a narration is read whole."""
LASTING = ("board", "line", "player", "way", "menu")
PRESSED = ("game", "way", "chat", "menu", "action", "hint", "live", "end", "toast")


@pytest.mark.parametrize("game", GAMES)
def test_all_that_play_needs_is_in_the_window(
    new_page: NewPage, sqlite_server: ParlourServer, game: str
) -> None:
    """At one's own turn and another's, with dice thrown, while watching, stepping back, and at the end."""
    rules = GAMES[game].rules
    seats = at_board(new_page, sqlite_server, game, next(iter(rules.PRESETS)), rules.SEATS[0])
    first, second = seats.players
    for page, mine in ((first, True), (second, False)):
        where = f"{game}, {'my' if mine else 'their'} turn"
        seen = check_windows(page, where)
        for window, boxes in seen.items():
            check_there(boxes, f"{where} at {window}", mine and GAMES[game].dice)
        check_shares(game, seen, where)
    ply = begin(first, game)
    for page, who in ((first, "mine"), (second, "theirs"), (seats.watcher, "watched")):
        wait_for_ply(page, ply)
        check_windows(page, f"{game} at ply {ply}, {who}")
    check_offered(first, f"{game} at ply {ply}", "game", "action", "hint")
    check_larger(first, game)
    check_quiet(second)
    seats.watcher.keyboard.press("ArrowLeft")
    wait_for_ply(seats.watcher, ply - 1)
    check_windows(seats.watcher, f"{game}, stepping back", "way", "live")
    before = boxes_at(second, *UPRIGHT)[0]
    resize(second, 1280, 720)
    for _ in range(2):
        second.locator("#resign").click()
    wait_for_ply(second, ply + 1)
    expect(second.locator("#end")).to_be_visible()
    check_shares(game, check_windows(second, f"{game}, at the end", "end"), "at the end", AT_THE_END)
    assert moved(before, boxes_at(second, *UPRIGHT)[0]) <= 1, game
    assert second.evaluate(SMALL) == [], game
    check_offered(second, f"{game}, at the end", "end")


@pytest.mark.full
@pytest.mark.parametrize("language", ["ru-RU", "et-EE"])
@pytest.mark.parametrize("game", GAMES)
def test_a_match_played_out_ends_below_the_board(
    new_page: NewPage, sqlite_server: ParlourServer, game: str, language: str
) -> None:
    """Who won reads another sheet than who lost; with three there are places; then a rematch is offered.

    Names are as long as they can be. The sentences of English are shorter.
    """
    rules = GAMES[game].rules
    for number in (each for each in (2, 3) if each in rules.SEATS):
        pages = [new_page(sqlite_server, locale=language) for _ in range(number)]
        for page in pages:
            page.add_init_script(NO_ANIMATION)
            page.set_viewport_size({"width": UPRIGHT[0], "height": UPRIGHT[1]})
        names = subprocess_call.at(sqlite_server, with_long_names, [come_in(page) for page in pages])
        late = nearly_over.begin(sqlite_server, game, next(iter(rules.PRESETS.values())), names, 2)
        before = []
        for page in pages:
            page.goto(f"/m/{late.match_id}")
            wait_for_ply(page, late.ply)
            before.append(page.evaluate(BOXES)[0])
        for ply, seat, move in late.decisions:
            wait_for_ply(pages[seat], ply - 1)
            decide(pages[seat], game, seat, move)
        for page, board in zip(pages, before, strict=True):
            wait_for_ply(page, late.last)
            check_sheet(page, board, f"{game} by {number}, {language}")
            share = 100 * area(boxes_at(page, 1280, 720)[0]) / (1280 * 720)
            assert share >= PLAYED_OUT * LEAST[game][0], f"{game} by {number}, {language}: {share:.0f} %"
            resize(page, *UPRIGHT)
        if number == 2:
            pages[0].locator("#rematch").click()
            for page, board in zip(pages, before, strict=True):
                expect(page.locator("#notice")).not_to_be_empty()
                check_sheet(page, board, f"{game} with a rematch offered, {language}")


def with_long_names(names: list[str]) -> list[str]:
    """To be called inside a process: gives people names of 20 characters, and returns those."""
    from lobby.people.models import User

    users = [User.objects.get(username=name) for name in names]
    for user in users:
        user.username = f"Patient-Flamingo-{user.pk:03}"
        user.save()
    return [user.username for user in users]


def decide(page: Page, game: str, seat: int, move: str) -> None:
    """Press what makes a move."""
    if GAMES[game].dice:
        page.locator(f"#controls button[data-move='{move}']").click()
        return
    for place in move.removeprefix("x").split("-"):
        # Pits are numbered from each player's left, and cells around the whole board.
        press(page, str(int(place) - 1 + 7 * seat) if place.isdigit() else place)


def check_sheet(page: Page, board: dict[str, Any], where: str) -> None:
    """It is read whole, can be pressed, and leaves the board where it was during the match."""
    expect(page.locator("#end")).to_be_visible()
    boxes = page.evaluate(BOXES)
    assert {"end", "way"} <= {each["part"] for each in boxes}, where
    assert [each for each in boxes if not inside(each, *UPRIGHT)] == [], where
    assert overlapping(boxes) == [], where
    assert page.evaluate(SMALL) == [], where
    assert moved(board, boxes[0]) <= 3, where


def begin(page: Page, game: str) -> int:
    """A throw where there are dice, else the first move that there is; the ply it leads to."""
    if GAMES[game].dice:
        page.locator("#controls button").first.click()
        return 2
    page.locator("#board [data-playable]").first.click()
    return 1


def check_windows(page: Page, what: str, *needed: str) -> dict[tuple[int, int], list[dict[str, Any]]]:
    """In every window what can be pressed is there, and nothing lies over another; the boxes in each."""
    seen = {}
    for width, height in WINDOWS:
        seen[width, height] = boxes = boxes_at(page, width, height)
        where = f"{what} at {width}x{height}"
        parts = {each["part"] for each in boxes}
        assert {"board", "line", "player", *needed} <= parts, where
        # On a phone the way through the moves gives way to the buttons of the game.
        assert {"game", "way"} & parts, where
        assert [each for each in boxes if not inside(each, width, height)] == [], where
        assert overlapping(boxes) == [], where
    return seen


def check_shares(
    game: str, seen: dict[tuple[int, int], list[dict[str, Any]]], where: str, part: float = 1
) -> None:
    """The board has its least share of each window, or so much of that."""
    shares = LEAST.get(game, [30] * len(WINDOWS))
    for least, ((width, height), boxes) in zip(shares, seen.items(), strict=False):
        share = 100 * area(boxes[0]) / (width * height)
        assert share >= part * least, f"{game}, {where}, at {width}x{height}: {share:.0f} %"


def check_larger(page: Page, game: str) -> None:
    """With letters of twice the size, and with longer words and names, nothing lies over anything else."""
    for percent, windows in ((200, [(1280, 720), (390, 844)]), (100, WINDOWS)):
        page.evaluate("(percent) => { document.documentElement.style.fontSize = `${percent}%`; }", percent)
        for width, height in windows:
            if percent == 100:
                resize(page, width, height)
                page.evaluate(LONGER)
                page.evaluate(NAMED, LONGEST_NAME)
                boxes = page.evaluate(BOXES)
            else:
                boxes = boxes_at(page, width, height)
            where = f"{game} at {width}x{height}, {percent} %"
            assert overlapping(boxes) == [], where
            assert [each for each in boxes if each["right"] > width + OUTSIDE] == [], where


def check_offered(page: Page, what: str, *needed: str) -> None:
    """The offer of another match lies over nothing that is needed now."""
    page.evaluate(OFFERED)
    for width, height in WINDOWS:
        boxes = [each for each in boxes_at(page, width, height) if each["part"] in ("toast", *needed)]
        assert "toast" in {each["part"] for each in boxes}, what
        assert overlapping(boxes) == [], f"{what} at {width}x{height}"
    page.evaluate("document.querySelector('#challenges').replaceChildren()")


def check_quiet(page: Page) -> None:
    """Giving up is in the menu of a phone, and elsewhere less loud than anything beside it."""
    resign = page.locator("#resign")
    resize(page, 390, 664)
    expect(resign).to_be_hidden()
    resize(page, 1280, 720)
    for loud in ("background-color", "border-top-color"):
        expect(resign).to_have_css(loud, "rgba(0, 0, 0, 0)")
    expect(resign).to_have_css("font-weight", "400")


def test_a_table_of_four_with_clocks_too(new_page: NewPage, sqlite_server: ParlourServer) -> None:
    page = seat_timed(new_page, sqlite_server, "15+10", 4, "aces").players[0]
    check_windows(page, "aces by four")
    for window in WINDOWS:
        resize(page, *window)
        assert page.evaluate(NARRATED, LONG), window
    resize(page, 390, 664)
    assert page.evaluate(CUT, "Snappy-Beaver") == [False] * 3


@pytest.mark.parametrize("clock", in_full("5+3", ""))
def test_names_of_two_others_are_not_cut_on_a_phone(
    new_page: NewPage, sqlite_server: ParlourServer, clock: str
) -> None:
    page = seat_timed(new_page, sqlite_server, clock, 3, "cantstop").players[0]
    check_windows(page, f"can't stop by three, {clock}")
    for window in ((390, 664), (844, 390)):
        resize(page, *window)
        assert page.evaluate(CUT, "Breezy-Ermine") == [False] * 2, window
    resize(page, 1280, 720)
    assert page.evaluate(NARRATED, BUST)


def test_a_capture_is_listed_beside_the_move_that_closed_the_mill(
    new_page: NewPage, sqlite_server: ParlourServer
) -> None:
    seats = at_board(new_page, sqlite_server, "morris", "nine")
    for ply, point in enumerate(("a1", "a7", "d1", "d7", "g1", "a7")):
        mover = seats.players[ply in (1, 3)]
        wait_for_ply(mover, ply)
        press(mover, point)
    page = seats.players[0]
    wait_for_ply(page, 6)
    resize(page, 1280, 720)
    move, capture = (page.locator(f".ply[data-ply='{ply}']").bounding_box() for ply in (5, 6))
    assert move
    assert capture
    assert (capture["y"], capture["x"] > move["x"]) == (move["y"], True)
    page.locator("#more-open").click()
    expect(page.locator("#more")).to_contain_text("if your opponent agrees")
    expect(page.locator("#more kbd").first).to_be_visible()
    resize(page, 390, 664)
    expect(page.locator("#more kbd").first).to_be_hidden()


def test_a_key_is_never_read_as_a_part_of_the_number_beside_it(
    new_page: NewPage, sqlite_server: ParlourServer
) -> None:
    page = at_board(new_page, sqlite_server, "kalah", "circle").players[0]
    page.keyboard.press("Shift")
    page.locator("#board .cell[tabindex='0']").focus()
    for window in WINDOWS:
        resize(page, *window)
        badges = page.evaluate(BADGES)
        assert len(badges) == 6, window
        # They stand one above the other, never side by side as "1 3".
        assert min(badges) > 0, (window, badges)


def test_slots_do_not_move_from_turn_to_turn(new_page: NewPage, sqlite_server: ParlourServer) -> None:
    """What is not of the moment stands where it stood, on a phone and at a desk, after a move as before."""
    seats = at_board(new_page, sqlite_server, "kalah", "circle")
    page = seats.players[0]
    places = {}
    for ply in range(2):
        for window in WINDOWS:
            boxes = [each for each in boxes_at(page, *window) if each["part"] in LASTING]
            seen = [[each[side] for side in ("part", "left", "top", "right", "bottom")] for each in boxes]
            assert places.setdefault(window, seen) == seen, window
        if ply == 0:
            page.keyboard.press("1")
            wait_for_ply(page, 1)


def resize(page: Page, width: int, height: int) -> None:
    """Give the window another size, and the board the time to draw itself for it."""
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate(DRAWN)


def boxes_at(page: Page, width: int, height: int) -> list[dict[str, Any]]:
    """The boxes of the parts of a page in a window of that size; the board comes first."""
    page.set_viewport_size({"width": width, "height": height})
    boxes: list[dict[str, Any]] = page.evaluate(f"async () => {{ await ({DRAWN})(); return ({BOXES})(); }}")
    assert boxes[0]["part"] == "board"
    return boxes


def check_there(boxes: list[dict[str, Any]], where: str, buttons: bool) -> None:
    parts = [each["part"] for each in boxes]
    assert [parts.count(part) for part in ("board", "line", "player", "menu")] == [1, 1, 2, 1], where
    assert ("game" in parts) == buttons, where
    assert "game" in parts or "way" in parts, where


def inside(box: dict[str, Any], width: int, height: int) -> bool:
    return bool(
        box["left"] >= -OUTSIDE
        and box["top"] >= -OUTSIDE
        and box["right"] <= width + OUTSIDE
        and box["bottom"] <= height + OUTSIDE
    )


def moved(one: dict[str, Any], other: dict[str, Any]) -> float:
    """By how many pixels an edge of a box has moved at most."""
    return max(abs(one[side] - other[side]) for side in ("left", "top", "right", "bottom"))


def area(box: dict[str, Any]) -> float:
    return float((box["right"] - box["left"]) * (box["bottom"] - box["top"]))


def overlapping(boxes: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """Pairs of players, the board, the line below it and what can be pressed that share a part of it."""
    solid = [each for each in boxes if each["part"] in ("board", "line", "player", *PRESSED)]
    return [
        (f"{one['part']} {one['words'][:20]}", f"{other['part']} {other['words'][:20]}")
        for nth, one in enumerate(solid)
        for other in solid[nth + 1 :]
        if one["left"] < other["right"] - 1
        and other["left"] < one["right"] - 1
        and one["top"] < other["bottom"] - 1
        and other["top"] < one["bottom"] - 1
    ]
