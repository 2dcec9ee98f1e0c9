"""Imports, includes and row writes are those that docs/explanation/architecture.md allows."""

from __future__ import annotations

import pytest
from django.apps import apps

from tests.architecture import packages, writers
from tests.architecture.packages import ROOT, SUFFIXES

MAP = packages.rooms(packages.document())
WRITERS = packages.writers(packages.document())

every_tree = pytest.mark.parametrize("tree", SUFFIXES)


def source(path: str) -> str:
    return (ROOT / path).read_text()


@every_tree
def test_every_file_belongs_to_a_package(tree):
    assert [path for path in packages.files(tree) if packages.room_of(path, MAP) is None] == []


@every_tree
def test_every_dependency_is_allowed(tree):
    found = {path: packages.breaches(path, source(path), MAP) for path in packages.files(tree)}
    assert {path: breaches for path, breaches in found.items() if breaches} == {}


def test_a_package_depends_only_on_packages_listed_above_it():
    order = list(MAP)
    below = {room.path: set(order[: order.index(room.path)]) for room in MAP.values()}
    assert {
        room.path: room.needs - below[room.path] for room in MAP.values() if room.needs - below[room.path]
    } == {}


def test_every_listed_dependency_exists():
    drawn = {
        arrow
        for tree in SUFFIXES
        for path in packages.files(tree)
        for arrow in packages.arrows(path, source(path), MAP)
    }
    assert {(room.path, to) for room in MAP.values() for to in room.needs} == drawn


def test_every_listed_package_exists():
    assert [path for path in MAP if not (ROOT / path).is_dir() and not (ROOT / f"{path}.py").is_file()] == []


# Rows and their writers


def test_every_model_has_writers():
    models = {model.__name__ for app in ("games", "lobby") for model in apps.get_app_config(app).get_models()}
    assert set(WRITERS) == models


def test_only_listed_files_write_a_model():
    found = {
        path: writers.written(source(path)) - {model for model, files in WRITERS.items() if path in files}
        for tree in ("games", "lobby", "config")
        for path in packages.files(tree)
    }
    assert {path: models for path, models in found.items() if models} == WRITES_WHAT_IT_IS_HANDED


WRITES_WHAT_IT_IS_HANDED = {"games/store/leases.py": {writers.UNKNOWN}}
"""Updates one column of the rows that their owner passes in."""


@pytest.mark.parametrize(("model", "files"), WRITERS.items(), ids=WRITERS.keys())
def test_listed_writers_write(model, files):
    assert [file for file in files if model not in writers.written(source(file))] == []
