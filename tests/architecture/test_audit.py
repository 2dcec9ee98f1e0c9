"""Packages with known weaknesses fail the checks; where nothing can be known, one line says so."""

import json

import pytest

from tools import audit, check
from tools.audit import Unreachable, read

SOUND = {"name": "sound", "version": "1.0", "vulns": []}
WEAK = {
    "name": "weak",
    "version": "2.0",
    "vulns": [{"id": "PYSEC-1", "fix_versions": ["2.1"], "aliases": []}],
}
UNKNOWN = {"name": "unknown", "skip_reason": "Dependency not found on PyPI: unknown (3.0)"}


def report(*packages):
    return json.dumps({"dependencies": packages, "fixes": []})


def test_audit_of_sound_packages_is_silent():
    assert read(report(SOUND), "No known vulnerabilities found") == []


def test_a_weakness_is_named_with_the_version_that_mends_it():
    assert read(report(SOUND, WEAK), "") == ["weak 2.0: PYSEC-1, mended by 2.1"]


def test_a_package_of_which_nothing_is_known_fails_where_others_are_known():
    assert read(report(SOUND, UNKNOWN), "") == [f"unknown: {UNKNOWN['skip_reason']}"]


@pytest.mark.parametrize(
    ("said", "complaints", "reason"),
    [
        (
            report(UNKNOWN, UNKNOWN),
            "No known vulnerabilities found",
            "what answers for PyPI here has no advisories on any of the 2",
        ),
        ("", "Traceback\nConnectionError: no route", "ConnectionError: no route"),
        ("", "", "pip-audit said nothing"),
    ],
)
def test_audit_without_network_names_reason(said, complaints, reason):
    with pytest.raises(Unreachable) as caught:
        read(said, complaints)
    assert str(caught.value) == reason


@pytest.mark.parametrize(("found", "code"), [(["weak 2.0: PYSEC-1"], 1), ([], 0)])
def test_the_check_fails_by_what_is_found(monkeypatch, found, code):
    monkeypatch.setattr(audit, "weaknesses", lambda: found)
    assert audit.main() == code


def test_one_line_says_that_nothing_was_compared(monkeypatch, capsys):
    def unreachable():
        raise Unreachable("no route")

    monkeypatch.setattr(audit, "weaknesses", unreachable)
    monkeypatch.delenv("AUDIT", raising=False)
    assert audit.main() == 0
    assert capsys.readouterr().out == "The packages are not compared with known weaknesses: no route\n"
    monkeypatch.setenv("AUDIT", "strict")
    assert audit.main() == 1


def test_audit_among_checks():
    assert any(each.command[-1] == "tools.audit" for each in check.checks())
