"""Somebody who does not see: they press keys, and know of a page what a screen reader tells them of it.

What is read comes from the browser's own tree of accessible objects, what is heard from the live regions
of the page. Nothing else of a page is known here: no element is looked for, and nothing is pressed but keys.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import ConsoleMessage, Page, TimeoutError

from tests.browser.by_ear.transcript import Transcript
from tools.harness.patience import patience

MOST_TABS = 150
LONGEST_WAIT = 10.0
"""Seconds until something must have been heard, on a machine with nothing else to do."""

ALOUD = "aloud: "
READER = (
    """
(() => {
  const REGIONS = "[aria-live], [role=alert], [role=status], [role=log]";
  const USUAL = { alert: "assertive", status: "polite", log: "polite" };
  /** What each region said when it was last looked at; null while it was not there to be heard. */
  const known = new WeakMap();

  const isRendered = (element) => element.checkVisibility({ visibilityProperty: true });

  function words(node) {
    if (node.nodeType === Node.TEXT_NODE) {
      return node.data;
    }
    const silent = !(node instanceof Element) || node.ariaHidden === "true" || !isRendered(node);
    return silent ? "" : [...node.childNodes].map(words).join(" ");
  }

  /** What has come into a region that was there is said, and an alert as soon as it is there. */
  function look(aloud) {
    for (const region of document.querySelectorAll(REGIONS)) {
      const manner = region.ariaLive ?? USUAL[region.role] ?? "off";
      const isHeard = manner !== "off" && isRendered(region);
      const now = isHeard ? words(region).replace(/[ \\n]+/g, " ").replace(/^ | $/g, "") : null;
      const before = known.get(region) ?? null;
      known.set(region, now);
      const news = before !== null || region.role === "alert";
      if (aloud && news && now && now !== before) {
        const isWhole = region.ariaAtomic === "true" || region.role !== "log";
        const isLonger = before && now.startsWith(before);
        console.debug("ALOUD" + (isLonger && !isWhole ? now.slice(before.length) : now));
      }
    }
  }

  addEventListener("DOMContentLoaded", () => {
    look(false);
    const how = { subtree: true, childList: true, characterData: true, attributes: true };
    new MutationObserver(() => look(true)).observe(document, how);
  });
})();
"""
).replace("ALOUD", ALOUD)
"""What a screen reader does with live regions: it says what changes in them, not what stood there before."""

BLOCKS = {
    "paragraph",
    "listitem",
    "row",
    "status",
    "alert",
    "note",
    "region",
    "caption",
    "Figcaption",
    "term",
}
NAMED = {"heading", "link", "button", "image", "img", "textbox", "slider", "radio", "checkbox", "progressbar"}


@dataclass(frozen=True, slots=True)
class Thing:
    """What has the focus: its name, what it is, and what else is said of it."""

    name: str
    role: str
    more: str

    def __str__(self) -> str:
        return ", ".join(filter(None, (self.name, self.role, self.more)))


class Listener:
    """A person at a page that has just been opened, or will be."""

    def __init__(self, page: Page, transcript: Transcript) -> None:
        self._page = page
        self._reader = page.context.new_cdp_session(page)
        self._said: list[str] = []
        self._heard = 0
        self._learnt: set[str] = set()
        self.transcript = transcript
        page.on("console", self._note)
        page.add_init_script(READER)

    def _note(self, message: ConsoleMessage) -> None:
        if message.text.startswith(ALOUD):
            self._said.append(message.text.removeprefix(ALOUD).replace("\xa0", " ").strip())

    # Keys

    def press(self, key: str) -> None:
        """Press a key and go on."""
        self._catch_up()
        self.transcript.pressed(key)
        self._page.keyboard.press(key)

    def enter(self) -> str:
        """Press Enter on what leads to another page; its title, which is said first there."""
        with self._page.expect_navigation():
            self.press("Enter")
        return self.title()

    def type(self, words: str) -> None:
        """Write, where writing is possible, and send it off."""
        self._catch_up()
        self.transcript.typed(words)
        self._page.keyboard.type(words)
        self._page.keyboard.press("Enter")

    def tab_to(self, name: str, role: str) -> Thing:
        """Press Tab until something that is called so has the focus; what lies on the way is not told."""
        self._catch_up()
        passed = []
        for number in range(1, MOST_TABS + 1):
            self._page.keyboard.press("Tab")
            thing = self.focus()
            passed.append(str(thing))
            if thing.role == role and re.search(name, thing.name):
                self.transcript.pressed(f"Tab ({number} times)" if number > 1 else "Tab")
                self.transcript.read(str(thing))
                return thing
        raise AssertionError(f"Tab leads to no {role} called {name}, but to {passed}")

    def walk(self, key: str) -> Thing:
        """Press an arrow key and hear where it has led."""
        self.press(key)
        thing = self.focus()
        self.transcript.read(str(thing))
        return thing

    # What one knows

    def learn(self, what: str) -> None:
        """Something was done once, and is known from now on."""
        self._learnt.add(what)

    def knows_how(self, what: str) -> bool:
        """Whether it was done before."""
        return what in self._learnt

    # Reading

    def focus(self) -> Thing:
        """What has the focus."""
        found = self._reader.send("Runtime.evaluate", {"expression": "document.activeElement"})
        asked = {"objectId": found["result"]["objectId"], "fetchRelatives": False}
        (node,) = self._reader.send("Accessibility.getPartialAXTree", asked)["nodes"]
        told = {each["name"]: each["value"].get("value") for each in node.get("properties", [])}
        states = [
            word
            for word in ("disabled", "checked", "pressed", "expanded", "selected")
            if told.get(word) in (True, "true")
        ]
        keys = told.get("keyshortcuts")
        more = [_value(node, "description"), *states, f"key {keys}" if keys else ""]
        return Thing(_value(node, "name"), _value(node, "role"), ", ".join(filter(None, more)))

    def lines(self) -> list[str]:
        """The page from above, line by line."""
        nodes = self._reader.send("Accessibility.getFullAXTree")["nodes"]
        return list(_lines({node["nodeId"]: node for node in nodes}, nodes[0]["nodeId"]))

    def read(self, heading: str) -> list[str]:
        """Go to a heading and read on from there, up to the next one."""
        lines = self.lines()
        begin = lines.index(f"{heading}, heading")
        behind = range(begin + 1, len(lines))
        end = next((nth for nth in behind if lines[nth].endswith(", heading")), len(lines))
        for line in lines[begin:end]:
            self.transcript.read(line)
        return lines[begin + 1 : end]

    def title(self) -> str:
        """What is said first of any page."""
        title = self._page.title()
        self.transcript.came(title)
        return title

    # Hearing

    def hear(self, pattern: str) -> str:
        """Wait until something is said that fits; it, and with it all that was said before is past."""
        while True:
            while self._heard < len(self._said):
                said = self._said[self._heard]
                self._heard += 1
                self.transcript.heard(said)
                if re.search(pattern, said):
                    return said
            try:
                self._page.wait_for_event("console", self._is_said, timeout=patience(LONGEST_WAIT) * 1000)
            except TimeoutError as silence:
                told = f"{self._said[-6:]}; the focus is on {self.focus()}"
                raise AssertionError(f"Nobody said {pattern}, but at last {told}") from silence

    @staticmethod
    def _is_said(message: ConsoleMessage) -> bool:
        return message.text.startswith(ALOUD)

    def _catch_up(self) -> None:
        """What has been said by now is told before what is done next."""
        for said in self._said[self._heard :]:
            self.transcript.heard(said)
        self._heard = len(self._said)

    @property
    def all_heard(self) -> list[str]:
        """Everything that has been said so far."""
        return list(self._said)


def _value(node: dict[str, Any], name: str) -> str:
    return str(node.get(name, {}).get("value", "")).strip()


def _lines(nodes: dict[str, Any], root: str) -> Iterator[str]:
    """What a screen reader says of a page from above: a line for each paragraph, heading, link, button ..."""
    words: list[str] = []

    def told() -> Iterator[str]:
        if words:
            yield " ".join(words)
            words.clear()

    def walk(node_id: str) -> Iterator[str]:
        node = nodes.get(node_id)
        if node is None:
            return
        role = "" if node.get("ignored") else _value(node, "role")
        if role in NAMED:
            yield from told()
            yield ", ".join(filter(None, (_value(node, "name"), role, _value(node, "value"))))
        elif role == "StaticText":
            words.append(_value(node, "name"))
        else:
            if role in BLOCKS:
                yield from told()
            for child in node.get("childIds", []):
                yield from walk(child)
            if role in BLOCKS:
                yield from told()

    yield from walk(root)
    yield from told()
