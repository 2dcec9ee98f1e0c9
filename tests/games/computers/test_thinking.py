"""Where compiled kernels are kept: beside the code, or in a folder of their own."""

import os
import tempfile

import pytest

from games.computers import thinking


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


def test_where_the_code_can_be_written_to_they_stay_beside_it(monkeypatch):
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    thinking.keep_compiled_code()
    assert "NUMBA_CACHE_DIR" not in os.environ


def test_where_it_cannot_they_have_a_folder_of_their_own(nobody_may_write):
    _, temporary = nobody_may_write
    thinking.keep_compiled_code()
    assert kept() == str(temporary / "parlour-kernels")


def test_it_begins_with_what_came_compiled(nobody_may_write):
    came, temporary = nobody_may_write
    (came / "bots_1234").mkdir(parents=True)
    (came / "bots_1234" / "kalah.nbi").write_text("compiled")
    thinking.keep_compiled_code()
    copied = temporary / "parlour-kernels" / "bots_1234" / "kalah.nbi"
    assert copied.read_text() == "compiled"
    assert [each.name for each in temporary.iterdir()] == ["parlour-kernels"]


def test_what_was_compiled_since_is_not_written_over(nobody_may_write, monkeypatch):
    came, temporary = nobody_may_write
    came.mkdir()
    (came / "kalah.nbi").write_text("as it came")
    (temporary / "parlour-kernels").mkdir()
    (temporary / "parlour-kernels" / "kalah.nbi").write_text("newer")
    thinking.keep_compiled_code()
    assert (temporary / "parlour-kernels" / "kalah.nbi").read_text() == "newer"


def test_a_folder_that_was_named_is_used(nobody_may_write, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", "/elsewhere")
    thinking.keep_compiled_code()
    assert kept() == "/elsewhere"
