"""`python -m bench.words_in_sight`: how many words a page shows before anybody scrolls, and its layout shift.

Words by window and language; layout shift as Chromium counts it (1: the whole window by its whole height).
"""

from __future__ import annotations

from playwright.sync_api import Browser, ViewportSize, sync_playwright

from bench.pages import GAMES
from bench.site import fresh, new_match, serving, wait_until_ready
from tools.programs import chromium

WINDOWS = ((1280, 720), (1920, 1080), (390, 664))
DRAWN = "() => new Promise((rest) => requestAnimationFrame(() => requestAnimationFrame(rest)))"
LANGUAGES = ("en", "ru", "et")
SHIFTS = """
    window.shifts = 0;
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) window.shifts += entry.hadRecentInput ? 0 : entry.value;
    }).observe({ type: "layout-shift", buffered: true });
"""
WORDS = r"""() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    let words = 0;
    while (texts.nextNode()) {
        const { currentNode } = texts;
        const shown = { opacityProperty: true, visibilityProperty: true };
        if (!currentNode.parentElement.checkVisibility(shown)) continue;
        for (const word of currentNode.data.matchAll(/\p{L}[\p{L}\p{M}’'-]*/gu)) {
            range.setStart(currentNode, word.index);
            range.setEnd(currentNode, word.index + word[0].length);
            const { left, right, top, bottom } = range.getBoundingClientRect();
            // What is only for screen readers has one pixel.
            const inside = left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight;
            words += inside && !currentNode.parentElement.closest(".visually-hidden") ? 1 : 0;
        }
    }
    return words;
}"""


def measure(browser: Browser, origin: str, path: str, cookie: str, language: str) -> tuple[list[int], float]:
    """The words in sight in each of the windows, and the largest layout shift of a visit."""
    name, _, value = cookie.partition("=")
    found, shift = [], 0.0
    for width, height in WINDOWS:
        size: ViewportSize = {"width": width, "height": height}
        with browser.new_context(base_url=origin, locale=language, viewport=size) as context:
            if cookie:
                context.add_cookies([{"name": name, "value": value, "url": origin}])
            page = context.new_page()
            page.add_init_script(SHIFTS)
            page.goto(path, wait_until="networkidle")
            page.evaluate(DRAWN)
            found.append(int(page.evaluate(WORDS)))
            shift = max(shift, float(page.evaluate("window.shifts")))
    return found, shift


def main() -> None:
    program = chromium()
    if program is None:
        raise SystemExit("Chromium is not installed.")
    with fresh(BOT_PROCESSES="0"):
        pages = {"front page": ("/", ""), "rules": ("/rules/morris", ""), "puzzle": ("/puzzle", "")}
        for game, preset in GAMES.items():
            match_id, (cookie, _) = new_match(game, preset)
            pages[f"match, {game}"] = (f"/m/{match_id}", cookie)
        with serving("config.server") as (_, port), sync_playwright() as playwright:
            wait_until_ready(port)
            browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
            sizes = "".join(f"{f'{width}x{height}':>12}" for width, height in WINDOWS)
            print(f"{'':24}{sizes}{'shift':>12}")
            for name, (path, cookie) in pages.items():
                for language in LANGUAGES:
                    words, shift = measure(browser, f"http://127.0.0.1:{port}", path, cookie, language)
                    row = "".join(f"{count:12}" for count in words)
                    print(f"{f'{name}, {language}':24}{row}{shift:12.3f}", flush=True)
            browser.close()


if __name__ == "__main__":
    main()
