"""`make check`: everything that can be said about the code without running its tests."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from tools.programs import node

ROOT = Path(__file__).resolve().parent.parent
# What a public server sets. Django's own checks judge the settings that come of it.
PRODUCTION = {
    "SECRET_KEY": secrets.token_urlsafe(48),
    "DEBUG": "0",
    "HTTPS": "1",
    "ALLOWED_HOSTS": "parlour.example",
    "TRUSTED_ORIGINS": "https://parlour.example",
}


@dataclass(frozen=True, slots=True)
class Check:
    """A command that succeeds, in silence, when all is well."""

    name: str
    command: list[str]
    environment: dict[str, str] = field(default_factory=dict)

    def passes(self) -> bool:
        """Run it; what it has to say is shown only when it fails."""
        done = subprocess.run(
            self.command,
            cwd=ROOT,
            env={**os.environ, **self.environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        print(f"{'ok    ' if done.returncode == 0 else 'FAILED'}  {self.name}", flush=True)
        if done.returncode:
            print(done.stdout, flush=True)
        return done.returncode == 0


def checks() -> list[Check]:
    """All checks, the quick ones first."""
    manage = python("manage.py")
    deployed = [*manage, "check", "--deploy", "--fail-level", "WARNING"]
    return [
        Check("format", python("-m", "ruff", "format", "--check", ".")),
        Check("lint", python("-m", "ruff", "check", ".")),
        *scripts(),
        # Not its format: that puts white space where it shows, around links and into titles.
        Check("templates", python("-m", "djlint", "templates", "--lint", "--quiet")),
        Check("settings for the public", deployed, PRODUCTION),
        Check("migrations", [*manage, "makemigrations", "--check", "--dry-run"], PRODUCTION),
        Check("types", python("-m", "mypy")),
    ]


def scripts() -> list[Check]:
    """The browser's modules parse."""
    engine = node()
    files = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "static").rglob("*.js"))
    if engine is None or not files:
        return []
    parse_each = 'for file; do "$NODE" --check "$file" || exit 1; done'
    return [Check("scripts", ["sh", "-c", parse_each, "sh", *files], {"NODE": engine})]


def python(*arguments: str) -> list[str]:
    return [sys.executable, *arguments]


def main() -> int:
    # All of them: one failure should not hide the next.
    passed = [check.passes() for check in checks()]
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
