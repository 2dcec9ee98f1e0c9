"""What every page bears, measured on a page that is open already: small windows, wide text, fingers, axe."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from playwright.sync_api import Page

from tests.browser.looks import AXE, DESKTOP, FITS, OVERLAPS, PHONE, PRELOADED, READY_AXE, overgrown
from tests.helpers.samples import FULL, in_full

LANGUAGES = in_full("en", "ru", "et")
LONGEST = "ru"
"""The language whose words are measured in every window."""
ZOOMED = {200: (640, 512), 400: (320, 256)}
"""The windows that are left of 1280 by 1024 when everything is so many per cent as large (WCAG 1.4.10)."""

RUN = """
    async ([root, options]) =>
        (await axe.run(document.querySelector(root), {resultTypes: ['violations'], ...options})).violations
"""
NAMES = "label-content-name-mismatch"
"""What axe does not ask by itself: whether a control is called what it shows (WCAG 2.5.3)."""
RULES = {NAMES: {"enabled": True}}
PICTURED = 'class="miniboard"'
"""A link that shows a board. The numbers on a picture are no words of its name."""
NO_COLOURS = {"color-contrast": {"enabled": False}}
"""The dearest rule: a page has the same colours in every language."""
OF_WORDS = [
    NAMES,
    *("aria-command-name", "aria-dialog-name", "aria-input-field-name", "aria-progressbar-name"),
    *("aria-text", "aria-toggle-field-name", "button-name", "document-title", "empty-heading"),
    *("empty-table-header", "html-has-lang", "html-lang-valid", "image-alt", "image-redundant-alt"),
    *("input-button-name", "label", "label-title-only", "landmark-unique", "link-name", "role-img-alt"),
    *("scrollable-region-focusable", "select-name", "summary-name", "svg-img-alt", "table-duplicate-name"),
    "valid-lang",
]
"""The rules of axe that another language may break: it changes words alone."""

# WCAG 1.4.12: a sheet of the reader's own, which a browser takes whatever the site's policy says.
SPACED = """
    () => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(`
            * {line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important}
            p {margin-block-end: 2em !important}`);
        document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    }
"""
USUAL = "() => { document.adoptedStyleSheets = []; }"

# Words that stick out of a box which hides what sticks out; where it says so by "…" the whole is a name.
CUT_OFF = """
    (root) => [...document.querySelectorAll(`${root} *`)]
        .filter((each) => each.checkVisibility({visibilityProperty: true, opacityProperty: true}))
        .filter((each) => !each.closest('.visually-hidden, svg, .site-name, .player-name'))
        .filter((each) => [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
        .filter((each) => {
            const style = getComputedStyle(each);
            return ['hidden', 'clip'].includes(style.overflowX) && style.textOverflow !== 'ellipsis'
                && (each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1);
        })
        .map((each) => each.outerHTML.slice(0, 120))
"""
LOST = f"(root) => [!({FITS}), ({OVERLAPS})(root), ({CUT_OFF})(root)]"

# What can be pressed and is smaller than a thumb; a link within a sentence is as high as its line.
SMALL = """
    ([least, root]) => {
        const inline = (link) => link.matches('a') && getComputedStyle(link).display === 'inline'
            && [...link.parentElement.childNodes]
                .some((node) => node.nodeType === 3 && /\\p{L}/u.test(node.data));
        const box = (each) => {
            const label = each.matches('input[type=radio], input[type=checkbox]') && each.closest('label');
            return (label || each).getBoundingClientRect();
        };
        return [...document.querySelector(root).querySelectorAll(
            'a[href], button, summary, input:not([type=hidden]), select, textarea, [role=tab], .cell')]
            .filter((each) => each.checkVisibility({visibilityProperty: true, opacityProperty: true}))
            .filter((each) => !each.closest('.visually-hidden, [inert], .match-command') && !inline(each))
            .filter((each) => ((size) => size.width < least - 0.5 || size.height < least - 0.5)(box(each)))
            .map((each) => [each.outerHTML.slice(0, 120), box(each).width, box(each).height]);
    }
"""
THUMB = 44


def speak(page: Page, language: str) -> None:
    """Ask for whatever comes next in a language, as whoever chose it in the header does."""
    site = page.request.get("/healthz").url
    page.context.add_cookies([{"name": "django_language", "value": language, "url": site}])


def listed(found: Iterable[object]) -> str:
    """What was found, one thing a line."""
    return "\n".join(map(str, found))


def findings(
    page: Page, language: str = LONGEST, root: str = "html"
) -> list[tuple[str, str, str, list[str]]]:
    """Whatever axe finds in an element, of every weight.

    Of the languages of the full run, the longest is asked everything, English all but the colours, and any
    other what depends on words.
    """
    if not page.evaluate(READY_AXE):
        page.evaluate(AXE)
    options: dict[str, Any] = {"rules": RULES}
    if FULL and language == "en":
        options = {"rules": RULES | NO_COLOURS}
    elif FULL and language != LONGEST:
        options = {"runOnly": OF_WORDS}
    found: list[dict[str, Any]] = page.evaluate(RUN, [root, PRELOADED | options])
    return [
        (page.url, each["id"], each["impact"], nodes)
        for each in found
        if (nodes := [node["html"][:160] for node in each["nodes"] if not _is_picture(each["id"], node)])
    ]


def _is_picture(rule: str, node: dict[str, Any]) -> bool:
    return rule == NAMES and PICTURED in node["html"]


def look(page: Page, language: str, root: str = "body") -> list[tuple[object, ...]]:
    """What is wrong with a page: what axe finds, and what is lost in small windows and with long words.

    A usual run looks at English on a desktop and on a phone. The full run asks axe in every language what
    may differ there, measures the longest in every window, and makes the English words longer. Afterwards
    the window is as it was.
    """
    size = page.viewport_size or {"width": DESKTOP, "height": 720}
    # The page that something lies over was looked at without it.
    whole = "html" if FULL or root == "body" else root
    found: list[tuple[object, ...]] = [*findings(page, language, whole)]
    if language == LONGEST:
        found += faults(page, root)
    elif not FULL:
        found += narrow_faults(page, root)
    elif language == "en":
        found += overgrown(page, root)
    page.set_viewport_size(size)
    return found


def narrow_faults(page: Page, root: str = "body") -> list[tuple[object, ...]]:
    """What is too small for a thumb on a phone; what sticks out, lies over another or is cut off there."""
    _resize(page, PHONE, 720)
    return [*_small(page, PHONE, root), *_lost(page, f"at {PHONE}", root)]


def faults(page: Page, root: str = "body") -> list[tuple[object, ...]]:
    """What is too small for a thumb; what sticks out, lies over another or is cut off, zoomed or spaced.

    `root` is what is looked at: something that lies over the page is held against itself alone.
    """
    found: list[tuple[object, ...]] = []
    for width in (DESKTOP, PHONE):
        _resize(page, width, 720)
        found += _small(page, width, root)
        page.evaluate(SPACED)
        found += _lost(page, f"spaced at {width}", root)
        page.evaluate(USUAL)
    for percent, window in ZOOMED.items():
        _resize(page, *window)
        found += _lost(page, f"{percent} %", root)
    return found


def _small(page: Page, width: int, root: str) -> list[tuple[object, ...]]:
    return [(page.url, width, "small", *each) for each in page.evaluate(SMALL, [THUMB, root])]


def _lost(page: Page, how: str, root: str) -> list[tuple[object, ...]]:
    is_wide, over, cut = page.evaluate(LOST, root)
    found: list[tuple[object, ...]] = [(page.url, how, "wider than the window")] if is_wide else []
    found += [(page.url, how, each) for each in over]
    return found + [(page.url, how, "cut off", each) for each in cut]


def _resize(page: Page, width: int, height: int) -> None:
    """Another window, and the time to draw for it."""
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate("() => new Promise((rest) => requestAnimationFrame(() => requestAnimationFrame(rest)))")
