"""The header of every page, at every width and with large letters."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.browser.eyes.pages import speak
from tests.browser.looks import PHONE
from tests.browser.players import become_guest

HEADER = """() => {
  const faults = document.documentElement.scrollWidth > innerWidth ? ["wider than the window"] : [];
  const seen = [...document.querySelectorAll(".site-header :is(a, button, summary, .site-name)")]
    .filter((each) => each.checkVisibility());
  const box = new Map(seen.map((each) => [each, each.getBoundingClientRect()]));
  seen.forEach((one, nth) => seen.slice(nth + 1).forEach((other) => {
    const [a, b] = [box.get(one), box.get(other)];
    const beside = a.left >= b.right - 1 || b.left >= a.right - 1;
    const below = a.top >= b.bottom - 1 || b.top >= a.bottom - 1;
    if (!beside && !below && !one.contains(other) && !other.contains(one)) {
      faults.push(`${one.textContent.trim()} lies over ${other.textContent.trim()}`);
    }
  }));
  const links = ".site-nav > a:not(.site-waiting), .site-account > a:not(.button-icon)";
  for (const link of document.querySelectorAll(links)) {
    const words = document.createRange();
    words.selectNodeContents(link);
    const boxes = [...words.getClientRects()].filter(({ width }) => width > 1);
    if (new Set(boxes.map(({ top }) => Math.round(top))).size > 1) {
      faults.push(`${link.textContent.trim()} is broken`);
    }
  }
  return faults;
}"""
"""What is wrong with the header as it lies: too wide, one thing over another, or words in two lines."""

COUNTED = """() => {
  const header = document.querySelector(".site-header");
  const before = header.offsetHeight;
  for (const count of document.querySelectorAll(".site-waiting")) {
    count.querySelector(".number").textContent = "3";
    count.hidden = false;
  }
  return header.offsetHeight - before;
}"""
"""By how many pixels the page moves down when both counts appear."""

WIDTHS = [(320, 640), (360, 640), (390, 664), (641, 800), (720, 800), (768, 1024), (844, 390), (860, 800)]
WIDTHS += [(900, 700), (1024, 768), (1280, 720), (1366, 768)]


def test_the_header_fits_every_width_also_with_letters_twice_as_large(page: Page) -> None:
    page.goto("/")
    faults = header_faults(page)
    become_guest(page)
    page.locator(".site-name").evaluate("name => { name.textContent = 'Wholehearted-Wombat9'; }")
    page.locator("#waiting").evaluate("badge => { badge.hidden = false; }")
    assert faults | header_faults(page) == {}


def test_header_on_phone_does_not_shift_with_count(page: Page) -> None:
    page.set_viewport_size({"width": PHONE, "height": 664})
    for language in ("en", "et", "ru"):
        speak(page, language)
        page.goto("/")
        assert page.evaluate(COUNTED) == 0, language


def header_faults(page: Page) -> dict[tuple[int, int], list[str]]:
    """By the size of the letters, in percent, and the width of the window: where there are any."""
    found = {}
    for percent in (100, 200):
        page.evaluate("percent => { document.documentElement.style.fontSize = `${percent}%`; }", percent)
        for width, height in WIDTHS:
            page.set_viewport_size({"width": width, "height": height})
            if faults := page.evaluate(HEADER):
                found[percent, width] = faults
    return found
