"""Install locked packages with their hashes: `python -m tools.packages requirements.txt`.

uv does that in a tenth of the time of pip, which installs uv first. Where there is no uv for this computer,
or it fails, pip installs the packages. Needs nothing but Python, as it runs before anything is installed.
"""

from __future__ import annotations

import ast
import filecmp
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tools.progress import step

ROOT = Path(__file__).resolve().parent.parent
INSTALLER = ROOT / "requirements-uv.txt"
PIP = (sys.executable, "-m", "pip")
PIP_INSTALL = (*PIP, "install", "-qq", "--no-input", "--disable-pip-version-check", "--require-hashes")
SECTIONS = ("global", "install", ":env:")
"""Where pip keeps the options of `install`; later ones take precedence."""
UV_NAMES = {
    "index-url": "UV_DEFAULT_INDEX",
    "extra-index-url": "UV_INDEX",
    "no-index": "UV_NO_INDEX",
    "trusted-host": "UV_INSECURE_HOST",
    "cert": "SSL_CERT_FILE",
    "client-cert": "SSL_CLIENT_CERT",
    "proxy": "ALL_PROXY",
    "timeout": "UV_HTTP_TIMEOUT",
}
"""uv does not read the configuration of pip: by option, the variable that says the same to uv."""


def main(names: list[str]) -> int:
    """Install what the files pin, unless it is installed already; the exit code."""
    for name in names:
        pins = ROOT / name
        # A copy of the pins that are installed.
        installed = ROOT / ".venv" / name
        if installed.exists() and filecmp.cmp(pins, installed, shallow=False):
            continue
        with step(f"Installing the packages of {name}"):
            code = install(pins)
        if code:
            return code
        shutil.copy(pins, installed)
    return 0


def install(pins: Path) -> int:
    """Install what a file pins with uv, or else with pip, which says what is wrong; its exit code."""
    if _with_uv(pins):
        return 0
    return subprocess.run([*PIP_INSTALL, "--requirement", str(pins)], check=False).returncode


def uv_environment(configuration: str, environment: Mapping[str, str]) -> dict[str, str]:
    """The variables that uv runs with.

    Args:
        configuration: what `pip config list` prints.
        environment: the variables that are set; those that uv reads take precedence.
    """
    options: dict[str, str] = {}
    lines = dict(line.split("=", 1) for line in configuration.splitlines() if "=" in line)
    for section in SECTIONS:
        for name, value in lines.items():
            if name.startswith(f"{section}."):
                option = name.removeprefix(f"{section}.").removeprefix("default-")
                options[option] = " ".join(str(ast.literal_eval(value)).split())
    found = {UV_NAMES[option]: value for option, value in options.items() if option in UV_NAMES}
    if "find-links" in options:
        found["UV_FIND_LINKS"] = options["find-links"].replace(" ", ",")
    # As pip: any index may have a package, since its hash is known.
    found["UV_INDEX_STRATEGY"] = "unsafe-best-match"
    return {**found, **environment}


def _with_uv(pins: Path) -> bool:
    """Whether uv is here and installed what a file pins."""
    if importlib.util.find_spec("uv") is None:
        # A computer without a wheel of uv would compile it for many minutes.
        only_wheel = [*PIP_INSTALL, "--only-binary", ":all:", "--requirement", str(INSTALLER)]
        if subprocess.run(only_wheel, capture_output=True, check=False).returncode:
            return False
    told = subprocess.run([*PIP, "config", "list"], capture_output=True, text=True, check=False)
    command = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--python", sys.executable]
    done = subprocess.run(
        [*command, "--require-hashes", "--requirement", str(pins)],
        env=uv_environment(told.stdout, os.environ),
        capture_output=True,
        check=False,
    )
    return done.returncode == 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
