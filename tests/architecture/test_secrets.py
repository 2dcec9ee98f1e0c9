"""No secret is in the repository: none that scanners know by its form, and none that looks like one."""

import math
import re
from collections import Counter

from tests.architecture.test_packaging import delivered
from tools.harness.services import ROOT

KNOWN = re.compile(
    r"-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----"
    r"|\bAKIA[0-9A-Z]{16}\b"
    r"|\bgh[pousr]_[A-Za-z0-9]{36}\b|\bgithub_pat_\w{60}"
    r"|\bglpat-[\w-]{20}\b"
    r"|\bxox[abprs]-[\w-]{10}"
    r"|\bsk_live_\w{20}|\bAIza[\w-]{35}\b"
    r"|\bprl_[\w-]{43}\b"
    r"|\bpypi-[\w-]{50}|\bnpm_[A-Za-z0-9]{36}\b"
)
"""Keys and tokens of others, and our own."""
NAMED = re.compile(r"(?i)(?:secret|passw(?:or)?d|token|api_?key)\w*[\"']?\s*[:=]\s*[\"']?([\w+/=-]{24,})")
"""Something long behind a name that says what it is."""
RANDOM = 4.0
"""Bits a character, above which a text is no words: hexadecimal digits have 4 at most, base 64 has 6."""
OF_TESTS = ("tests/",)
"""What is below has keys of its own, made up and good for nothing, though none that scanners know."""


def secrets_in(text, made_up=False):
    """What in a text is a secret, or may be one."""
    found = KNOWN.findall(text)
    if not made_up:
        found += [value for value in NAMED.findall(text) if _entropy(value) > RANDOM]
    return found


def _entropy(text):
    shares = [count / len(text) for count in Counter(text).values()]
    return -sum(share * math.log2(share) for share in shares)


def test_no_file_has_one():
    found = {}
    for path in delivered():
        name = path.relative_to(ROOT).as_posix()
        text = path.read_bytes().decode(errors="replace")
        if some := secrets_in(text, made_up=name.startswith(OF_TESTS)):
            found[name] = some
    assert found == {}


def test_the_environment_of_the_host_is_none_of_them():
    names = {path.name for path in delivered()}
    assert not {".env", ".pypirc", ".netrc", "id_rsa", "id_ed25519"} & names
    assert not [name for name in names if name.endswith((".pem", ".key", ".p12", ".sqlite3", ".dump"))]
