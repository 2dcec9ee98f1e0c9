"""What a page lets be heard: its tones are made by the browser as ever, and noted on the way."""

from __future__ import annotations

from typing import cast

from playwright.sync_api import Page

HEARING = """
    window.heard = [];
    const make = BaseAudioContext.prototype.createOscillator;
    BaseAudioContext.prototype.createOscillator = function () {
      const tone = make.call(this);
      const set = tone.frequency.setValueAtTime;
      tone.frequency.setValueAtTime = (pitch, at) => {
        window.heard.push(pitch);
        return set.call(tone.frequency, pitch, at);
      };
      return tone;
    };
"""
"""A script for a page before all others."""


def set_to(**settings: str) -> str:
    """A script that keeps settings as the browser does."""
    return "".join(
        f"localStorage.setItem('parlour:{name}', '\"{value}\"');" for name, value in settings.items()
    )


def heard(page: Page) -> list[int]:
    """The pitches of the tones so far, in hertz, in the order they were made."""
    return cast(list[int], page.evaluate("window.heard"))
