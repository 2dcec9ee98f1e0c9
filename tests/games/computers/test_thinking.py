"""Where compiled kernels are kept: beside the code, or in a folder of their own."""

import os
import subprocess
import sys
import tempfile

import pytest

from games.computers import thinking

NAME = f"parlour-kernels-{os.geteuid()}"


@pytest.fixture
def nobody_may_write(tmp_path, monkeypatch):
    """The code cannot be written to, as in an image; where temporary files and compiled kernels are."""
    came, temporary = tmp_path / "kernels", tmp_path / "tmp"
    temporary.mkdir()
    monkeypatch.setattr(thinking, "BOTS", tmp_path / "none")
    monkeypatch.setattr(thinking, "CAME_COMPILED", came)
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    monkeypatch.setenv("NUMBA_CACHE_DIR", "")
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    return came, temporary


def kept():
    return os.environ["NUMBA_CACHE_DIR"]


def test_compiled_code_stays_beside_writable_sources(monkeypatch):
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    thinking.keep_compiled_code()
    assert "NUMBA_CACHE_DIR" not in os.environ


def test_compiled_code_in_own_folder_beside_read_only_sources(nobody_may_write):
    _, temporary = nobody_may_write
    thinking.keep_compiled_code()
    assert kept() == str(temporary / NAME)


def test_compiled_code_folder_starts_with_shipped_files(nobody_may_write):
    came, temporary = nobody_may_write
    (came / "bots_1234").mkdir(parents=True)
    (came / "bots_1234" / "kalah.nbi").write_text("compiled")
    thinking.keep_compiled_code()
    copied = temporary / NAME / "bots_1234" / "kalah.nbi"
    assert copied.read_text() == "compiled"
    assert [each.name for each in temporary.iterdir()] == [NAME]


def test_compiled_code_newer_files_kept(nobody_may_write, monkeypatch):
    came, temporary = nobody_may_write
    came.mkdir()
    (came / "kalah.nbi").write_text("as it came")
    (temporary / NAME).mkdir(mode=0o700)
    (temporary / NAME / "kalah.nbi").write_text("newer")
    thinking.keep_compiled_code()
    assert (temporary / NAME / "kalah.nbi").read_text() == "newer"


def test_compiled_code_folder_private_to_user(nobody_may_write):
    came, _ = nobody_may_write
    came.mkdir(mode=0o777)
    thinking.keep_compiled_code()
    assert os.stat(kept()).st_mode & 0o777 == 0o700


def others_may_write(place, target):
    place.mkdir()
    place.chmod(0o777)


def leads_elsewhere(place, target):
    target.mkdir(mode=0o700)
    place.symlink_to(target)


def is_a_file(place, target):
    place.touch(mode=0o600)


@pytest.mark.parametrize("prepared", [others_may_write, leads_elsewhere, is_a_file])
def test_compiled_code_folder_being_a_link_rejected(nobody_may_write, tmp_path, prepared):
    _, temporary = nobody_may_write
    prepared(temporary / NAME, tmp_path / "elsewhere")
    thinking.keep_compiled_code()
    assert kept() != str(temporary / NAME)
    assert os.stat(kept()).st_mode & 0o777 == 0o700


def test_compiled_code_folder_of_other_user_rejected(nobody_may_write, monkeypatch):
    _, temporary = nobody_may_write
    somebody = os.geteuid() + 1
    (temporary / f"parlour-kernels-{somebody}").mkdir(mode=0o700)
    monkeypatch.setattr(os, "geteuid", lambda: somebody)
    thinking.keep_compiled_code()
    assert kept() != str(temporary / f"parlour-kernels-{somebody}")


def test_a_folder_that_was_named_is_used(nobody_may_write, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", "/elsewhere")
    thinking.keep_compiled_code()
    assert kept() == "/elsewhere"


def test_a_warm_up_compiles_what_only_some_positions_need():
    code = (
        "from games.computers import thinking; thinking.warm_up('morris');"
        "from games.bots.morris_index import number_of; print(len(number_of.signatures))"
    )
    asked = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert asked.stdout == "1\n"
