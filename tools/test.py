"""`make test`: install what the tests need, run all of them, and summarise the outcome.

With REQUIRE_ALL=1 nothing may be skipped: a missing program or a skipped test is a failure.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue

from tools import speed
from tools.install import nothing_may_be_skipped, provide
from tools.programs import chromium, node, postgres_bin

ROOT = Path(__file__).resolve().parent.parent
BESIDE = ("modules", "browser")
"""The parts that run one after the other, beside the main part."""
TESTS_FAILED = 1
"""pytest's exit code if tests failed and nothing else is wrong."""
MOST_AGAIN = 3
"""The most tests of a run that may be rerun."""
CLOSING = re.compile(r"\d+ (passed|failed|error)|^\S (pass|fail) [1-9]")
"""The summary lines of pytest and Node."""
# The tests of a file run in one process, and files start in the order of tests/conftest.py.
PYTEST = [sys.executable, "-m", "pytest", "-q", "-p", "tools.outcomes"]
PARALLEL = ["--dist", "loadfile", "--no-loadscope-reorder", "-n"]

_running: set[subprocess.Popen[str]] = set()


@dataclass(slots=True)
class Result:
    """The outcome of one part of the tests.

    Attributes:
        code: exit code of its command.
        words: its summary line.
        seconds: wall-clock time.
        processor_seconds: of all its processes.
        failed: by test whether it may be rerun.
        files: seconds by file.
        killed: processes that did not end by themselves.
    """

    name: str
    code: int
    words: str
    seconds: float
    processor_seconds: float = 0
    failed: dict[str, bool] = field(default_factory=dict)
    files: dict[str, float] = field(default_factory=dict)
    killed: list[str] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        """Whether the command exited with 0."""
        return self.code == 0


def parts() -> dict[str, list[str]]:
    """The command of each part that can run here.

    Playwright and the asyncio tests each need the event loop of the process, so the browser tests have a run
    of their own. It runs beside the others, which often wait, and uses the idle processor.
    """
    found = {
        "checks": [sys.executable, "-m", "tools.check"],
        # Many of these wait for a server, a flag or a timeout, and leave the processor idle.
        "tests": [*PYTEST, *PARALLEL, "3", "--ignore=tests/browser", "tests"],
    }
    engine, scripts = node(), sorted(str(path) for path in Path("tests/js").glob("**/*.test.*js"))
    if engine and scripts:
        found["modules"] = [engine, "--test", "--test-reporter=spec", *scripts]
    if chromium():
        found["browser"] = ["nice", "-n", "5", *PYTEST, *PARALLEL, "2", "tests/browser"]
    return found


def run(name: str, command: list[str], show: Callable[[str], object]) -> Result:
    """Run one part and stream its output."""
    show(f"\n== {name}\n")
    began, words = time.monotonic(), ""
    with tempfile.TemporaryDirectory() as directory:
        report, outcomes = Path(directory) / "report", Path(directory) / "outcomes"
        with subprocess.Popen(
            [sys.executable, "-m", "tools.supervise", str(report), *command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "PARLOUR_OUTCOMES": str(outcomes)},
        ) as process:
            _running.add(process)
            for line in process.stdout or ():
                show(line)
                words = line.strip(" =\n") if CLOSING.search(line) else words
        _running.remove(process)
        result = Result(name, process.returncode, words, time.monotonic() - began)
        if report.exists():
            told = json.loads(report.read_text())
            result.processor_seconds, result.killed = told["seconds"], told["killed"]
        if outcomes.exists():
            told = json.loads(outcomes.read_text())
            result.failed, result.files = told["failed"], told["seconds"]
    return result


def run_all(commands: dict[str, list[str]]) -> list[Result]:
    """Run the parts, some in parallel; the output of these is shown afterwards."""
    said: SimpleQueue[str | None] = SimpleQueue()
    beside = {name: command for name, command in commands.items() if name in BESIDE}
    with ThreadPoolExecutor(1) as thread:
        under_way = [thread.submit(run, name, command, said.put) for name, command in beside.items()]
        results = [run(name, command, show) for name, command in commands.items() if name not in beside]
        for each in under_way:
            each.add_done_callback(lambda _: said.put(None))
            for line in iter(said.get, None):
                show(line)
            results.append(each.result())
    return results


def run_again(results: list[Result]) -> list[str]:
    """Rerun tests that failed in processes of their own, with nothing beside them; returns them.

    A busy second does not fail a run that way, and a race is still seen.
    """
    again = {
        each.name: list(each.failed)
        for each in results
        if each.code == TESTS_FAILED and each.failed and all(each.failed.values())
    }
    tests = [test for failed in again.values() for test in failed]
    if len(tests) > MOST_AGAIN:
        return []
    for result in results:
        if result.name in again:
            second = run(f"{result.name} once more", [*PYTEST, "-n", "0", *again[result.name]], show)
            result.code = second.code
            result.processor_seconds += second.processor_seconds
    return tests


@contextlib.contextmanager
def shared_postgres() -> Iterator[None]:
    """One PostgreSQL for all test processes, instead of one for each."""
    # Shared fixtures are made once, not in each process at the same time.
    subprocess.run([sys.executable, "-m", "tools.harness.prepared"], check=True)
    directory = postgres_bin()
    if directory is None:
        yield
        return
    # This imports packages that are installed only now.
    from tools.harness.prepared import postgres_archive
    from tools.harness.services import Postgres

    postgres = Postgres(directory, archive=postgres_archive()).start()
    os.environ["PARLOUR_POSTGRES_PORT"] = str(postgres.port)
    try:
        yield
    finally:
        postgres.discard()


def show(line: str) -> None:
    """Print a line and flush."""
    print(line, end="", flush=True)


def summary(results: list[Result], again: list[str]) -> str:
    """The last lines: outcome and cost of each part, the slowest files, the reruns, and the cost of all."""
    lines = [""]
    for each in results:
        verdict = "passed" if each.passed else "FAILED"
        cost = f"in {each.seconds:.0f} s, {each.processor_seconds:.0f} s of processor"
        lines.append(f"{each.name:8} {verdict} {cost}  {each.words}".rstrip())
        lines += [f"  did not end and was killed: {command[:120]}" for command in each.killed]
    files = sum((Counter(each.files) for each in results), Counter())
    lines.append("The dearest files, by the clock:")
    lines += [f"{seconds:6.0f} s  {file}" for file, seconds in files.most_common(10)]
    lines += [f"ran once more, alone: {test}" for test in again]
    # Includes PostgreSQL and the fixtures.
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    lines.append(comparable(used.ru_utime + used.ru_stime))
    return "\n".join(lines)


def comparable(used: float) -> str:
    """The processor time of all, and that of fixed work on this machine, by which runs can be compared."""
    fixed = speed.seconds()
    return f"{used:.0f} s of processor in all, {used / fixed:,.0f} times the {fixed:.3f} s of tools/speed.py."


def main() -> int:
    """Run everything and return the exit code."""
    os.chdir(ROOT)
    require_all = nothing_may_be_skipped()
    absent = provide()
    if absent and require_all:
        names = ", ".join(program.name for program in absent)
        print(f"Nothing may be skipped, but these could not be found or installed: {names}.")
        return 1
    os.environ["PARLOUR_REQUIRE_ALL"] = "1" if require_all else "0"
    # In the environment, since Node runs every test file in a process of its own.
    os.environ["NODE_OPTIONS"] = f"--import={(ROOT / 'tests/js/like_a_browser.js').as_uri()}"
    # Hundreds of processes load the same modules: compile them once, whatever the shell prefers.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    # Once, and not in every process of a parallel run.
    subprocess.run([sys.executable, "-m", "games.computers.thinking"], check=True)
    # For the tests of modules, which read them in many processes.
    subprocess.run([sys.executable, "-m", "tests.helpers.rendered_pages"], check=True)
    # Node and npm may be here only now.
    subprocess.run(["make", "--no-print-directory", "scripts"], check=False)
    with shared_postgres():
        results = run_all(parts())
        again = run_again(results)
    print(summary(results, again))
    return 0 if all(result.passed for result in results) else 1


def stop(*_: object) -> None:
    """End every part and all its processes; `run` waits for that."""
    for process in list(_running):
        process.terminate()
    sys.exit("Stopped.")


if __name__ == "__main__":
    signal.signal(signal.SIGINT, stop)
    signal.signal(signal.SIGTERM, stop)
    sys.exit(main())
