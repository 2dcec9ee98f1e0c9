"""Which changes of models make a migration: not those of what only forms and pages use."""

from __future__ import annotations

from typing import Any

from django.db.migrations.autodetector import MigrationAutodetector
from django.db.migrations.questioner import MigrationQuestioner
from django.db.migrations.state import ProjectState
from django.db.models import Field

IGNORED = {"choices", "error_messages", "help_text", "validators", "verbose_name", "verbose_name_plural"}
"""Options of models and fields on which neither tables nor data depend."""


class Autodetector(MigrationAutodetector):
    """Leaves `IGNORED` out of comparisons and of new migrations."""

    def __init__(
        self, from_state: ProjectState, to_state: ProjectState, questioner: MigrationQuestioner | None = None
    ) -> None:
        for state in (from_state, to_state):
            for model in state.models.values():
                model.options = _kept(model.options)
                model.fields = {name: _without_ignored(field) for name, field in model.fields.items()}
        super().__init__(from_state, to_state, questioner)


def _without_ignored(field: Field[Any, Any]) -> Field[Any, Any]:
    _name, _path, positional, options = field.deconstruct()
    return type(field)(*positional, **_kept(options))


def _kept(options: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if name not in IGNORED}
