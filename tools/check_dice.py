#!/usr/bin/env python3
"""Check the dice of a finished match, without trusting the site that threw them.

    python3 check_dice.py FILE [COMMITMENT]

FILE is the sealed file offered for download when a match with dice has ended. COMMITMENT is the
promise you noted before the first throw; without it the one in the file is used, which you should
compare yourself. Needs nothing but Python 3.10 or newer. Exit code 0: all is well. 1: it is not.

What is checked, format "parlour-dice-1":

1.  SHA-256 of the secret (64 lower-case hexadecimal digits, as ASCII text) is the commitment.
2.  The plies of the throws rise.
3.  The faces of every throw follow from the secret, the match, the words of the seats, the ply and the
    dice. With u32(n) a 32-bit number, most significant byte first, and field(t) = u32(number of bytes)
    and the UTF-8 bytes of the text t, the message of a throw is

        field("parlour-dice-1") field(match) u32(number of words) field(word 0) field(word 1) ...
        u32(ply) u32(count) u32(sides)

    HMAC-SHA256 with the secret's 64 characters as key over message + u32(0), message + u32(1), ... gives
    bytes; those not below the largest multiple of `sides` up to 256 are passed over, any other byte b is
    the face b mod sides + 1, and the first `count` faces are the throw.
"""

import hashlib
import hmac
import json
import re
import sys
from collections.abc import Iterator
from itertools import count, islice, pairwise
from typing import Any

FORMAT = "parlour-dice-1"
MOST_DICE = 1000
Record = dict[str, Any]


def main(arguments: list[str]) -> int:
    """Check the file named on the command line, say so in plain words, return the exit code."""
    if len(arguments) not in (1, 2):
        say("Usage: python3 check_dice.py FILE [COMMITMENT]")
        return 1
    try:
        with open(arguments[0], encoding="utf-8") as file:
            record = json.load(file)
    except (OSError, ValueError) as error:
        say(f"This file cannot be read: {error}")
        return 1
    problems = check(record, *arguments[1:])
    for problem in problems:
        say(f"WRONG: {problem}")
    if problems:
        say("Do not trust these dice.")
        return 1
    describe(record, noted=len(arguments) == 2)
    return 0


def check(record: Any, noted: str | None = None) -> list[str]:
    """All that is wrong with a sealed file, in plain words; nothing if all is well."""
    problems = misshapen(record)
    if problems:
        return problems
    return [*broken_promise(record, noted), *disorder(record), *wrong_faces(record)]


def misshapen(record: Any) -> list[str]:
    """What keeps a sealed file from being checked at all."""
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        return [f"This is not a sealed file of the format {FORMAT}."]
    wrong = [name for name in ("match", "secret", "commitment") if not is_text(record.get(name))]
    if not is_list(record.get("words"), is_text):
        wrong.append("words")
    if not is_list(record.get("throws"), is_throw):
        wrong.append("throws")
    return [f"The file's “{name}” is missing or is not what it should be." for name in wrong]


def is_list(value: Any, fits: Any) -> bool:
    """Whether `value` is a list whose items all fit."""
    return isinstance(value, list) and all(map(fits, value))


def is_text(value: Any) -> bool:
    """Text that has a UTF-8 form."""
    return isinstance(value, str) and not re.search("[\ud800-\udfff]", value)


def is_number(value: Any, least: int, most: int) -> bool:
    """Whether `value` is an integer from `least` to `most`; booleans are not."""
    return type(value) is int and least <= value <= most


def is_throw(value: Any) -> bool:
    """Whether `value` has the fields of a throw, in their ranges."""
    return (
        isinstance(value, dict)
        and is_number(value.get("ply"), 1, 2**32 - 1)
        and is_number(value.get("count"), 1, MOST_DICE)
        and is_number(value.get("sides"), 1, 256)
        and is_list(value.get("faces"), lambda face: type(face) is int)
    )


def broken_promise(record: Record, noted: str | None) -> list[str]:
    """Whether the secret is the one promised before the first throw."""
    problems = []
    if not re.fullmatch("[0-9a-f]{64}", record["secret"]):
        problems.append("The secret must have 64 hexadecimal digits.")
    if hashlib.sha256(record["secret"].encode()).hexdigest() != record["commitment"]:
        problems.append("The secret does not match the fingerprint the server published.")
    if noted is not None and noted.strip().lower() != record["commitment"]:
        problems.append("The file's commitment is not the one that you noted.")
    return problems


def disorder(record: Record) -> list[str]:
    """Throws that do not come in the order of their plies."""
    plies = [throw["ply"] for throw in record["throws"]]
    return [
        f"The throw of ply {after} stands behind the throw of ply {before}."
        for before, after in pairwise(plies)
        if before >= after
    ]


def wrong_faces(record: Record) -> list[str]:
    """Throws that do not follow from the secret and the words."""
    problems = []
    for throw in record["throws"]:
        expected = faces(record, throw)
        if throw["faces"] != expected:
            problems.append(f"Ply {throw['ply']} shows {throw['faces']} where {expected} must fall.")
    return problems


def faces(record: Record, throw: Record) -> list[int]:
    """The faces that this throw must show."""
    texts = [FORMAT, record["match"], *record["words"]]
    fields = [u32(len(text.encode())) + text.encode() for text in texts]
    fields.insert(2, u32(len(record["words"])))
    message = b"".join([*fields, u32(throw["ply"]), u32(throw["count"]), u32(throw["sides"])])
    fair = 256 - 256 % throw["sides"]
    fallen = (byte % throw["sides"] + 1 for byte in stream(record["secret"].encode(), message) if byte < fair)
    return list(islice(fallen, throw["count"]))


def stream(key: bytes, message: bytes) -> Iterator[int]:
    """The bytes that dice are drawn from: HMAC-SHA256 of `message` and a counter, without end."""
    for block in count():
        yield from hmac.new(key, message + u32(block), hashlib.sha256).digest()


def u32(number: int) -> bytes:
    """`number` as four bytes, big-endian."""
    return number.to_bytes(4, "big")


def describe(record: Record, noted: bool) -> None:
    """Say what was found to be right, and what the reader should compare."""
    say(f"Match {record['match']!r}: all {len(record['throws'])} throws are as promised.")
    if not noted:
        say(f"Compare with the promise shown before the first throw: {record['commitment']}")
    for seat, words in enumerate(record["words"]):
        say(f"Seat {seat + 1} added " + (f"the words {words!r}." if words else "no words."))


def say(line: str) -> None:
    """Print a line."""
    sys.stdout.write(line + "\n")


if __name__ == "__main__":
    # A console that cannot print a letter must not abort the check.
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    sys.exit(main(sys.argv[1:]))
