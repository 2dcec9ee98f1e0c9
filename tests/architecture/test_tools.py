"""What stands behind `make run`: a key, settings of containers, static files, a fresh copy that serves."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from config import address
from config.secret_key import keep_secret_key
from games.share import qr
from tests.helpers.samples import in_full
from tools import check, configure, kalah_tables, morris_tables, packages, progress, proofs, run
from tools.harness.patience import patience
from tools.harness.people import Person, guest
from tools.harness.servers import ParlourServer
from tools.harness.services import ROOT
from tools.puzzles import __main__ as puzzles

# Its checks


def test_check_without_node_skips_scripts_with_a_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(check, "node", lambda: None)
    monkeypatch.setattr(check, "checks", list)
    monkeypatch.delenv("REQUIRE_ALL", raising=False)
    assert check.main() == 0
    assert len(capsys.readouterr().err.splitlines()) == 1
    monkeypatch.setenv("REQUIRE_ALL", "1")
    assert check.main() == 1


# Tables and puzzles


@pytest.mark.parametrize(
    ("tool", "part"), [(kalah_tables, "kalaha"), (morris_tables, "six"), (puzzles, "cantstop")]
)
def test_what_makes_proofs_takes_its_parts(
    tool: ModuleType, part: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["tool", "--check", "chess"])
    with pytest.raises(SystemExit):
        tool.main()
    assert part in capsys.readouterr().err


def test_what_makes_proofs_makes_all_parts_unless_some_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["tool"])
    assert proofs.arguments("tool", None, ("nine", "six")).parts == ["nine", "six"]
    monkeypatch.setattr(sys, "argv", ["tool", "six", "--check", "--positions", "7"])
    some = proofs.arguments("tool", None, ("nine", "six"), positions=5)
    assert (some.parts, some.check, some.positions) == (["six"], True, 7)


# Its key


@pytest.fixture
def env_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / ".env"
    monkeypatch.delenv("SECRET_KEY", raising=False)
    return path


def test_a_key_is_made_for_its_owner_alone(env_file: Path) -> None:
    keep_secret_key(env_file)
    assert env_file.read_text().startswith("SECRET_KEY=")
    assert len(env_file.read_text()) > 50
    assert stat.S_IMODE(env_file.stat().st_mode) == 0o600


def test_a_key_is_made_once(env_file: Path) -> None:
    keep_secret_key(env_file)
    made = env_file.read_text()
    keep_secret_key(env_file)
    assert env_file.read_text() == made


def test_a_key_takes_the_empty_place_and_leaves_the_rest(env_file: Path) -> None:
    env_file.write_text("LOG_LEVEL=DEBUG\nSECRET_KEY=\nHTTPS=1\n")
    keep_secret_key(env_file)
    before, key, after = env_file.read_text().splitlines()
    assert (before, after) == ("LOG_LEVEL=DEBUG", "HTTPS=1")
    assert len(key) > 50


def test_a_key_of_the_environment_is_enough(env_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "from elsewhere")
    keep_secret_key(env_file)
    assert not env_file.exists()


# Its packages


def test_uv_takes_packages_from_where_pip_does() -> None:
    told = """global.extra-index-url='https://one.example/simple\\nhttps://two.example/simple'
global.index-url='https://mirror.example/simple'
global.timeout='60'
install.trusted-host='mirror.example'
:env:.cert='/etc/ssl/own.crt'
:env:.default-timeout='180'
:env:.find-links='/wheels /more'
:env:.index-url='https://user:a=b@mirror.example/simple'
"""
    assert packages.uv_environment(told, {"PATH": "/bin"}) == {
        "PATH": "/bin",
        "SSL_CERT_FILE": "/etc/ssl/own.crt",
        "UV_DEFAULT_INDEX": "https://user:a=b@mirror.example/simple",
        "UV_FIND_LINKS": "/wheels,/more",
        "UV_HTTP_TIMEOUT": "180",
        "UV_INDEX": "https://one.example/simple https://two.example/simple",
        "UV_INDEX_STRATEGY": "unsafe-best-match",
        "UV_INSECURE_HOST": "mirror.example",
    }


def test_variables_of_uv_take_precedence_over_the_configuration_of_pip() -> None:
    own = {"UV_DEFAULT_INDEX": "https://own.example/simple"}
    assert (
        packages.uv_environment("global.index-url='https://mirror.example/simple'", own).items()
        >= own.items()
    )


# The settings of its containers


@pytest.fixture
def containers_env(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / ".env"
    monkeypatch.setattr(configure, "ENV_FILE", path)
    return path


def test_one_command_writes_all_that_the_containers_require(containers_env: Path) -> None:
    configure.main(["Parlour.Example", "board@parlour.example"])
    written = dict(line.split("=") for line in containers_env.read_text().splitlines())
    compose = (ROOT / "docker-compose.yml").read_text()
    assert set(re.findall(r"\$\{(\w+):\?", compose)) | {"SECRET_KEY"} == written.keys()
    assert written["DOMAIN"] == "parlour.example"
    secret = {name: value for name, value in written.items() if re.search("KEY|PASSWORD", name)}
    assert len({*secret.values()}) == 3
    # They are part of addresses.
    assert all(re.fullmatch("[0-9a-f]{64}", value) for value in secret.values())
    assert stat.S_IMODE(containers_env.stat().st_mode) == 0o600


def test_the_passwords_of_a_site_are_never_replaced(containers_env: Path) -> None:
    containers_env.write_text("POSTGRES_PASSWORD=known\n")
    with pytest.raises(SystemExit, match="is there already"):
        configure.main(["parlour.example", "board@parlour.example"])
    assert containers_env.read_text() == "POSTGRES_PASSWORD=known\n"


@pytest.mark.parametrize(
    "arguments",
    [["https://parlour.example", "a@b.example"], ["parlour", "a@b.example"], ["parlour.example", "board"]],
)
def test_configure_invalid_arguments_refused(containers_env: Path, arguments: list[str]) -> None:
    with pytest.raises(SystemExit):
        configure.main(arguments)
    assert not containers_env.exists()


# Its static files


def test_static_files_are_collected_again_only_when_one_changed(tmp_path: Path) -> None:
    (tmp_path / "tokens.css").write_text(":root { --old: 1; }")
    before = run.fingerprint(tmp_path)
    assert run.fingerprint(tmp_path) == before
    (tmp_path / "tokens.css").write_text(":root { --other: 1; }")
    assert run.fingerprint(tmp_path) != before


# What it says


def test_step_says_how_long_it_took(capsys: pytest.CaptureFixture[str]) -> None:
    with progress.step("Doing something"):
        pass
    assert capsys.readouterr().out == "Doing something ... 0.0 s\n"


def test_step_that_fails_says_no_time(capsys: pytest.CaptureFixture[str]) -> None:
    with contextlib.suppress(OSError), progress.step("Doing something"):
        raise OSError
    assert capsys.readouterr().out == "Doing something ... \n"


def test_greeting_on_terminal_shows_qr_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(address, "lan_addresses", lambda host: ["192.168.1.20"])
    assert run.greeting("0.0.0.0", 8000) == address.announcement("0.0.0.0", 8000)
    monkeypatch.setattr(sys, "stdout", Terminal())
    first, *code, last = run.greeting("0.0.0.0", 8000).splitlines()
    assert first.startswith("For phones")
    assert code == qr.lines("http://192.168.1.20:8000/")
    assert last == address.announcement("0.0.0.0", 8000)


class Terminal(io.StringIO):
    """Standard output that is a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


# All of it


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sources as a clone has them."""
    unwanted = shutil.ignore_patterns(".*", "var", "__pycache__", "tests", "bench", "node_modules")
    clone = Path(shutil.copytree(ROOT, tmp_path_factory.mktemp("clone") / "parlour", ignore=unwanted))
    # An environment in which all packages are installed.
    python = clone / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    shutil.copy(ROOT / "requirements.txt", clone / ".venv")
    return clone


START = ("start.py", "--port", "0")
"""What `make run` does, on any free port."""
WITHOUT_COMPUTERS = {"BOT_PROCESSES": "0"}
"""For tests of anything else: the processes of computer players load for seconds."""


@contextlib.contextmanager
def started(copy: Path, *command: str, **variables: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A command of Python that serves, and what it has said until then."""
    inherited = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG")}
    # That the machine is busy, which the log tells, is none of what is asked about.
    environment = {**inherited, "LOG_LEVEL": "ERROR", **variables}
    with subprocess.Popen(
        [sys.executable, *command],
        cwd=copy,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        assert process.stdout is not None
        try:
            said = ""
            for line in process.stdout:
                said += line
                if line.startswith("Parlour is at"):
                    break
            yield process, said
        finally:
            process.kill()


def test_a_container_alone_is_a_site_that_keeps_its_key_and_its_people(
    first_start: tuple[int, str], copy: Path, tmp_path: Path
) -> None:
    """Runs what the image runs; no container engine is needed."""
    command = json.loads(re.findall(r"^CMD (.*)$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)[-1])
    assert command[0] == "python"
    visitor = None
    for _ in range(2):
        alone = {"DATA_DIR": str(tmp_path), **WITHOUT_COMPUTERS}
        with started(copy, *command[1:], "--port", "0", **alone) as (process, said):
            server = ParlourServer("", "", copy)
            server.port = int(re.findall(r"http://127\.0\.0\.1:(\d+)", said)[0])
            visitor = visitor or guest(server)
            visitor.server = server
            # The cookie of the first time is still good, so the key and the table of sessions are the same.
            assert 'data-me="' in visitor.get("/")
            process.terminate()
            process.wait(patience(30))
    assert {path.name for path in tmp_path.iterdir()} >= {".env", "parlour.sqlite3"}


def serve(copy: Path, *arguments: str) -> tuple[int, str]:
    """Start it and end it: the exit code, and all it said."""
    with started(copy, *START, *arguments) as (process, said):
        process.terminate()
        rest, _ = process.communicate(timeout=patience(30))
    return process.returncode, said + rest


@pytest.fixture(scope="module")
def first_start(copy: Path) -> tuple[int, str]:
    return serve(copy)


def test_a_fresh_copy_says_why_one_waits_and_then_serves(first_start: tuple[int, str]) -> None:
    code, said = first_start
    *steps, serving = said.splitlines()
    # The sources may bring the translations compiled.
    assert [re.sub(r"\d+\.\d s$", "", step) for step in steps][-4:] == [
        "Loading the site ... ",
        "Preparing the database ... ",
        "Bundling scripts and style sheets ... ",
        "Starting the server ... ",
    ]
    assert re.fullmatch(r"Parlour is at http://127\.0\.0\.1:\d+", serving)
    assert code == 0


def test_a_fresh_copy_gets_its_key_and_its_tables(first_start: tuple[int, str], copy: Path) -> None:
    assert (copy / ".env").exists()
    assert (copy / "var" / "parlour.sqlite3").exists()


@pytest.mark.full
def test_a_second_start_collects_nothing_again(first_start: tuple[int, str], copy: Path) -> None:
    manifest = copy / "var" / "static" / "staticfiles.json"
    collected = manifest.stat().st_mtime_ns
    code, said = serve(copy, "--host", "0.0.0.0")
    assert code == 0, said
    assert manifest.stat().st_mtime_ns == collected
    # On a busy machine it is ended before those who think are all there, of which Python warns.
    said = re.sub(r".*/resource_tracker\.py:.* leaked semaphore .*\n.*\n", "", said)
    assert re.fullmatch(r"Loading the site .* s\nStarting the server .* s\nParlour is at .*\n", said)


@pytest.mark.parametrize(
    ("arguments", "reached"),
    in_full((["--host", "0.0.0.0"], address.for_others("0.0.0.0")), ([], "")),
    ids=in_full("everywhere", "here"),
)
def test_links_lead_where_others_reach_the_site(
    first_start: tuple[int, str], copy: Path, arguments: list[str], reached: str
) -> None:
    with started(copy, *START, *arguments, **WITHOUT_COMPUTERS) as (process, first):
        port = re.findall(r"http://127\.0\.0\.1:(\d+)", first)[0]
        server = ParlourServer("", "", copy)
        server.port = int(port)
        host = Person(server)
        page = host.post("/new/kalah", preset="circle", seats="2", first="host", listed="no")
        process.terminate()
    link = re.findall(r'id="link-1" readonly value="([^"]+)"', page)[0]
    assert link.startswith(f"http://{reached or '127.0.0.1'}:{port}/i/")
    # The code says the same as the link.
    assert f'<path d="{qr.picture(link).path}"/>' in page
    assert ("make run HOST=0.0.0.0" in page) == (not reached)
