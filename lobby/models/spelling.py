"""What names are made of, and which of them are the same or look the same.

Names are of any script, by what Unicode says of identifiers that people choose: the letters of one
writing system (UAX 31, UTS 39), counted as readers count them (UAX 29), stored in the form NFKC. Two are
the same whatever their capitals, and nobody may have one that looks like another's (skeletons, UTS 39).
"""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache
from itertools import chain
from unicodedata import normalize

import regex
from confusable_homoglyphs.confusables import confusables_data
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

LEAST, MOST = 3, 20
"""How many characters a name has, as readers count them."""
STORED = 80
"""How many code points they may take: letters with their marks, syllables with their vowels."""
MOST_BYTES = 240
"""How many bytes of UTF-8 they may take: three for each code point, which all living scripts keep to."""
LONGEST_SKELETON = 320
"""Some characters look like several others in a row; a database indexes no text without end."""
MARKS = 3
"""How many marks may follow one another: enough for every language, too few to draw over other lines."""

SCRIPTS = (
    "Arabic Armenian Bengali Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi Hangul Hebrew "
    "Kannada Khmer Lao Latin Malayalam Myanmar Oriya Sinhala Tamil Telugu Thaana Thai Tibetan"
)
"""The scripts in everyday use (UAX 31, table 5) that stand alone."""
TOGETHER = ("Han Hiragana Katakana", "Han Hangul", "Han Bopomofo")
"""Those that are written together, in Japanese, Korean and Chinese."""


def _letters(scripts: str) -> str:
    either = "".join(rf"\p{{scx={script}}}" for script in scripts.split())
    return rf"[{either}0-9_-]+"


_ALLOWED = regex.compile(r"(?!\p{M})[\p{L}\p{M}\p{Nd}_-]+")
_OF_ONE_SCRIPT = regex.compile("|".join(map(_letters, chain(SCRIPTS.split(), TOGETHER))))
_TOO_MANY_MARKS = regex.compile(rf"\p{{M}}{{{MARKS + 1}}}")
_TWO_KINDS_OF_DIGITS = regex.compile(r"(?=.*[0-9]).*(?![0-9])\p{Nd}")
_CHARACTER = regex.compile(r"\X")
_ADDED = regex.compile(r"[\p{M}\p{Lm}]+")
_STANDS_FOR = str.maketrans("0134578l", "oieastbi")


def normal(name: str) -> str:
    """A name as it is stored: one form for all ways to write it."""
    return normalize("NFKC", name)


def folded(name: str) -> str:
    """One text for all names that are the same but for their capitals."""
    return normalize("NFKC", normalize("NFKC", name).casefold())


def skeleton(name: str) -> str:
    """One text for all names that look the same: `Ian` and `lan`, `СОВА` and `COBA`."""
    return _drawn(_drawn(normalize("NFKC", name)).casefold())[:LONGEST_SKELETON]


def looks(text: str) -> list[str]:
    """What a text looks like without its marks: as it is, in small letters, in capitals, by plain letters.

    A letter and its capital may look like different letters (`м` like no Latin one, `М` like `M`). Digits
    and letters that stand for each other are one, so the results are for comparisons alone.
    """
    return [_look(form) for form in (text, text.lower(), text.upper(), "".join(map(_plain, text)))]


def well_spelled(name: str) -> None:
    """Refuse what is no name, in its normal form. Raises `ValidationError`."""
    if not LEAST <= len(_CHARACTER.findall(name)) <= MOST or not _ALLOWED.fullmatch(name):
        raise ValidationError(_("A name has 3 to 20 letters, digits, - and _."), code="misspelled")
    if len(name) > STORED or len(name.encode()) > MOST_BYTES:
        raise ValidationError(_("This name is too long."), code="too-long")
    if _TOO_MANY_MARKS.search(name):
        raise ValidationError(_("A name has at most three marks at one letter."), code="marks")
    if not _OF_ONE_SCRIPT.fullmatch(name) or _TWO_KINDS_OF_DIGITS.match(name):
        raise ValidationError(_("A name has the letters of one alphabet only."), code="scripts")


def letters_of(text: str) -> str:
    """What of a text could be a name, its other characters as hyphens; it may still be refused."""
    kept = regex.sub(r"[^\p{L}\p{M}\p{Nd}_-]+", "-", normal(text))
    return "".join(_CHARACTER.findall(kept)[:MOST])[:STORED].strip("-")


def _look(text: str) -> str:
    drawn = skeleton(_without_marks(text)).replace("rn", "m").replace("vv", "w")
    return _without_marks(drawn).translate(_STANDS_FOR)


def _without_marks(text: str) -> str:
    bare: str = _ADDED.sub("", normalize("NFKD", text))
    return bare


@lru_cache(maxsize=4096)
def _plain(character: str) -> str:
    """The letter that Unicode names a variant of: `d` for `ɖ`, `D` for a small capital of it."""
    variant = unicodedata.name(character, "").replace("LETTER SMALL CAPITAL", "CAPITAL LETTER")
    try:
        return unicodedata.lookup(variant.partition(" WITH ")[0])
    except KeyError:
        return character


def _drawn(text: str) -> str:
    """The characters of a text each as the one that stands for all that look alike."""
    prototypes = _prototypes()
    return normalize("NFD", "".join(prototypes.get(each, each) for each in normalize("NFD", text)))


@cache
def _prototypes() -> dict[str, str]:
    """For every character that looks like others, what stands for all of them.

    The data name for each character those it may be taken for. What looks alike by way of a third looks
    alike, and what takes several characters to draw (rn for m) stands for what takes one.
    """
    alike: dict[str, set[str]] = {}
    for character, others in confusables_data.items():
        group = {character.strip("\u200e"), *(other["c"].strip("\u200e") for other in others)}
        group = group.union(*(alike[each] for each in group if each in alike))
        alike.update(dict.fromkeys(group, group))
    stands_for = {id(group): min(group, key=lambda text: (-len(text), text)) for group in alike.values()}
    return {each: stands_for[id(group)] for each, group in alike.items() if len(each) == 1}
