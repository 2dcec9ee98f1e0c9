"""Where compiled kernels are kept: in a folder of the user, or in a temporary one."""

import os
import tempfile

import pytest

from games.bots import kernel_cache
from games.bots.compiler import ByContent

NAME = f"parlour-kernels-{os.geteuid()}"


@pytest.fixture
def no_folder(tmp_path, monkeypatch):
    """The user has no folder, as in an image; where compiled kernels and temporary files are."""
    came, temporary = tmp_path / "kernels", tmp_path / "tmp"
    temporary.mkdir()
    monkeypatch.setattr(kernel_cache, "CAME_COMPILED", came)
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    monkeypatch.setenv("NUMBA_CACHE_DIR", "")
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    return came, temporary


def kept():
    return os.environ["NUMBA_CACHE_DIR"]


def test_compiled_code_in_folder_of_user_that_child_processes_use(monkeypatch, tmp_path):
    monkeypatch.setenv("NUMBA_CACHE_DIR", "")
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert kernel_cache.folder() == tmp_path / "cache" / "parlour" / "kernels"
    assert kept() == str(kernel_cache.folder())
    assert kernel_cache.folder().stat().st_mode & 0o777 == 0o700


def test_complete_noted_for_these_sources_only(monkeypatch, tmp_path):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert not kernel_cache.is_complete()
    kernel_cache.complete()
    assert kernel_cache.is_complete()
    monkeypatch.setattr(kernel_cache, "_digest", lambda: "other")
    assert not kernel_cache.is_complete()


def test_compiled_code_in_temporary_folder_without_folder_of_user(no_folder):
    _, temporary = no_folder
    kernel_cache.folder()
    assert kept() == str(temporary / NAME)


def test_compiled_code_folder_starts_with_shipped_files(no_folder):
    came, temporary = no_folder
    (came / "bots_1234").mkdir(parents=True)
    (came / "bots_1234" / "kalah.nbi").write_text("compiled")
    kernel_cache.folder()
    copied = temporary / NAME / "bots_1234" / "kalah.nbi"
    assert copied.read_text() == "compiled"
    assert [each.name for each in temporary.iterdir()] == [NAME]


def test_compiled_code_newer_files_kept(no_folder, monkeypatch):
    came, temporary = no_folder
    came.mkdir()
    (came / "kalah.nbi").write_text("as it came")
    (temporary / NAME).mkdir(mode=0o700)
    (temporary / NAME / "kalah.nbi").write_text("newer")
    kernel_cache.folder()
    assert (temporary / NAME / "kalah.nbi").read_text() == "newer"


def test_compiled_code_folder_private_to_user(no_folder):
    came, _ = no_folder
    came.mkdir(mode=0o777)
    kernel_cache.folder()
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
def test_compiled_code_folder_prepared_by_others_rejected(no_folder, tmp_path, prepared):
    _, temporary = no_folder
    prepared(temporary / NAME, tmp_path / "elsewhere")
    kernel_cache.folder()
    assert kept() != str(temporary / NAME)
    assert os.stat(kept()).st_mode & 0o777 == 0o700


def test_compiled_code_folder_of_other_user_rejected(no_folder, monkeypatch):
    _, temporary = no_folder
    somebody = os.geteuid() + 1
    (temporary / f"parlour-kernels-{somebody}").mkdir(mode=0o700)
    monkeypatch.setattr(os, "geteuid", lambda: somebody)
    kernel_cache.folder()
    assert kept() != str(temporary / f"parlour-kernels-{somebody}")


def test_compiled_code_in_folder_of_setting(no_folder, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", "/elsewhere")
    kernel_cache.folder()
    assert kept() == "/elsewhere"


def test_compiled_code_kept_by_content_of_imported_modules(tmp_path):
    names = []
    for imported in ("1", "2"):
        folder = tmp_path / imported
        folder.mkdir()
        (folder / "kernel.py").write_text("from . import tables\nfrom games.bots.index import rank\n")
        (folder / "tables.py").write_text("from .deep import number\n")
        (folder / "deep.py").write_text(f"number = {imported}\n")
        (folder / "other.py").write_text(f"other = {imported}\n")
        names.append(
            [
                ByContent.get_suitable_cache_subpath(str(folder / f"{each}.py"))
                for each in ("kernel", "tables", "deep", "other")
            ]
        )
    assert all(one != other for one, other in zip(*names, strict=True))
    assert [name.partition("-")[0] for name in names[0]] == ["kernel", "tables", "deep", "other"]
    (tmp_path / "1" / "other.py").write_text("other = 3\n")
    assert ByContent.get_suitable_cache_subpath(str(tmp_path / "1" / "kernel.py")) == names[0][0]
