"""Short descriptions of browsers, from their User-Agent."""

from __future__ import annotations

import re

from django.utils.translation import gettext

# The first match wins: many browsers also name those further down.
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
    """A description such as "Firefox on Android"; the User-Agent is not verified."""
    browser, system = _first(BROWSERS, user_agent), _first(SYSTEMS, user_agent)
    if browser and system:
        return gettext("%(browser)s on %(system)s") % {"browser": browser, "system": system}
    return browser or system or gettext("An unknown browser")


def _first(kinds: dict[str, str], user_agent: str) -> str:
    return next((name for name, sign in kinds.items() if re.search(sign, user_agent)), "")
