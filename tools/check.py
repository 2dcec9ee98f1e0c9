"""`make check`: all checks of the code except its tests."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from tools.install import nothing_may_be_skipped, say
from tools.programs import node

ROOT = Path(__file__).resolve().parent.parent
# The settings of a public server, for Django's deployment checks.
PRODUCTION = {
    "SECRET_KEY": secrets.token_urlsafe(48),
    "DEBUG": "0",
    "HTTPS": "1",
    "ALLOWED_HOSTS": "parlour.example",
    "TRUSTED_ORIGINS": "https://parlour.example",
}
MODULES = ROOT / "node_modules"
LINTED = ("eslint.config.js", "static", "tests/js", "tests/data/fifth_game/static")
"""Named explicitly: the root also contains folders with third-party scripts, such as the environment."""


@dataclass(frozen=True, slots=True)
class Check:
    """A command that succeeds if the check passes; its output is hidden unless it `speaks`."""

    name: str
    command: list[str]
    environment: dict[str, str] = field(default_factory=dict)
    speaks: bool = False

    def passes(self) -> bool:
        """Run it. The output is shown only on failure."""
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
        if done.returncode or (self.speaks and done.stdout.strip()):
            print(done.stdout.rstrip() if self.speaks else done.stdout, flush=True)
        return done.returncode == 0


def checks() -> list[Check]:
    """All checks except those of the scripts, the fast ones first."""
    manage = python("manage.py")
    deployed = [*manage, "check", "--deploy", "--fail-level", "WARNING"]
    return [
        Check("format", python("-m", "ruff", "format", "--check", ".")),
        Check("lint", python("-m", "ruff", "check", ".")),
        # Lint only: its formatter adds visible white space, around links and in titles.
        Check("templates", python("-m", "djlint", "templates", "--lint", "--quiet")),
        Check("settings for the public", deployed, PRODUCTION),
        Check("migrations", [*manage, "makemigrations", "--check", "--dry-run"], PRODUCTION),
        Check("imports", [str(Path(sys.executable).with_name("lint-imports")), "--no-logo", "--no-cache"]),
        Check("types", python("-m", "mypy")),
        Check("known weaknesses of the packages", python("-m", "tools.audit"), speaks=True),
    ]


def scripts() -> list[Check]:
    """Lint and types of the browser modules; none without Node or the packages of package-lock.json."""
    engine = node()
    if engine is None or not (MODULES / "eslint").is_dir():
        return []
    return [
        Check("lint of the scripts", [engine, str(MODULES / "eslint/bin/eslint.js"), *LINTED]),
        Check("types of the scripts", [engine, str(MODULES / "typescript/bin/tsc")]),
    ]


def python(*arguments: str) -> list[str]:
    """The command that runs this Python with `arguments`."""
    return [sys.executable, *arguments]


def main() -> int:
    """Run all checks and return the exit code."""
    of_scripts = scripts()
    if not of_scripts:
        say("The types and the lint of the browser modules are skipped: they need Node 18.19 and npm.")
        if nothing_may_be_skipped():
            return 1
    # Run all of them: one failure should not hide the next.
    passed = [check.passes() for check in [*checks(), *of_scripts]]
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
