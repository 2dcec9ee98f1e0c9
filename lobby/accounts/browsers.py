"""What a browser says of itself, in as few words as its owner knows it by."""

from __future__ import annotations

import re

from django.utils.translation import gettext

# The first that fits: each of these says that it is most of those after it.
BROWSERS = {
    "Edge": r"\bEdgA?/|\bEdgiOS/",
    "Opera": r"\bOPR/",
    "Samsung Internet": r"\bSamsungBrowser/",
    "Firefox": r"\bFirefox/|\bFxiOS/",
    "Chrome": r"\bChrome/|\bCriOS/|\bHeadlessChrome/",
    "Safari": r"\bSafari/",
}
SYSTEMS = {
    "iPhone": r"\biPhone\b",
    "iPad": r"\biPad\b",
    "Android": r"\bAndroid\b",
    "ChromeOS": r"\bCrOS\b",
    "Windows": r"\bWindows\b",
    "macOS": r"\bMac OS X\b",
    "Linux": r"\bLinux\b",
}


def in_words(user_agent: str) -> str:
    """A browser such as "Firefox on Android"; it may say what it likes."""
    browser, system = _first(BROWSERS, user_agent), _first(SYSTEMS, user_agent)
    if browser and system:
        return gettext("%(browser)s on %(system)s") % {"browser": browser, "system": system}
    return browser or system or gettext("An unknown browser")


def _first(kinds: dict[str, str], user_agent: str) -> str:
    return next((name for name, sign in kinds.items() if re.search(sign, user_agent)), "")
