"""`make screens`: a picture of every page and state of the browser tests, and two contact sheets.

The pictures go to `screens/`, the sheets to docs/screens.jpg and, with the dark theme, docs/screens-dark.jpg.
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
DARK_SHEET = ROOT / "docs" / "screens-dark.jpg"
DARK = "-dark"
"""How the name of a picture ends which has a twin in the light theme."""
MOST_BYTES = 1_000_000
"""Of each sheet."""
WIDTH = 2000
STYLE = """
    body { margin: 16px; font: 11px system-ui; background: #ddd; display: flex; flex-wrap: wrap; gap: 10px; }
    figure { margin: 0; } img { display: block; height: 130px; } figcaption { max-width: 260px; }
"""


def main() -> None:
    """Run the tests that take pictures, and write the contact sheets."""
    provide()
    program = chromium()
    if program is None:
        sys.exit("Chromium is not installed.")
    shutil.rmtree(PICTURES, ignore_errors=True)
    PICTURES.mkdir()
    looks = [sys.executable, "-m", "pytest", "-q", "-n", "2", "--dist", "worksteal", "tests/browser"]
    tests = subprocess.run(
        looks, cwd=ROOT, env={**os.environ, "FULL": "1", "PICTURES": str(PICTURES)}, check=False
    )
    pictures = sorted(PICTURES.glob("*.png"))
    make_sheet(program, [path for path in pictures if not path.stem.endswith(DARK)], SHEET)
    make_sheet(program, [path for path in pictures if path.stem.endswith(DARK)], DARK_SHEET)
    # A test that failed may have left out a picture; all others are there.
    sys.exit(tests.returncode)


def make_sheet(program: str, pictures: list[Path], sheet: Path) -> None:
    """Pictures of `PICTURES` on one sheet with their names, in at most `MOST_BYTES`."""
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
        for quality in (60, 50, 42, 35, 30, 25, 20, 15):
            page.screenshot(path=sheet, type="jpeg", quality=quality, full_page=True)
            if sheet.stat().st_size <= MOST_BYTES:
                break
        browser.close()
    print(f"{len(pictures)} pictures in {PICTURES.name}/, at quality {quality} in {sheet.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
