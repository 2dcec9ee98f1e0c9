"""Which names are valid, and which are equal or look alike.

A name may use any script, according to Unicode: letters of one writing system (UAX 31, UTS 39), counted in
grapheme clusters (UAX 29), stored as NFKC. Names are unique regardless of case, and no two may look alike
(skeletons, UTS 39).
"""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache
from itertools import chain
from unicodedata import normalize

import regex
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from games.domain.texts import INVISIBLE, without_ignorables

MIN_CHARACTERS, MAX_CHARACTERS = 3, 20
"""Length of a name in grapheme clusters."""
STORED = 80
"""Maximum length in code points; a grapheme cluster may take several."""
MOST_BYTES = 240
"""Maximum length in bytes of UTF-8: three for each code point, which suffices for all living scripts."""
LONGEST_SKELETON = 320
"""Maximum length of a skeleton: it can be longer than the name, and indexed columns need a limit."""
MARKS = 3
"""Maximum combining marks in a row: enough for every language, too few to draw over other lines."""

SCRIPTS = (
    "Arabic Armenian Bengali Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi Hangul Hebrew "
    "Kannada Khmer Lao Latin Malayalam Myanmar Oriya Sinhala Tamil Telugu Thaana Thai Tibetan"
)
"""Scripts in everyday use (UAX 31, table 5), not mixed with others."""
TOGETHER = ("Han Hiragana Katakana", "Han Hangul", "Han Bopomofo")
"""Scripts that may be mixed: Japanese, Korean and Chinese."""


def _letters(scripts: str) -> str:
    either = "".join(rf"\p{{scx={script}}}" for script in scripts.split())
    return rf"[{either}0-9_-]+"


_ALLOWED = regex.compile(rf"(?!\p{{M}})(?:(?!{INVISIBLE})[\p{{L}}\p{{M}}\p{{Nd}}_-])+")
_NOT_ALLOWED = regex.compile(r"[^\p{L}\p{M}\p{Nd}_-]+")
_OF_ONE_SCRIPT = regex.compile("|".join(map(_letters, chain(SCRIPTS.split(), TOGETHER))))
_TOO_MANY_MARKS = regex.compile(rf"\p{{M}}{{{MARKS + 1}}}")
_TWO_KINDS_OF_DIGITS = regex.compile(r"(?=.*[0-9]).*(?![0-9])\p{Nd}")
_CHARACTER = regex.compile(r"\X")
_ADDED = regex.compile(r"[\p{M}\p{Lm}]+")
_STANDS_FOR = str.maketrans("0134578l", "oieastbi")


def joined(name: str) -> str:
    """The words of a name with hyphens between them, without signs that names may not have."""
    return "-".join(_NOT_ALLOWED.sub(" ", name).split())


def normal(name: str) -> str:
    """The stored form of a name: NFKC."""
    return normalize("NFKC", name)


def folded(name: str) -> str:
    """A key that is equal for names that differ only in case, or in characters that nobody sees."""
    return normalize("NFKC", without_ignorables(normalize("NFKC", name)).casefold())


def skeleton(name: str) -> str:
    """A key that is equal for names that look alike: `Ian` and `lan`, `СОВА` and `COBA`."""
    seen = without_ignorables(normalize("NFKC", name))
    return _drawn(_drawn(seen).casefold())[:LONGEST_SKELETON]


def looks(text: str) -> list[str]:
    """Skeletons of a text without its marks: as it is, in lower case, in upper case, with plain letters.

    A letter and its capital may look like different letters (`м` like no Latin one, `М` like `M`). Digits
    are replaced by the letters they resemble, so use the results only for comparisons.
    """
    return [_look(form) for form in (text, text.lower(), text.upper(), "".join(map(_plain, text)))]


def well_spelled(name: str) -> None:
    """Check a normalized name. Raises `ValidationError`."""
    if not MIN_CHARACTERS <= len(_CHARACTER.findall(name)) <= MAX_CHARACTERS or not _ALLOWED.fullmatch(name):
        raise ValidationError(_("Use 3 to 20 letters, digits, - and _."), code="misspelled")
    if len(name) > STORED or len(name.encode()) > MOST_BYTES:
        raise ValidationError(_("This name is too long."), code="too-long")
    if _TOO_MANY_MARKS.search(name):
        raise ValidationError(_("A letter in a name can have at most three marks."), code="marks")
    if not _OF_ONE_SCRIPT.fullmatch(name) or _TWO_KINDS_OF_DIGITS.match(name):
        raise ValidationError(_("A name can use letters of only one alphabet."), code="scripts")


def letters_of(text: str) -> str:
    """Turn a text into a proposal for a name: other characters become hyphens. It may still be invalid."""
    kept = regex.sub(r"[^\p{L}\p{M}\p{Nd}_-]+", "-", normal(text))
    return "".join(_CHARACTER.findall(kept)[:MAX_CHARACTERS])[:STORED].strip("-")


def _look(text: str) -> str:
    drawn = skeleton(_without_marks(text)).replace("rn", "m").replace("vv", "w")
    return _without_marks(drawn).translate(_STANDS_FOR)


def _without_marks(text: str) -> str:
    bare: str = _ADDED.sub("", normalize("NFKD", text))
    return bare


@lru_cache(maxsize=4096)
def _plain(character: str) -> str:
    """The base letter of a variant, by its Unicode name: `d` for `ɖ`, `D` for a small capital D."""
    variant = unicodedata.name(character, "").replace("LETTER SMALL CAPITAL", "CAPITAL LETTER")
    try:
        return unicodedata.lookup(variant.partition(" WITH ")[0])
    except KeyError:
        return character


def _drawn(text: str) -> str:
    """Replace every character by the prototype of its confusables (UTS 39)."""
    prototypes = _prototypes()
    return normalize("NFD", "".join(prototypes.get(each, each) for each in normalize("NFD", text)))


@cache
def _prototypes() -> dict[str, str]:
    """Map every confusable character to the prototype of its group.

    The data lists, for each character, those it can be mistaken for; groups are the transitive closure. The
    prototype is the longest sequence, so that "m" becomes "rn".
    """
    # Importing it reads a large file.
    from confusable_homoglyphs.confusables import confusables_data

    alike: dict[str, set[str]] = {}
    for character, others in confusables_data.items():
        group = {character.strip("\u200e"), *(other["c"].strip("\u200e") for other in others)}
        group = group.union(*(alike[each] for each in group if each in alike))
        alike.update(dict.fromkeys(group, group))
    stands_for = {id(group): min(group, key=lambda text: (-len(text), text)) for group in alike.values()}
    return {each: stands_for[id(group)] for each, group in alike.items() if len(each) == 1}
