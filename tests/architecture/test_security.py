"""The fuzzer covers every header that the server trusts and every kind of message."""

from __future__ import annotations

import re

from tests.helpers import fuzz
from tests.helpers.onlookers import SPOKEN, spoken_at
from tools.harness.services import ROOT


def test_every_trusted_header_is_fuzzed() -> None:
    text = (ROOT / "docs" / "explanation" / "security.md").read_text()
    part = text.partition("## Trusted headers\n")[2].partition("\n## ")[0]
    cells = [line.split(" | ")[0] for line in part.splitlines() if line.startswith("| `")]
    listed = [name for cell in cells for name in re.findall(r"`([A-Z][\w-]+)", cell)]
    assert len(listed) > 30
    missing = [name for name in listed if not any(sent.startswith(name) for sent in fuzz.HEADERS)]
    assert missing == []


def test_every_kind_of_message_is_fuzzed() -> None:
    declared = {kind for address in SPOKEN for kind in spoken_at(address)}
    assert declared <= set(fuzz.MESSAGES)
