"""Make node_modules hold exactly what package-lock.json pins: linters and type checkers for the browser
modules.

For development only. A stamp records the pins it was made from, so that it costs nothing if nothing changed.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from tools.environment import run, say
from tools.programs import node, npm

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "package-lock.json"
STAMP = ROOT / "node_modules" / "installed"


class Unavailable(Exception):
    """The packages are not installed; the message is a sentence."""


def provide() -> None:
    """Install the packages if the pins have changed. Raises `Unavailable`."""
    if node() is None:
        raise Unavailable("there is no Node 18.19 here.")
    wanted = hashlib.sha256(LOCK.read_bytes()).hexdigest()
    if STAMP.exists() and STAMP.read_text() == wanted:
        return
    command = npm()
    if command is None:
        raise Unavailable("there is no npm here to install what checks them.")
    say(f"Installing the packages of {LOCK.name}; only the first time takes a moment.")
    done = run([command, "ci", "--prefix", str(ROOT)])
    if done.returncode:
        raise Unavailable(f"npm could not install what checks them: {reason(done.stdout)}")
    STAMP.write_text(wanted)


def reason(output: str) -> str:
    """npm's first error line that is a sentence and no code."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [
        line.split(maxsplit=2)[-1] for line in lines if line.lower().startswith(("npm error", "npm err!"))
    ]
    sentences = [error for error in errors if not error.startswith(("code ", "errno ", "syscall "))]
    return (sentences or lines or ["it did not say why."])[0]
