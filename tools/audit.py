"""What is known of weaknesses in the packages that Parlour runs on, asked of PyPI's list of advisories."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# The packages of the tests are those that are served, and some more.
PINS = "requirements-dev.txt"
PATIENCE = 120
"""Seconds for all of them together."""


class Unreachable(Exception):
    """Nothing could be asked: there is no way to the list from here."""


def weaknesses() -> list[str]:
    """One line for each package with a known weakness, or of which nothing could be said.

    Raises:
        Unreachable: nothing at all was answered.
    """
    command = [sys.executable, "-m", "pip_audit", "--requirement", PINS, "--require-hashes", "--disable-pip"]
    quietly = ["--format", "json", "--progress-spinner", "off", "--timeout", "10"]
    try:
        done = subprocess.run(
            [*command, *quietly], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE, check=False
        )
    except subprocess.TimeoutExpired:
        raise Unreachable(f"no answer in {PATIENCE} seconds") from None
    return read(done.stdout, done.stderr)


def read(report: str, complaints: str) -> list[str]:
    """The lines that a report of pip-audit comes to; `complaints` are what it said beside it.

    Raises `Unreachable`.
    """
    try:
        packages = json.loads(report)["dependencies"]
    except ValueError:
        last = complaints.strip().splitlines()[-1:] or ["pip-audit said nothing"]
        raise Unreachable(last[0][:200]) from None
    unknown = [package for package in packages if "skip_reason" in package]
    if unknown and len(unknown) == len(packages):
        # Mirrors have packages, and seldom the pages of their versions, where the advisories stand.
        raise Unreachable(f"what answers for PyPI here has no advisories on any of the {len(packages)}")
    return [
        *(f"{package['name']}: {package['skip_reason']}" for package in unknown),
        *(_in_words(package, each) for package in packages for each in package.get("vulns", ())),
    ]


def _in_words(package: dict[str, str], weakness: dict[str, list[str] | str]) -> str:
    mended = ", ".join(weakness["fix_versions"]) or "no version yet"
    return f"{package['name']} {package['version']}: {weakness['id']}, mended by {mended}"


def main() -> int:
    """Print what is known; 1 where something is, or with AUDIT=strict where nothing could be compared."""
    try:
        found = weaknesses()
    except Unreachable as reason:
        print(f"The packages are not compared with known weaknesses: {reason}")
        return 1 if os.environ.get("AUDIT") == "strict" else 0
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
