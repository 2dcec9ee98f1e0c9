"""`make test`: provide what the tests need, then run all of them, and say at the end what came of it.

With REQUIRE_ALL=1 nothing may be skipped: a missing program or a skipped test is a failure.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

from tools.install import nothing_may_be_skipped, provide
from tools.programs import chromium, node

ROOT = Path(__file__).resolve().parent.parent
BESIDE = "browser"
"""The part that runs while the others do."""
CLOSING = re.compile(r"\d+ (passed|failed|error)|^\S (pass|fail) [1-9]")
"""The lines in which pytest and Node say how many tests there were."""


@dataclass(frozen=True, slots=True)
class Result:
    """What came of one part of the tests; `words` is how it closed."""

    name: str
    passed: bool
    seconds: float
    words: str


def parts() -> dict[str, list[str]]:
    """The command of each part that can run here.

    Playwright and the tests written with asyncio each want the event loop of the process, so the
    browser has a run of its own. It goes on beside the others, which wait a good deal, and takes the
    processor when they leave it.
    """
    pytest = [sys.executable, "-m", "pytest", "-q", "--dist", "worksteal", "-n"]
    found = {
        "checks": [sys.executable, "-m", "tools.check"],
        # Many of these wait for a server, a flag or a rest, and leave the processor to others.
        "tests": [*pytest, "3", "--ignore=tests/browser", "tests"],
    }
    engine, scripts = node(), sorted(str(path) for path in Path("tests/js").glob("**/*.test.*js"))
    if engine and scripts:
        found["modules"] = [engine, "--test", "--test-reporter=spec", *scripts]
    if chromium():
        found["browser"] = ["nice", "-n", "5", *pytest, "3", "tests/browser"]
    return found


def run(name: str, command: list[str], show: Callable[[str], object]) -> Result:
    """Run one part, showing what it says as it says it."""
    show(f"\n== {name}\n")
    began, words = time.monotonic(), ""
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        for line in process.stdout or ():
            show(line)
            words = line.strip(" =\n") if CLOSING.search(line) else words
    return Result(name, process.returncode == 0, time.monotonic() - began, words)


def run_all(commands: dict[str, list[str]]) -> list[Result]:
    """Run the parts, the browser's beside the others; what it says is shown once they are done."""
    said: SimpleQueue[str | None] = SimpleQueue()
    beside = {name: command for name, command in commands.items() if name == BESIDE}
    with ThreadPoolExecutor(1) as thread:
        under_way = [thread.submit(run, name, command, said.put) for name, command in beside.items()]
        results = [run(name, command, show) for name, command in commands.items() if name not in beside]
        for each in under_way:
            each.add_done_callback(lambda _: said.put(None))
            for line in iter(said.get, None):
                show(line)
            results.append(each.result())
    return results


def show(line: str) -> None:
    """Show a line as soon as it is there."""
    print(line, end="", flush=True)


def main() -> int:
    os.chdir(ROOT)
    require_all = nothing_may_be_skipped()
    absent = provide()
    if absent and require_all:
        names = ", ".join(program.name for program in absent)
        print(f"Nothing may be skipped, but these could not be found or installed: {names}.")
        return 1
    os.environ["PARLOUR_REQUIRE_ALL"] = "1" if require_all else "0"
    # In the environment, since Node runs every file of tests in a process of its own.
    os.environ["NODE_OPTIONS"] = f"--import={(ROOT / 'tests/js/like_a_browser.js').as_uri()}"
    # Hundreds of processes load the same modules: they are compiled once, whatever the shell prefers.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    # Once, and not by every process of a parallel run at the same time.
    subprocess.run([sys.executable, "-m", "games.computers.thinking"], check=True)
    results = run_all(parts())
    print()
    for result in results:
        verdict = "passed" if result.passed else "FAILED"
        print(f"{result.name:8} {verdict} in {result.seconds:.0f} s  {result.words}".rstrip())
    return 0 if all(result.passed for result in results) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("Stopped.")
