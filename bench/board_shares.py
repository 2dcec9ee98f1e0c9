"""`python -m bench.board_shares`: how much of a window the board of each game takes, in per cent of its area.

At the start of a match by two, and with its result shown.
"""

from __future__ import annotations

from playwright.sync_api import Browser, Page, sync_playwright

from bench.pages import GAMES
from bench.site import fresh, new_match, serving, wait_until_ready
from tools.programs import chromium

WINDOWS = ((1280, 720), (1920, 1080), (390, 664))
AREA = """() => {
    const {width, height} = document.getElementById('board').getBoundingClientRect();
    return width * height;
}"""
DRAWN = "() => new Promise((rest) => requestAnimationFrame(() => requestAnimationFrame(rest)))"


def shares(page: Page) -> list[float]:
    """The share of the board in each of the windows, in per cent."""
    found = []
    for width, height in WINDOWS:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(DRAWN)
        found.append(100 * float(page.evaluate(AREA)) / (width * height))
    page.set_viewport_size({"width": WINDOWS[0][0], "height": WINDOWS[0][1]})
    return found


def measure(browser: Browser, origin: str, match_id: str, cookie: str) -> tuple[list[float], list[float]]:
    """The shares at the start of a match, and at its end."""
    name, _, value = cookie.partition("=")
    with browser.new_context(base_url=origin, locale="en-GB") as context:
        context.add_cookies([{"name": name, "value": value, "url": origin}])
        page = context.new_page()
        page.goto(f"/m/{match_id}")
        page.wait_for_selector("#match[data-ply='0']")
        start = shares(page)
        for _ in range(2):
            page.locator("#resign").click()
        page.wait_for_selector("#end:not([hidden])")
        return start, shares(page)


def main() -> None:
    program = chromium()
    if program is None:
        raise SystemExit("Chromium is not installed.")
    with fresh(BOT_PROCESSES="0"):
        matches = {game: new_match(game, preset) for game, preset in GAMES.items()}
        with serving("config.server") as (_, port), sync_playwright() as playwright:
            wait_until_ready(port)
            browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
            print(f"{'':20}" + "".join(f"{f'{width}x{height}':>12}" for width, height in WINDOWS))
            for game, (match_id, (cookie, _)) in matches.items():
                start, end = measure(browser, f"http://127.0.0.1:{port}", match_id, cookie)
                for moment, found in (("start", start), ("end", end)):
                    print(f"{f'{game}, {moment}':20}" + "".join(f"{share:12.0f}" for share in found))
            browser.close()


if __name__ == "__main__":
    main()
