"""Generated names for guests, and reserved names.

A guest name is an adjective, an animal and, if that is taken, a number. Names are data and not translated.
The longest adjective, the longest animal, three digits and two hyphens make 20 characters, the limit.
"""

import random
import re
from collections.abc import Iterator
from functools import cache
from itertools import chain
from typing import Any

import regex
from django.core.exceptions import ValidationError
from django.urls import get_resolver
from django.utils.translation import gettext_lazy as _

from games.domain import computer_names
from games.domain.texts import without_ignorables
from lobby.people.spelling import folded, looks, normal

ADJECTIVES = (
    "Able Agile Amber Ample Azure Balmy Bold Brave Breezy Bright Brisk Calm Candid Casual Cheery Chipper "
    "Civil Classy Clever Cobalt Comfy Copper Coral Cosy Crisp Curious Dapper Daring Dashing Deft Eager "
    "Early Earnest Easy Fabled Fair Famous Fleet Fluent Fond Frank Gentle Genial Gifted Glad Golden "
    "Grand Happy Hardy Hasty Hearty Honest Humble Indigo Jade Jolly Jovial Joyful Keen Kind Lilac Lively "
    "Loyal Lucky Lunar Mellow Merry Mighty Misty Modest Nimble Noble Olive Patient Pearl Perky Placid "
    "Plucky Polite Prompt Proud Quick Quiet Rapid Ready Regal Rosy Royal Ruby Rustic Sage Scarlet Serene "
    "Sharp Silver Sleek Smart Snappy Snug Solar Spry Stately Steady Stoic Sunny Swift Tender "
    "Tidy Trusty Upbeat Urbane Valiant Vivid Warm Wise Witty Zesty"
)
# None that a computer player is named after (`games.bots`).
ANIMALS = (
    "Alpaca Badger Bat Bear Beaver Bee Beetle Bison Bobcat Bunting Camel Caribou Cat Cheetah Cicada "
    "Civet Cobra Condor Corgi Cougar Coyote Crane Cricket Curlew Deer Dingo Dolphin Dove Dragon Dunlin "
    "Egret Elk Ermine Falcon Ferret Finch Firefly Flamingo Fox Gannet Gazelle Gecko Gibbon Giraffe "
    "Grouse Gull Hare Hawk Heron Hoopoe Hornet Ibis Iguana Impala Jaguar Jay Kestrel Kiwi Koala Lark "
    "Lemur Leopard Linnet Lion Lizard Llama Lynx Manatee Marten Merlin Mole Moose Moth Mouse Mustang "
    "Newt Ocelot Octopus Oriole Osprey Otter Owl Panda Panther Parrot Pelican Penguin Pigeon Pony "
    "Puffin Puma Quail Rabbit Raven Robin Salmon Seal Sparrow Spider Squid Starling Stoat Stork "
    "Swallow Swan Swift Tapir Tern Thrush Tiger Toucan Turtle Walrus Weasel Whale Wolf Wombat Wren Yak "
    "Zebra"
)


def propose(digits: int, chance: random.Random) -> str:
    """A name such as "Brave-Otter", or "Brave-Otter-42" where `digits` (of its number) is not 0."""
    words = [chance.choice(ADJECTIVES.split()), chance.choice(ANIMALS.split())]
    if digits:
        words.append(str(chance.randrange(10 ** (digits - 1), 10**digits)))
    return "-".join(words)


DELETED = "deleted"
"""Prefix of the stored name of a deleted account; a number follows."""

# Names that suggest the site or a program, and placeholders for a name.
RESERVED = (
    "admin administrator anonymous bot bots computer everybody everyone guest guests help host me "
    "mod moderator moderators nobody null official owner parlour root server staff support system "
    "team undefined you "
    "админ администратор бот гость компьютер модератор поддержка сервер система "
    "administraator arvuti haldur kasutajatugi külaline moderaator robot süsteem"
)
# Staff titles: refused even as one word of a longer name.
STAFF = (
    "admin administrator mod moderator official owner parlour staff support "
    "админ администратор модератор поддержка administraator haldur kasutajatugi moderaator"
)
# URL prefixes that are not in `config.urls`.
BESIDE = "static ws healthz readyz"


def not_reserved(name: str) -> None:
    """Refuse a name that could pass for the site, one of its URLs or one of its computer players.

    Raises:
        ValidationError: "reserved".
    """
    not_official(name)
    if folded(name) in BESIDE.split() or folded(name) in _addresses():
        raise _reserved()


def not_official(name: str) -> None:
    """Refuse a name or title that could pass for the site, one of its computer players or a deleted account.

    Raises:
        ValidationError: "reserved".
    """
    name = without_ignorables(normal(name))
    lower = folded(name)
    taken = _speaks_for_the_site(name) or computer_names.is_one(lower)
    if taken or lower == DELETED or lower.startswith(f"{DELETED}-"):
        raise _reserved()


def _reserved() -> ValidationError:
    return ValidationError(_("This name is reserved. Please choose another."), code="reserved")


def _speaks_for_the_site(name: str) -> bool:
    """Whether a name reads as one or several of `RESERVED`, or contains a word of `STAFF`.

    Checked twice: with digits read as the letters they resemble, and with trailing digits removed.
    """
    words = WORD.findall(name)
    return any(
        not _all_looks(STAFF).isdisjoint(chain.from_iterable(map(looks, spelled)))
        or any(map(_of_reserved().fullmatch, looks("".join(spelled))))
        for spelled in (words, [regex.sub(r"\p{Nd}+$", "", word) for word in words])
    )


WORD = regex.compile(r"\p{Lu}?[\p{Ll}\p{Lo}\p{M}\p{Nd}]+|[\p{Lu}\p{M}\p{Nd}]+(?!\p{Ll})")
"""A word of a name. Hyphens and capitals separate words."""


@cache
def _all_looks(words: str) -> frozenset[str]:
    forms = chain.from_iterable((word, word.title()) for word in words.split())
    return frozenset(chain.from_iterable(map(looks, forms)))


@cache
def _of_reserved() -> re.Pattern[str]:
    return re.compile(f"(?:{'|'.join(_all_looks(RESERVED))})+")


@cache
def _addresses() -> frozenset[str]:
    """The first path segment of every URL of the site."""
    return frozenset(_first_parts(get_resolver().url_patterns))


def _first_parts(patterns: list[Any]) -> Iterator[str]:
    for pattern in patterns:
        first, slash, _rest = str(pattern.pattern).lstrip("^").partition("/")
        if first:
            yield first.lower()
        elif not slash and hasattr(pattern, "url_patterns"):
            yield from _first_parts(pattern.url_patterns)
