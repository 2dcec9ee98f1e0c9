"""Checks the pinned packages for known vulnerabilities in PyPI's advisories."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# The pins of the tests include those of the server.
PINS = "requirements-dev.txt"
PATIENCE = 120
"""Seconds for all packages together."""


class Unreachable(Exception):
    """The advisories cannot be reached from here."""


def weaknesses() -> list[str]:
    """One line for each package that has a known vulnerability or could not be checked.

    Raises:
        Unreachable: no package could be checked.
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
    """The result lines of a pip-audit report; `complaints` is its stderr.

    Raises `Unreachable`.
    """
    try:
        packages = json.loads(report)["dependencies"]
    except ValueError:
        last = complaints.strip().splitlines()[-1:] or ["pip-audit said nothing"]
        raise Unreachable(last[0][:200]) from None
    unknown = [package for package in packages if "skip_reason" in package]
    if unknown and len(unknown) == len(packages):
        # Mirrors serve packages, but seldom the release pages with the advisories.
        raise Unreachable(f"what answers for PyPI here has no advisories on any of the {len(packages)}")
    return [
        *(f"{package['name']}: {package['skip_reason']}" for package in unknown),
        *(_in_words(package, each) for package in packages for each in package.get("vulns", ())),
    ]


def _in_words(package: dict[str, str], weakness: dict[str, list[str] | str]) -> str:
    mended = ", ".join(weakness["fix_versions"]) or "no version yet"
    return f"{package['name']} {package['version']}: {weakness['id']}, mended by {mended}"


def main() -> int:
    """Print the result.

    Exit code 1 for a known vulnerability, or with AUDIT=strict if nothing could be checked.
    """
    try:
        found = weaknesses()
    except Unreachable as reason:
        print(f"The packages are not compared with known weaknesses: {reason}")
        return 1 if os.environ.get("AUDIT") == "strict" else 0
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
