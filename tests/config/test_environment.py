"""Settings of a host: what is wrong is told together, one sentence each."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from config import environment
from config.environment import (
    DEVELOPMENT_KEY,
    TOLD,
    BadSettings,
    Environment,
    declarations,
    files_problem,
    read_file,
    take_old_names,
    unknown_names,
)
from tools.harness.patience import patience
from tools.harness.services import ROOT

KEY = "a random text of more than thirty-two characters"


def problems(**variables: str) -> list[str]:
    with pytest.raises(BadSettings) as refused:
        Environment({"SECRET_KEY": KEY, **variables})
    return str(refused.value).splitlines()


def run(*arguments: str, user: str | None = None, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run Python with these settings and no others."""
    environment = {"SECRET_KEY": KEY, "PATH": "", TOLD: "1", **variables}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=environment,
        user=user,
        capture_output=True,
        text=True,
        check=False,
        timeout=patience(60),
    )


WRONG = [
    ("GUESTS_PER_HOUR", "many", "must be a whole number, 0 or more"),
    ("GUESTS_PER_HOUR", "-1", "must be a whole number, 0 or more"),
    ("DATABASE_POOL", "0", "must be a whole number, 1 or more"),
    ("METRICS_PORT", "65536", "must be a whole number from 0 to 65535"),
    ("BOT_PACE", "nan", "must be a number, 0 or more"),
    ("HTTPS", "sure", "must be 1 or 0"),
    ("LOG_LEVEL", "loud", "must be DEBUG, INFO, WARNING, ERROR or CRITICAL"),
    ("CHAT_LIMIT", "5 a second", "must be how many in which time, such as 20/10m, or 0 for no limit"),
    ("ALLOWED_HOSTS", "https://a.example", "must be host names without https://, such as parlour.example"),
    ("TRUSTED_ORIGINS", "a.example", "must be origins such as https://parlour.example"),
    ("PRIVACY_FILE", "/nowhere.txt", "must be a file that the server can read"),
    ("VAR_DIR", "/nowhere/var", "must be a directory, or one that the server can make"),
    ("SOCIAL_LOGIN", "github", "needs GITHUB_CLIENT_ID and GITHUB_SECRET too"),
    ("SOCIAL_LOGIN", "nosuch", "must be a provider that django-allauth knows"),
    ("SOCIAL_LOGIN", "../github", "must be a provider that django-allauth knows"),
]


@pytest.mark.parametrize(("name", "value", "allowed"), WRONG)
def test_wrong_value_is_told_with_its_name_and_what_is_allowed(name: str, value: str, allowed: str) -> None:
    assert problems(**{name: value}) == [f"{name}={value}: {allowed}."]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("REDIS_URL", "127.0.0.1:6379"),
        ("REDIS_URL", "redis://:sec/ret@127.0.0.1:6379/0"),
        ("REDIS_URL", "redis://:sec[ret@127.0.0.1:6379/0"),
        ("DATABASE_URL", "mysql://parlour:secret@db/parlour"),
        ("DATABASE_URL", "postgres://parlour:sec/ret@db:5432/parlour"),
        ("EMAIL_URL", "mail.example:secret"),
        ("SECRET_KEY", "secret"),
        ("SECRET_KEY", DEVELOPMENT_KEY),
    ],
)
def test_wrong_value_that_may_be_secret_is_not_repeated(name: str, value: str) -> None:
    (problem,) = problems(**{name: value})
    assert problem.startswith(f"{name}: must be ")
    assert value not in problem


@pytest.mark.parametrize("password", ["sec#ret", "sec[ret", "sec%2Fret"])
def test_database_password_with_special_characters_is_read(password: str) -> None:
    url = f"postgres://parlour:{password}@db:5432/parlour"
    assert url == Environment({"SECRET_KEY": KEY, "DATABASE_URL": url}).DATABASE_URL


@pytest.mark.parametrize("word", ["1", "true", "Yes", "ON", "y", "ok"])
def test_switch_is_turned_on_by_any_usual_word(word: str) -> None:
    assert Environment({"SECRET_KEY": KEY, "HTTPS": word}).HTTPS


@pytest.mark.parametrize("word", ["0", "False", "no", "off", "n", ""])
def test_switch_is_turned_off_by_any_usual_word(word: str) -> None:
    assert not Environment({"SECRET_KEY": KEY, "CHAT": word}).CHAT


def test_limits_of_sockets_follow_their_rate() -> None:
    given = Environment({"SECRET_KEY": KEY, "SOCKET_RATE": "0", "KALAHA_LIMIT": "7/m"})
    assert (given.SOCKET_PERSON_LIMIT.count, given.PICTURE_LIMIT.count, given.KALAHA_LIMIT.count) == (0, 0, 7)


@pytest.mark.parametrize(
    "command", [["manage.py", "migrate"], ["manage.py", "check", "--deploy"], ["-m", "config.server"]]
)
def test_command_tells_all_that_is_wrong_and_ends(command: list[str]) -> None:
    done = run(*command, GUESTS_PER_HOUR="many", REDIS_URL="127.0.0.1", HTTPS="sure")
    assert done.returncode == 1
    assert [line.partition(": ")[0] for line in done.stderr.splitlines()] == [
        "HTTPS=sure",
        "REDIS_URL",
        "GUESTS_PER_HOUR=many",
    ]


def test_command_without_its_database_ends_with_a_sentence() -> None:
    done = run("manage.py", "migrate", DATABASE_URL="postgres://parlour@127.0.0.1:1/parlour")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("The database cannot be used: ")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("files", "connections", "wrong"),
    [
        (64, 32, True),
        (1024, 896, False),
        (1024, 1000, True),
        (1024, 0, True),
        (0, 0, False),
        (0, 10**6, False),
    ],
)
def test_more_connections_than_files_are_told(
    files: int, connections: int, wrong: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(environment, "open_files", lambda: files)
    assert files_problem(connections).startswith(f"CONNECTIONS={connections}: ") == wrong


def test_connections_by_default_leave_files_for_the_store(monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for files in (0, 64, 1024):
        monkeypatch.setattr(environment, "open_files", lambda files=files: files)
        found.append(Environment({"SECRET_KEY": KEY}).CONNECTIONS)
    assert found == [0, 32, 896]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can start a server as somebody else")
def test_static_files_that_the_server_cannot_read_are_told_in_a_sentence(tmp_path: Path) -> None:
    static = tmp_path / "static"
    static.mkdir()
    # Up to the directory of all temporary files; a parallel run has one more in between.
    for directory in (tmp_path, *tmp_path.parents):
        if directory == Path(tempfile.gettempdir()):
            break
        directory.chmod(0o755)
    static.chmod(0o700)
    done = run("-m", "config.server", "--port", "0", user="nobody", VAR_DIR=str(tmp_path))
    assert (done.returncode, done.stderr) == (1, f"The user of the server cannot read {static}/.\n")


def test_old_name_is_read_and_warned_of_once_in_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    variables = {"HOOK_HOSTS": "scores.example"}
    for _ in range(2):
        read_file(tmp_path / ".env", variables)
    assert variables["WEBHOOK_ALLOWED_HOSTS"] == "scores.example"
    told = "Warning: The setting HOOK_HOSTS is called WEBHOOK_ALLOWED_HOSTS now.\n"
    assert capsys.readouterr().err == told


def test_value_under_the_current_name_wins() -> None:
    variables = {"TABLE_PATIENCE": "1", "TABLE_HOST_TIMEOUT": "2"}
    assert take_old_names(variables)
    assert variables["TABLE_HOST_TIMEOUT"] == "2"


def test_name_in_the_file_that_is_nearly_a_setting_is_warned_of(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text("ALOWED_HOSTS=a.example\nexport HTTPS=1\nGITHUB_SECRET=x\nTZ=UTC\n#CHATT=0\nDOMAIN=a\n")
    assert unknown_names(file) == [
        f"{file} sets ALOWED_HOSTS, which is no setting. Did you mean ALLOWED_HOSTS?"
    ]


def test_no_setting_is_mistaken_for_another_by_its_own_name(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text("".join(f"{name}=1\n" for name in declarations()))
    assert unknown_names(file) == []


def test_value_that_begins_with_a_dollar_sign_is_read_as_it_is() -> None:
    key = f"${KEY}"
    read = Environment({"SECRET_KEY": key})
    assert read.values["SECRET_KEY"] == key
    with pytest.raises(BadSettings, match=r"^CONNECTIONS=\$FOO: "):
        Environment({"SECRET_KEY": KEY, "CONNECTIONS": "$FOO", "FOO": "5"})
