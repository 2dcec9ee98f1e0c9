"""Set Parlour up and serve it: `python start.py`, with nothing but Python 3.11 or newer.

The same as `make run`, for computers without make: Windows, macOS, Linux.
`python start.py --host 0.0.0.0` lets others on your network in, `--port 9000` moves it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent
ENVIRONMENT = ROOT / ".venv"
PYTHON = ENVIRONMENT / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def main() -> None:
    """Install what is missing, and run `tools.run` with the given arguments."""
    if sys.version_info < (3, 11):  # noqa: UP036 - whoever starts it may have an older one
        sys.exit("Parlour needs Python 3.11 or newer: https://www.python.org/downloads/")
    if not PYTHON.exists():
        # A link to a Python that was removed is left behind, so the environment is made anew.
        venv.create(ENVIRONMENT, clear=True, with_pip=True)
    subprocess.run([PYTHON, "-m", "tools.packages", "requirements.txt"], cwd=ROOT, check=True)
    serve = [str(PYTHON), "-m", "tools.run", *sys.argv[1:]]
    if sys.platform == "win32":
        sys.exit(subprocess.call(serve, cwd=ROOT))
    os.chdir(ROOT)
    os.execv(serve[0], serve)


if __name__ == "__main__":
    try:
        main()
    except subprocess.CalledProcessError as error:
        # The command has said what is wrong.
        sys.exit(error.returncode)
    except KeyboardInterrupt:
        sys.exit("Stopped.")
