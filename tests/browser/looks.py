"""What every page must look like, at every width and in either theme."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.helpers.samples import FULL, in_full

Picture = Callable[[Page, str], None]

DESKTOP = 1280
PHONE = 390

AXE = Axe().axe_script
OF_COLOURS = ["color-contrast", "link-in-text-block"]
"""The rules of axe that another theme may break: it changes colours alone."""
GRAVE = ("serious", "critical")

READY_AXE = """() => {
    document.getAnimations()
        .filter(each => each.effect.getTiming().iterations !== Infinity)
        .forEach(each => each.finish());
    return 'axe' in window;
}"""
PRELOADED = {"preload": {"assets": ["media"]}}
"""What axe loads before it asks its rules: not the style sheets, which only an experimental rule reads."""
RUN_AXE = """async ([colours, impacts, options, ofColours]) => {
    // What lies below the words of an element, as far as those around it paint it.
    const grounds = new Map();
    const ground = (each) => {
        if (each && !grounds.has(each)) {
            const {backgroundColor, backgroundImage, opacity} = getComputedStyle(each);
            const own = [backgroundColor, backgroundImage, opacity].join();
            const parent = ground(each.parentElement);
            grounds.set(each, own === 'rgba(0, 0, 0, 0),none,1' ? parent : `${parent} ${own}`);
        }
        return grounds.get(each) ?? '';
    };
    const hasWords = (each) => each.matches('input, select, textarea')
        || [...each.childNodes].some(({nodeType, data}) => nodeType === Node.TEXT_NODE && data.trim());
    const isFirst = !globalThis.looksAsked;
    const asked = globalThis.looksAsked ??= new WeakMap();
    const fresh = [...document.body.querySelectorAll('*')]
        .filter((each) => hasWords(each) && !each.closest(':disabled, [aria-disabled=true], [inert]'))
        .filter((each) => each.checkVisibility({visibilityProperty: true, opacityProperty: true}))
        .filter((each) => {
            const {color, fontSize, fontWeight} = getComputedStyle(each);
            const look = [color, fontSize, fontWeight, ground(each)].join();
            const looks = asked.get(each) ?? new Set();
            const isFresh = !looks.has(look);
            asked.set(each, looks.add(look));
            return isFresh;
        });
    const run = async (within, rules) =>
        (await axe.run(within, {resultTypes: ['violations'], ...options, ...rules})).violations;
    // What a rule of axe finds has the rule's own impact: those of no other would be asked for nothing.
    const trifles = axe._audit.rules.filter(rule => rule.impact && !impacts.includes(rule.impact));
    const off = [...trifles.map(({id}) => id), ...(isFirst ? [] : ['color-contrast'])];
    const rules = Object.fromEntries(off.map((id) => [id, {enabled: false}]));
    return [
        ...(colours ? [] : await run(document, {rules})),
        ...((colours || !isFirst) && fresh.length ? await run({include: fresh}, {runOnly: ofColours}) : []),
    ];
}"""
"""What axe finds. It is asked about a colour once for each element that has it, as it takes longest."""

LONGER = """
    () => {
        const root = document.getElementById('match') ?? document.body;
        const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
        const longer = (word) => word + word.slice(0, Math.ceil(word.length / 3));
        while (texts.nextNode()) {
            const text = texts.currentNode;
            const [about, words] = [text.parentElement, text.data];
            const short = about.closest('svg, kbd, script, template, .number, .player-name');
            if (!short && about.longer !== words) {
                (globalThis.usual ??= new Map()).set(text, words);
                about.longer = text.data = words.replace(/\\p{L}{2,}/gu, longer);
            }
        }
    }
"""
"""Every word of the page gets a third longer, as it may be in another language; names and numbers do not."""
AS_USUAL = """
    () => {
        globalThis.usual?.forEach((words, text) => {
            text.data = words;
            delete text.parentElement?.longer;
        });
        globalThis.usual?.clear();
    }
"""
"""The words as they were."""
FITS = "document.documentElement.scrollWidth <= innerWidth"
OVERLAPS = """
    (root) => {
        const within = document.querySelector(root ?? 'body');
        // What stays in the window lies over whatever passes below it.
        const floats = each => each && each !== within
            && (['sticky', 'fixed'].includes(getComputedStyle(each).position) || floats(each.parentElement));
        // What is scrolled away within a frame of its own is not seen.
        const frame = each => each && each !== document.body ? (getComputedStyle(each).overflowY === 'visible'
            ? frame(each.parentElement) : each.getBoundingClientRect()) : null;
        const boxes = each => {
            const {top, bottom} = frame(each.parentElement) ?? {top: -Infinity, bottom: Infinity};
            return [...each.getClientRects()].map((box) => ({
                left: box.left,
                right: box.right,
                top: Math.max(top, box.top),
                bottom: Math.min(bottom, box.bottom),
            }));
        };
        const read = 'a, button, summary, input, select, textarea, legend, h1, h2, h3, p, th, td';
        const seen = [...within.querySelectorAll(read)]
            .filter(each => each.checkVisibility({visibilityProperty: true, opacityProperty: true}))
            .filter(each => !each.closest('.visually-hidden, svg') && !floats(each))
            .filter(each => getComputedStyle(each).clipPath !== 'inset(50%)')
            // The box for typed moves is hidden from view until the focus comes to it.
            .filter(each => !each.closest('.match:not([data-typing]) .match-command:not(:focus-within)'))
            // What is broken into lines lies in each of them.
            .map(each => [each, boxes(each)
                .filter(box => box.right - box.left > 1 && box.bottom - box.top > 1)]);
        const over = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
            && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
        return seen.flatMap(([one, mine], nth) => seen.slice(nth + 1)
            .filter(([other, theirs]) => !one.contains(other) && !other.contains(one)
                && mine.some(box => theirs.some(each => over(box, each))))
            .map(([other]) => `${one.outerHTML.slice(0, 90)} lies over ${other.outerHTML.slice(0, 90)}`));
    }
"""
"""What is read or pressed and lies over something else, of all that is in an element."""


def serious_violations(page: Page, colours: bool = False) -> list[dict[str, Any]]:
    """What axe finds once no colour is on its way to another; with `colours` nothing else is asked."""
    if not page.evaluate(READY_AXE):
        page.evaluate(AXE)
    violations = page.evaluate(RUN_AXE, [colours, GRAVE, PRELOADED, OF_COLOURS])
    return [each for each in violations if each["impact"] in GRAVE]


def fits(page: Page) -> bool:
    """Whether nothing makes the page wider than its window."""
    return bool(page.evaluate(FITS))


def check_longer(page: Page) -> None:
    """With words a third longer nothing sticks out, and nothing lies over another."""
    assert overgrown(page) == []


def overgrown(page: Page, root: str = "body") -> list[tuple[str, int, str]]:
    """What sticks out or lies over another when every word is a third longer."""
    page.evaluate(LONGER)
    found: list[tuple[str, int, str]] = []
    for width in (DESKTOP, PHONE):
        page.set_viewport_size({"width": width, "height": 720})
        found += [] if fits(page) else [(page.url, width, "longer words stick out")]
        found += [(page.url, width, f"longer: {each}") for each in page.evaluate(OVERLAPS, root)]
    page.evaluate(AS_USUAL)
    return found


SCHEMES = in_full("light", "dark")
"""The themes that pages are looked at in; in the second axe is asked about colours alone."""


def check_looks(page: Page, picture: Picture, name: str) -> None:
    """Nothing is wider than the window and axe finds nothing serious; in the full run in dark too."""
    assert fits(page)
    assert page.viewport_size
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        assert serious_violations(page, colours=scheme != SCHEMES[0]) == []
        picture(page, f"{name}-{page.viewport_size['width']}-{scheme}")


def check_looks_everywhere(page: Page, picture: Picture, name: str) -> None:
    """`check_looks` on a desktop, and in the full run on a phone too; no page is wider than a phone's window.

    The picture has the whole height of the page.
    """
    for width in (PHONE, DESKTOP):
        page.set_viewport_size({"width": width, "height": 900})
        height = int(page.evaluate("document.documentElement.scrollHeight"))
        page.set_viewport_size({"width": width, "height": min(height, 3400)})
        if FULL or width == DESKTOP:
            check_looks(page, picture, name)
        else:
            assert fits(page)
