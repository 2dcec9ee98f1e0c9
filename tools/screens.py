"""`make screens`: a picture of every page and state of the browser tests, and a contact sheet.

The pictures go to `screens/`, the sheet to docs/screens.jpg.
"""

from __future__ import annotations

import html
import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

from tools.install import provide
from tools.programs import chromium

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "screens"
SHEET = ROOT / "docs" / "screens.jpg"
MOST_BYTES = 1_000_000
WIDTH = 2000
STYLE = """
    body { margin: 16px; font: 11px system-ui; background: #ddd; display: flex; flex-wrap: wrap; gap: 10px; }
    figure { margin: 0; } img { display: block; height: 130px; } figcaption { max-width: 260px; }
"""


def main() -> None:
    provide()
    program = chromium()
    if program is None:
        sys.exit("Chromium is not installed.")
    shutil.rmtree(PICTURES, ignore_errors=True)
    PICTURES.mkdir()
    looks = [sys.executable, "-m", "pytest", "-q", "-n", "2", "--dist", "worksteal", "tests/browser"]
    subprocess.run(looks, cwd=ROOT, env={**os.environ, "FULL": "1", "PICTURES": str(PICTURES)}, check=True)
    make_sheet(program, sorted(PICTURES.glob("*.png")))


def make_sheet(program: str, pictures: list[Path]) -> None:
    """All pictures on one sheet with their names, in at most `MOST_BYTES`."""
    figures = "".join(
        f'<figure><img src="{path.name}"><figcaption>{html.escape(path.stem)}</figcaption></figure>'
        for path in pictures
    )
    page_file = PICTURES / "index.html"
    page_file.write_text(f"<!doctype html><meta charset=utf-8><style>{STYLE}</style>{figures}")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDTH, "height": 1000})
        page.goto(page_file.as_uri())
        for quality in (50, 35, 25, 15):
            page.screenshot(path=SHEET, type="jpeg", quality=quality, full_page=True)
            if SHEET.stat().st_size <= MOST_BYTES:
                break
        browser.close()
    print(f"{len(pictures)} pictures in {PICTURES.name}/, all of them in {SHEET.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
