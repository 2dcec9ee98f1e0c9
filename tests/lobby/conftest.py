"""What tests of classes share: a class of Ada's, on a site where everybody makes classes."""

from __future__ import annotations

from typing import Any

import pytest

from lobby.classes import classes
from lobby.classes.models import SchoolClass
from lobby.people.models import User
from tests.helpers.tournaments import command, people


@pytest.fixture
def everybody_makes_classes(settings: Any) -> None:
    settings.CLASSES = classes.OPEN


@pytest.fixture
def ada() -> User:
    return people("Ada")[0]


@pytest.fixture
def fifth(everybody_makes_classes: None, ada: User) -> SchoolClass:
    return classes.make(ada, "5b", command())
