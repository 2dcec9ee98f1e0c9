"""`make lock`: pin the newest packages that requirements*.in allow, with the hash of every file."""

import json
import subprocess
import sys

from tools.node_packages import LOCK, ROOT
from tools.programs import npm

# No header and no addresses: the pins must not depend on the machine.
COMPILE = [
    *(sys.executable, "-m", "uv", "pip", "compile", "--quiet", "--upgrade", "--generate-hashes"),
    *("--no-header", "--no-emit-index-url", "--no-emit-find-links", "--python-version", "3.11"),
]


def main() -> None:
    subprocess.run([*COMPILE, "requirements.in", "--output-file", "requirements.txt"], check=True)
    # The tests run on exactly the served versions.
    constrained = ["--constraint", "requirements.txt", "--output-file", "requirements-dev.txt"]
    subprocess.run([*COMPILE, "requirements-dev.in", *constrained], check=True)
    lock_scripts()


def lock_scripts() -> None:
    """Pin the packages that check the browser modules, without addresses."""
    command = npm()
    if command is None:
        sys.exit(f"{LOCK.name} stays as it is: there is no npm here.")
    # Without the file npm forgets its pins; .npmrc keeps registries out of it.
    LOCK.unlink(missing_ok=True)
    subprocess.run([command, "install", "--package-lock-only"], cwd=ROOT, check=True)
    lock = json.loads(LOCK.read_text())
    for package in lock["packages"].values():
        package.pop("funding", None)
    LOCK.write_text(json.dumps(lock, indent=2, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    try:
        main()
    except subprocess.CalledProcessError as error:
        sys.exit(error.returncode)
