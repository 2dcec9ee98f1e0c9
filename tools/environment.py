"""Make .venv hold exactly what a requirements file pins: `environment.py requirements.txt`.

Runs on a bare Python with the standard library only, and takes a few milliseconds if nothing changed: a stamp
in .venv records the requirements it was made from.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
LOG = VENV / "install.log"
INCLUDES = {"requirements.txt": [], "requirements-dev.txt": ["requirements.txt"]}
"""Other pins that a file includes, so that `make run` after `make test` installs nothing."""


def main(name: str) -> None:
    """Create .venv if necessary, and install requirements file `name` if it changed."""
    if stamp(name).exists() and stamp(name).read_text() == digest(name) and PYTHON.exists():
        return
    if not works():
        create()
    install(name)
    for done in (name, *INCLUDES[name]):
        stamp(done).write_text(digest(done))


def stamp(name: str) -> Path:
    return VENV / f"{name}.installed"


def digest(name: str) -> str:
    return hashlib.sha256((ROOT / name).read_bytes()).hexdigest()


def works() -> bool:
    """Whether .venv has a working Python with pip: not if a Python was removed or an attempt failed."""
    return PYTHON.exists() and run([str(PYTHON), "-m", "pip", "--version"]).returncode == 0


def create() -> None:
    """Create a new .venv with the running Python."""
    if importlib.util.find_spec("ensurepip") is None:
        add_venv_module()
    made = run([sys.executable, "-m", "venv", "--clear", str(VENV)])
    if made.returncode:
        sys.exit(f"Python could not make the environment {VENV}: {last_words(made)}")


def add_venv_module() -> None:
    """Install the separate `venv` package of Debian and Ubuntu."""
    package = f"python3.{sys.version_info.minor}-venv"
    apt = shutil.which("apt-get")
    if apt is None or os.geteuid() != 0:
        sys.exit(f"This Python cannot make environments: install its venv module (apt install {package}).")
    say(f"Installing {package}.")
    run([apt, "update", "-q"])
    added = run([apt, "install", "-q", "-y", "--no-install-recommends", package])
    if added.returncode:
        sys.exit(f"This Python cannot make environments without {package}, but apt said: {last_words(added)}")


def install(name: str) -> None:
    """Install the pins of `name`; every file must match one of its hashes."""
    say(f"Installing the packages of {name}; only the first time takes a minute or two.")
    quietly = ["--no-input", "--disable-pip-version-check", "--progress-bar=off"]
    pinned = ["--require-hashes", "--requirement", str(ROOT / name)]
    done = run([str(PYTHON), "-m", "pip", "install", *quietly, *pinned])
    LOG.write_text(done.stdout)
    if done.returncode:
        sys.exit(
            f"pip could not install {name}; is this computer online? It said: {last_words(done)} "
            f"(the rest is in {LOG.relative_to(ROOT)})"
        )


def run(command: list[str]) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    return subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=environment,
        check=False,
    )


def last_words(done: subprocess.CompletedProcess[str]) -> str:
    """The last line that contains an error, or else the last line."""
    lines = [line.strip() for line in done.stdout.splitlines() if line.strip()] or ["nothing"]
    errors = [line for line in lines if line.upper().startswith(("ERROR:", "E:"))]
    return (errors or lines)[-1]


def say(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


if __name__ == "__main__":
    try:
        main(sys.argv[1])
    except KeyboardInterrupt:
        sys.exit("Stopped. Run the same command again to go on.")
    except OSError as error:
        sys.exit(f"The environment {VENV} could not be made: {error}")
