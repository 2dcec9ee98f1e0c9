"""`make drills`: run all fault injection tests, check the results, and write docs/explanation/reliability.md.

`python -m bench.fault_injection kill flood` runs only those whose names contain one of the words, and writes
nothing. With `--write` before the words, it updates their rows in the page.
"""

from __future__ import annotations

import os
import platform
import sys
import time
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import django

from tools.harness.servers import parlour_environment

os.environ.update(parlour_environment(DATABASE_URL="sqlite://:memory:", REDIS_URL=""))
# Models can be imported only once Django is set up.
django.setup()

from bench.fault_injection.drills import DRILLS, Drill, Report  # noqa: E402
from bench.fault_injection.environments import Environment  # noqa: E402

PAGE = Path(__file__).resolve().parents[2] / "docs" / "explanation" / "reliability.md"
BEGIN, END = "<!-- measured -->\n", "<!-- end -->\n"


def main() -> int:
    words = sys.argv[1:]
    writes = not words or words[0] == "--write"
    words = words[1:] if writes else words
    chosen = [each for each in DRILLS if not words or any(word in each.name for word in words)]
    with closing(Environment()) as environment:
        reports = [perform(each, environment) for each in chosen]
    if writes:
        write(reports)
    return 1 if any(report.breaches for report in reports) else 0


def perform(drill: Drill, environment: Environment) -> Report:
    """Run one test and print its result at once."""
    report, began = Report(drill.name, drill.shape), time.monotonic()
    try:
        drill.run(environment, report)
    except Exception as error:
        # A test that cannot run here must not stop the others.
        report.breaches.append(f"not run: {type(error).__name__}: {error}")
    sys.stdout.write(f"{line(report)} ({time.monotonic() - began:.0f} s)\n")
    sys.stdout.writelines(f"    {breach}\n" for breach in report.breaches[:20])
    sys.stdout.flush()
    return report


def line(report: Report) -> str:
    """A row of the table."""
    verdict = "pass" if not report.breaches else f"**{len(report.breaches)} breaches**"
    return f"| {report.name} | {report.shape} | {'; '.join(report.figures)} | {verdict} |"


def write(reports: list[Report]) -> None:
    """Replace the table of the page and keep its text."""
    before, rest = PAGE.read_text().split(BEGIN)
    after = rest.split(END)[1]
    machine = f"{os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"
    told = f"Measured on {datetime.now(UTC):%Y-%m-%d} with {machine}."
    rows = {row_of(known): known for known in before_and_now(rest.split(END)[0], reports)}
    ordered = "\n".join(rows[each.name, each.shape] for each in DRILLS if (each.name, each.shape) in rows)
    table = f"{told}\n\n| fault | setup | result | verdict |\n|---|---|---|---|\n{ordered}\n"
    PAGE.write_text(f"{before}{BEGIN}\n{table}\n{END}{after}")


def before_and_now(table: str, reports: list[Report]) -> list[str]:
    """The rows of the page, followed by those of this run, which replace them."""
    return [*(row for row in table.splitlines() if row.startswith("| ")), *map(line, reports)]


def row_of(row: str) -> tuple[str, str]:
    """The name and the setup of the test in a row."""
    name, shape = row.removeprefix("| ").split(" | ")[:2]
    return name, shape


if __name__ == "__main__":
    sys.exit(main())
