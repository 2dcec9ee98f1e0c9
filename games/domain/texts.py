"""Text that people enter: without characters that nobody sees, and as numbers. Pure.

Invisible characters are those with the Unicode property Default_Ignorable_Code_Point, control characters and
some that fonts draw as blanks. They hide text, make two names look alike, or make a line look empty.
"""

from __future__ import annotations

import regex

INVISIBLE = r"\p{Default_Ignorable_Code_Point}"
_UNWANTED = rf"[{INVISIBLE}\p{{Cc}}\u2028\u2029\u2800\ufff9-\ufffb\U0001d159]"
# Joiners and variation selectors that change what is seen.
_NEEDED = "|".join(
    (
        # Between letters of scripts that join them: Persian "می‌خواهم".
        r"(?<=[\p{Arabic}\p{Syriac}])\u200c(?=[\p{Arabic}\p{Syriac}])",
        # Around a virama of an Indic script.
        r"(?<=\p{ccc=9})\u200c(?=\p{L})",
        r"(?<=\p{ccc=9})\u200d",
        r"(?<=\p{L})\u200d(?=\p{ccc=9})",
        # In emoji: sequences, the form of a symbol, and keys.
        r"(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]\ufe0f?)\u200d(?=\p{Extended_Pictographic})",
        r"(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f]",
        r"(?<=[0-9#*])\ufe0f(?=\u20e3)",
    )
)
_SPACE = regex.compile(r"\s+")
_NEEDED_OR_UNWANTED = regex.compile(f"({_NEEDED})|{_UNWANTED}")
_IGNORABLE = regex.compile(INVISIBLE)
_SEEN = regex.compile(rf"[^\s\p{{M}}{INVISIBLE}]")


def cleaned(text: str) -> str:
    """The text as one line of visible characters with single spaces; "" if nothing is visible.

    Joiners and variation selectors stay where a script or an emoji needs them.
    """
    visible = _NEEDED_OR_UNWANTED.sub(lambda found: found[1] or "", _SPACE.sub(" ", text))
    line: str = _SPACE.sub(" ", visible).strip()
    return line if _SEEN.search(line) else ""


def without_ignorables(text: str) -> str:
    """The text without any ignorable character, for comparisons."""
    bare: str = _IGNORABLE.sub("", text)
    return bare


def number(text: str, default: int = 0, digits: int = 18) -> int:
    """A whole number in a form or a URL; `default` for other texts, and for those with more digits."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else default
