"""What stands behind `make run`: the right Python, the pinned packages, a key, the static files."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from config import address
from games.share import qr
from tests.helpers.samples import in_full
from tools import check, environment, node_packages, run
from tools.harness.patience import patience
from tools.harness.people import Person
from tools.harness.servers import ParlourServer
from tools.harness.services import ROOT

FIND_PYTHON = ROOT / "tools" / "find-python"


# Which Python


def find_python(path: Path) -> subprocess.CompletedProcess[str]:
    """What it says where a folder has all the programs there are, and the environment if there is one."""
    return subprocess.run(
        ["/bin/sh", FIND_PYTHON],
        env={"PATH": str(path)},
        cwd=path,
        capture_output=True,
        text=True,
        check=False,
    )


def program(path: Path, script: str) -> Path:
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def test_a_python_that_is_new_enough_is_found(tmp_path: Path) -> None:
    (tmp_path / "python3").symlink_to(sys.executable)
    found = find_python(tmp_path)
    assert (found.returncode, found.stdout.strip()) == (0, str(tmp_path / "python3"))


def test_a_name_that_runs_no_python_is_passed_over(tmp_path: Path) -> None:
    program(tmp_path / "python3.11", "exit 127")
    (tmp_path / "python3").symlink_to(sys.executable)
    assert find_python(tmp_path).stdout.strip() == str(tmp_path / "python3")


def test_of_two_the_one_that_is_clearly_quicker_is_taken(tmp_path: Path) -> None:
    program(tmp_path / "python3.11", "echo 1000")
    for name, microseconds, expected in (("python3.12", 790, "python3.12"), ("python3", 810, "python3.11")):
        program(tmp_path / name, f"echo {microseconds}")
        assert find_python(tmp_path).stdout.strip() == str(tmp_path / expected)
        (tmp_path / name).unlink()


def test_one_that_can_make_environments_is_taken_before_one_that_cannot(tmp_path: Path) -> None:
    program(tmp_path / "python3.11", "echo unable")
    assert find_python(tmp_path).stdout.strip() == str(tmp_path / "python3.11")
    program(tmp_path / "python3", "echo 1000")
    assert find_python(tmp_path).stdout.strip() == str(tmp_path / "python3")


def test_an_environment_keeps_its_python(tmp_path: Path) -> None:
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    program(tmp_path / "python3.11", "echo 1000")
    program(tmp_path / ".venv" / "bin" / "python", "echo /of/the/environment")
    assert find_python(tmp_path).stdout.strip() == "/of/the/environment"


def test_a_python_that_is_too_old_is_named(tmp_path: Path) -> None:
    program(tmp_path / "python3", 'case "$2" in *platform*) echo 3.9.2;; *) exit 1;; esac')
    refused = find_python(tmp_path)
    assert refused.returncode == 1
    assert refused.stderr.startswith("Parlour needs Python 3.11 or newer (python3 here is 3.9.2)")
    assert len(refused.stderr.splitlines()) == 1


def test_no_python_at_all_is_said(tmp_path: Path) -> None:
    refused = find_python(tmp_path)
    assert refused.returncode == 1
    assert "there is none here" in refused.stderr


# Its packages


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with requirements and no environment."""
    (tmp_path / "requirements.txt").write_text("parlour-needs-this==1.0\n")
    monkeypatch.setattr(environment, "ROOT", tmp_path)
    monkeypatch.setattr(environment, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(environment, "PYTHON", tmp_path / ".venv" / "bin" / "python")
    monkeypatch.setattr(environment, "LOG", tmp_path / ".venv" / "install.log")
    return tmp_path


@pytest.fixture
def commands(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The commands that were run; none really is, and all succeed."""
    ran: list[list[str]] = []

    def pretend(command: list[str]) -> subprocess.CompletedProcess[str]:
        ran.append(command)
        if "venv" in command:
            environment.PYTHON.parent.mkdir(parents=True)
            environment.PYTHON.touch()
        return subprocess.CompletedProcess(command, 0, stdout="")

    monkeypatch.setattr(environment, "run", pretend)
    return ran


def test_the_first_time_makes_an_environment_and_checks_every_hash(commands: list[list[str]]) -> None:
    environment.main("requirements.txt")
    assert [command[2] for command in commands] == ["venv", "pip"]
    assert "--require-hashes" in commands[1]


def test_the_second_time_runs_nothing(commands: list[list[str]]) -> None:
    environment.main("requirements.txt")
    commands.clear()
    environment.main("requirements.txt")
    assert commands == []


def test_changed_requirements_are_installed_into_the_same_environment(
    commands: list[list[str]], checkout: Path
) -> None:
    environment.main("requirements.txt")
    commands.clear()
    (checkout / "requirements.txt").write_text("parlour-needs-this==2.0\n")
    environment.main("requirements.txt")
    assert not any("venv" in command for command in commands)
    assert any("install" in command for command in commands)


def test_a_failed_installation_is_one_sentence_and_tried_again(
    commands: list[list[str]], checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment.create()
    pip = subprocess.CompletedProcess(
        [], 1, stdout="Retrying\nERROR: No matching distribution found for this\n"
    )
    monkeypatch.setattr(environment, "run", lambda command: pip)
    with pytest.raises(SystemExit) as ended:
        environment.install("requirements.txt")
    assert "is this computer online?" in str(ended.value)
    assert "No matching distribution" in str(ended.value)
    assert not environment.stamp("requirements.txt").exists()


def test_a_python_without_venv_says_what_to_install(
    commands: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(SystemExit, match=rf"apt install python3\.{sys.version_info.minor}-venv"):
        environment.main("requirements.txt")


# What checks the browser modules


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """A checkout with pins and nothing installed: the commands that were run, which all succeed."""
    ran: list[list[str]] = []

    def pretend(command: list[str]) -> subprocess.CompletedProcess[str]:
        ran.append(command)
        node_packages.STAMP.parent.mkdir(exist_ok=True)
        return subprocess.CompletedProcess(command, 0, stdout="")

    (tmp_path / "package-lock.json").write_text("{}")
    monkeypatch.setattr(node_packages, "LOCK", tmp_path / "package-lock.json")
    monkeypatch.setattr(node_packages, "STAMP", tmp_path / "node_modules" / "installed")
    monkeypatch.setattr(node_packages, "node", lambda: "node")
    monkeypatch.setattr(node_packages, "npm", lambda: "npm")
    monkeypatch.setattr(node_packages, "run", pretend)
    return ran


def test_pins_of_node_are_installed_once(packages: list[list[str]]) -> None:
    node_packages.provide()
    node_packages.provide()
    assert [command[:2] for command in packages] == [["npm", "ci"]]


def test_changed_pins_of_node_are_installed_again(packages: list[list[str]]) -> None:
    node_packages.provide()
    node_packages.LOCK.write_text("{ }")
    node_packages.provide()
    assert len(packages) == 2


def test_without_npm_one_line_says_what_is_skipped(
    packages: list[list[str]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(node_packages, "npm", lambda: None)
    monkeypatch.setattr(check, "checks", list)
    monkeypatch.delenv("REQUIRE_ALL", raising=False)
    assert check.main() == 0
    said = capsys.readouterr().err
    assert said.startswith("The types and the lint of the browser modules are skipped: there is no npm here")
    assert len(said.splitlines()) == 1


def test_without_npm_nothing_passes_where_nothing_may_be_skipped(
    packages: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(node_packages, "npm", lambda: None)
    monkeypatch.setattr(check, "checks", list)
    monkeypatch.setenv("REQUIRE_ALL", "1")
    assert check.main() == 1


def test_a_failure_of_npm_is_one_sentence_and_tried_again(
    packages: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    errors = ["code ECONNREFUSED", "syscall connect", "no answer came", "at x"]
    words = "\n".join(["npm warn old", *(f"npm error {error}" for error in errors)])
    refused = subprocess.CompletedProcess([], 1, stdout=words)
    monkeypatch.setattr(node_packages, "run", lambda command: refused)
    with pytest.raises(node_packages.Unavailable, match=r"them: no answer came$"):
        node_packages.provide()
    assert not node_packages.STAMP.exists()


# Its key


@pytest.fixture
def env_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / ".env"
    monkeypatch.setattr(run, "ENV_FILE", path)
    monkeypatch.delenv("SECRET_KEY", raising=False)
    return path


def test_a_key_is_made_for_its_owner_alone(env_file: Path) -> None:
    run.keep_secret_key()
    assert env_file.read_text().startswith("SECRET_KEY=")
    assert len(env_file.read_text()) > 50
    assert stat.S_IMODE(env_file.stat().st_mode) == 0o600


def test_a_key_is_made_once(env_file: Path) -> None:
    run.keep_secret_key()
    made = env_file.read_text()
    run.keep_secret_key()
    assert env_file.read_text() == made


def test_a_key_takes_the_empty_place_and_leaves_the_rest(env_file: Path) -> None:
    env_file.write_text("LOG_LEVEL=DEBUG\nSECRET_KEY=\nHTTPS=1\n")
    run.keep_secret_key()
    before, key, after = env_file.read_text().splitlines()
    assert (before, after) == ("LOG_LEVEL=DEBUG", "HTTPS=1")
    assert len(key) > 50


def test_a_key_of_the_environment_is_enough(env_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "from elsewhere")
    run.keep_secret_key()
    assert not env_file.exists()


# Its static files


def test_static_files_are_collected_again_only_when_one_changed(tmp_path: Path) -> None:
    (tmp_path / "tokens.css").write_text(":root { --old: 1; }")
    before = run.fingerprint(tmp_path)
    assert run.fingerprint(tmp_path) == before
    (tmp_path / "tokens.css").write_text(":root { --other: 1; }")
    assert run.fingerprint(tmp_path) != before


# What its computer players think with


def test_nothing_is_compiled_where_no_computer_player_thinks(
    settings: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.BOT_PROCESSES = 0
    run.compile_kernels()
    assert capsys.readouterr().out == ""


def test_only_what_is_compiled_decides_whether_it_is_compiled_again(tmp_path: Path) -> None:
    (tmp_path / "kernel.py").write_text("1")
    before = run.fingerprint(tmp_path, pattern="*.py")
    (tmp_path / "kernel.nbi").write_text("made of it")
    assert run.fingerprint(tmp_path, pattern="*.py") == before
    (tmp_path / "kernel.py").write_text("22")
    assert run.fingerprint(tmp_path, pattern="*.py") != before


# All of it


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sources as a clone has them, and what computer players think with, which takes long to compile."""
    unwanted = shutil.ignore_patterns(".*", "var", "__pycache__", "tests", "bench", "node_modules")
    clone = Path(shutil.copytree(ROOT, tmp_path_factory.mktemp("clone") / "parlour", ignore=unwanted))
    compiled = Path("games", "bots", "__pycache__")
    (clone / compiled).mkdir()
    for kernel in (ROOT / compiled).glob("*.nb[ic]"):
        shutil.copy2(kernel, clone / compiled)
    return clone


@contextlib.contextmanager
def started(copy: Path, *arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """What `make run` starts, and what it has said once it serves."""
    inherited = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG")}
    # That the machine is busy, which the log tells, is none of what is asked about.
    environment = {**inherited, "LOG_LEVEL": "ERROR"}
    with subprocess.Popen(
        [sys.executable, "-m", "tools.run", "--port", "0", *arguments],
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


def serve(copy: Path, *arguments: str) -> tuple[int, str]:
    """Start it and end it: the exit code, and all it said."""
    with started(copy, *arguments) as (process, said):
        process.terminate()
        rest, _ = process.communicate(timeout=patience(30))
    return process.returncode, said + rest


@pytest.fixture(scope="module")
def first_start(copy: Path) -> tuple[int, str]:
    return serve(copy)


def test_a_fresh_copy_says_why_one_waits_and_then_serves(first_start: tuple[int, str]) -> None:
    code, said = first_start
    waking, serving = said.splitlines()
    assert waking.startswith("Waking the computer players up, which takes half a minute the first time")
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
    assert re.fullmatch(r"Parlour is at .*\n", said), "it compiled again"


@pytest.mark.parametrize(
    ("arguments", "reached"),
    in_full((["--host", "0.0.0.0"], address.for_others("0.0.0.0")), ([], "")),
    ids=in_full("everywhere", "here"),
)
def test_links_lead_where_others_reach_the_site(
    first_start: tuple[int, str], copy: Path, arguments: list[str], reached: str
) -> None:
    with started(copy, *arguments) as (process, first):
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
