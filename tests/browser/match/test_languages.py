"""Matches in other languages: chosen in the header, narrated and refused in them, and played to their ends.

At each board one player reads Russian and the other Estonian, one at a desk with a mouse and the other on a
phone by touch; by_ear plays whole matches in English by keys. All that ever stood on a page or was said there
is gathered while they play, and none of it may be an English sentence that has a translation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from babel.messages.pofile import read_po
from playwright.sync_api import Locator, Page, expect

from games.registry import GAMES
from games.rules.aces import Options as AcesOptions
from games.rules.morris import PRESETS as MORRIS
from tests.browser.conftest import NewPage
from tests.browser.players import NO_ANIMATION, come_in, post, press, wait_for_ply
from tests.conftest import Launcher
from tests.helpers import nearly_over, thinking
from tools import words
from tools.harness import subprocess_call
from tools.harness.servers import ParlourServer

LANGUAGES = {"ru": "ru-RU", "et": "et-EE"}
ENGLISH = re.compile(r"[A-Za-z]{3,}")
RUSSIAN = re.compile(r"[а-яё]{3,}", re.IGNORECASE)
WORD = re.compile(r"[^\W\d_]{3,}")
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%[sd]|\{\w+\}")
SHORT = {"kalah": GAMES["kalah"].rules.Options(), "morris": MORRIS["six"], "aces": AcesOptions(dice=3)}
MOST_PLIES = 1000
"""More than any of these matches has."""
DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 720}, "has_touch": False, "is_mobile": False}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 664}, "has_touch": True, "is_mobile": True}

CUT = """(parts) => [...document.querySelectorAll(parts)]
    .filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => each.textContent)"""
"""What of some parts of a page is too long for its place."""
ROWS = """(parts) => new Set([...document.querySelectorAll(parts)].filter((each) => each.checkVisibility())
    .map((each) => each.getBoundingClientRect().top)).size"""
"""In how many rows some parts of a page stand."""

# Everything that comes onto a page, be it for a moment: texts, and what is read aloud in their place.
GATHER = """() => {
  globalThis.said = new Set();
  const names = ["aria-label", "aria-valuetext", "title", "alt", "placeholder", "data-sure", "content"];
  const add = (words) => words?.trim() && said.add(words.trim().replace(/\\s+/g, " "));
  const silent = new Set(["SCRIPT", "STYLE"]);
  function take(node) {
    if (node.nodeType === Node.TEXT_NODE) {
      if (!silent.has(node.parentNode?.nodeName)) {
        add(node.data);
      }
    } else if (node.nodeType === Node.ELEMENT_NODE) {
      names.forEach((name) => add(node.getAttribute(name)));
      node.childNodes.forEach(take);
    }
  }
  new MutationObserver((records) => {
    for (const { type, target, attributeName, addedNodes } of records) {
      if (type === "attributes") {
        add(target.getAttribute(attributeName));
      } else if (type === "childList") {
        addedNodes.forEach(take);
      } else {
        take(target);
      }
    }
  }).observe(document, { subtree: true, childList: true, characterData: true, attributeFilter: names });
}"""


class English:
    """The English sentences that a language says otherwise."""

    def __init__(self, language: str) -> None:
        self._whole: set[str] = set()
        self._patterns: list[re.Pattern[str]] = []
        for domain in words.SOURCES:
            with words.catalogue(language, domain).open("rb") as file:
                for message in read_po(file):
                    ids, told = _forms(message.id), _forms(message.string)
                    for sentence in set(ids) - set(told):
                        self._add(" ".join(sentence.split()))

    def _add(self, sentence: str) -> None:
        pieces = PLACEHOLDER.split(sentence)
        if not any(WORD.search(piece) for piece in pieces):
            return
        if len(pieces) == 1:
            self._whole.add(sentence.replace("%%", "%"))
        else:
            self._patterns.append(re.compile(".+".join(map(re.escape, pieces))))

    def among(self, said: list[str]) -> list[str]:
        """What of the texts is English, wholly or from its beginning to the end of a sentence."""
        return [text for text in said if self._knows(text)]

    def _knows(self, text: str) -> bool:
        return any(
            part in self._whole or any(pattern.fullmatch(part) for pattern in self._patterns)
            for piece in (text, *re.split(r"(?<=[.!?:,;·]) ", text))
            for part in (piece, piece.rstrip(".!?:,;·"))
        )


def _forms(told: Any) -> list[str]:
    return [told] if isinstance(told, str) else list(told)


@pytest.fixture(scope="module")
def english() -> dict[str, English]:
    return {language: English(language) for language in LANGUAGES}


class Players:
    """Two at one board, one page each, the first reading Russian and the second Estonian."""

    def __init__(self, new_page: NewPage, server: ParlourServer, game: str) -> None:
        self.game = game
        devices = (DESK, PHONE) if game in ("kalah", "cantstop") else (PHONE, DESK)
        self.pages = {
            language: new_page(server, locale=locale, **device)
            for (language, locale), device in zip(LANGUAGES.items(), devices, strict=True)
        }
        self.touched = [device is PHONE for device in devices]
        for page in self.pages.values():
            page.add_init_script(NO_ANIMATION)
            page.add_init_script(f"({GATHER})()")
        names = [come_in(page) for page in self.pages.values()]
        options = SHORT.get(game, GAMES[game].rules.Options())
        late = nearly_over.begin(server, game, options, names, MOST_PLIES)
        self.match_id, self.last, self.moves = late.match_id, late.last, late.decisions
        self._said: dict[str, set[str]] = {language: set() for language in LANGUAGES}
        for page in self.pages.values():
            page.goto(f"/m/{self.match_id}")
            wait_for_ply(page, late.ply)

    def each(self, look: Callable[[Page, str], object]) -> None:
        """Look at the page of each language, and keep what was said there before it is left."""
        for language, page in self.pages.items():
            look(page, language)
            self._said[language] |= set(page.evaluate("[...said]"))

    def said(self) -> Iterator[tuple[str, list[str]]]:
        for language, said in self._said.items():
            yield language, sorted(said)


def play(players: Players, middle: Callable[[], None]) -> None:
    for number, (ply, seat, move) in enumerate(players.moves):
        page = [*players.pages.values()][seat]
        wait_for_ply(page, ply - 1)
        act = Locator.tap if players.touched[seat] else Locator.click
        if GAMES[players.game].dice:
            act(page.locator(f"#controls button[data-move='{move}']"))
            # The first touch of a choice shows what it does.
            shown = page.locator("#controls [data-looked]")
            if shown.count():
                act(shown)
        else:
            for place in move.removeprefix("x").split("-"):
                # Pits are numbered from each player's left, and cells around the whole board.
                cell = str(int(place) - 1 + 7 * seat) if place.isdigit() else place
                act(page.locator(f"#board [data-cell='{cell}']"))
        if number == len(players.moves) // 2:
            middle()


@pytest.mark.full
@pytest.mark.parametrize("game", GAMES)
def test_a_match_to_its_end_without_a_word_of_english(
    launcher: Launcher,
    new_page: NewPage,
    picture: Callable[[Page, str], None],
    english: dict[str, English],
    tmp_path: Path,
    game: str,
) -> None:
    server = launcher.open(launcher.store("sqlite"), SOCKET_RATE="0", BOT_PROCESSES="0")
    players = Players(new_page, server, game)

    def at_the_start(page: Page, name: str) -> None:
        picture(page, f"{game}-{name}-start")
        # However long the name of the game is, what is said beside it is read whole.
        assert page.evaluate(CUT, ".match-title > *") == []

    players.each(at_the_start)

    def middle() -> None:
        players.each(lambda page, name: picture(page, f"{game}-{name}-middle"))

    play(players, middle)

    def at_the_end(page: Page, name: str) -> None:
        wait_for_ply(page, players.last)
        expect(page.locator("#end")).to_be_visible()
        picture(page, f"{game}-{name}-end")
        page.set_viewport_size({"width": 1280, "height": 720})
        assert page.evaluate(ROWS, ".match-end-ways > *") == 1
        page.set_viewport_size({"width": 390, "height": 664})
        # In one row also there, which leaves the board its size, and each is read whole.
        assert page.evaluate(ROWS, ".match-end-ways > *") == 1
        assert page.evaluate(CUT, ".match-end-ways > *") == []

    players.each(at_the_end)
    score = tmp_path / "score.json"

    def replayed(page: Page, name: str) -> None:
        score.write_bytes(page.request.get(f"/m/{players.match_id}.json").body())
        page.goto("/replay")
        page.locator("input[type=file]").set_input_files(score)
        page.locator("main form button[type=submit]").click()
        expect(page.locator("#match[data-ply]")).to_be_visible()
        picture(page, f"{game}-{name}-replay")

    players.each(replayed)

    def analysed(page: Page, name: str) -> None:
        page.goto(f"/m/{players.match_id}/analysis")
        # Where nothing is ever decided there is nothing to ask for, and it is asked for once.
        asking = page.locator("#analysis-lead form button")
        if asking.count():
            asking.click()
            subprocess_call.call(server.database_url, thinking.dream, 1000)
        expect(page.locator("#analysis")).to_have_attribute("aria-busy", "false")
        picture(page, f"{game}-{name}-analysis")

    players.each(analysed)
    for language, said in players.said():
        assert len(said) > 100
        assert english[language].among(said) == []


def test_three_moves_of_kalah_in_russian(launcher: Launcher, new_page: NewPage) -> None:
    page = new_page(launcher.open(launcher.store("sqlite"), BOT_PROCESSES="1", BOT_PACE="0.02"))
    page.goto("/rules")
    page.get_by_label("Language: English").click()
    page.get_by_role("button", name="Русский").click()
    expect(page.locator("html")).to_have_attribute("lang", "ru")
    expect(page).to_have_url(re.compile("/rules$"))
    name = come_in(page)
    page.goto(post(page, "/computer/kalah/now").url)
    wait_for_ply(page, 0)
    for _ in range(3):
        expect(page.locator("#headline")).to_have_text("Ваш ход")
        ply = int(page.locator("#match").get_attribute("data-ply") or "")
        pit = page.locator("#board [data-cell][data-playable]").first.get_attribute("data-cell")
        press(page, pit or "")
        expect(page.locator("#match")).not_to_have_attribute("data-ply", str(ply))
    expect(page.locator("#headline")).to_have_text("Ваш ход")
    for told in ("#say-now", "#board [data-cell]"):
        words = page.locator(told).first.evaluate("each => each.ariaLabel ?? each.textContent")
        assert RUSSIAN.search(words), words
    assert typed(page, "доска") == typed(page, "board")
    # By the server, in the language of the socket.
    page.locator("#command-text").fill("zz")
    page.locator("#command-text").press("Enter")
    expect(page.locator("#notice")).to_have_text(RUSSIAN)
    opponents = page.locator(".player-name").all_inner_texts()
    names = {word for each in (name, *opponents) for word in ENGLISH.findall(each)}
    assert set(ENGLISH.findall(page.locator("body").inner_text())) - names <= {"Parlour"}


def typed(page: Page, command: str) -> str:
    """What a typed command is answered."""
    page.locator("#answer").evaluate("answer => { answer.textContent = ''; }")
    page.locator("#command-text").fill(command)
    page.locator("#command-text").press("Enter")
    expect(page.locator("#answer")).to_have_text(RUSSIAN)
    return page.locator("#answer").inner_text()
