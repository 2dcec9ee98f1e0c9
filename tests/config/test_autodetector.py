"""What makes a migration: changes of tables, and not of what only forms and pages use."""

from typing import Any

from django.core.management import get_commands, load_command_class
from django.db.migrations import CreateModel
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ModelState, ProjectState
from django.db.models import BigAutoField, CharField

from config.autodetector import IGNORED, Autodetector
from config.schema import OURS


def site(options: dict[str, Any] | None = None, **of_field: Any) -> ProjectState:
    """A site with one model."""
    field = CharField(max_length=9, **of_field)
    model = ModelState("lobby", "Thing", [("id", BigAutoField(primary_key=True)), ("kind", field)], options)
    return ProjectState({("lobby", "thing"): model})


def changes(before: ProjectState, after: ProjectState) -> Any:
    return Autodetector(before, after).changes(MigrationLoader(None).graph)


def test_new_wording_needs_no_migration() -> None:
    before = site({"verbose_name": "thing"}, verbose_name="kind", choices=[("a", "A")])
    after = site({"verbose_name": "object"}, verbose_name="sort", choices=[("a", "An A")], help_text="Which")
    assert changes(before, after) == {}


def test_new_column_type_needs_a_migration() -> None:
    assert changes(site(), site(db_index=True)).keys() == {"lobby"}


def test_new_migration_contains_no_wording() -> None:
    made = changes(ProjectState(), site({"verbose_name": "thing"}, verbose_name="kind", help_text="Which"))
    (create,) = made["lobby"][0].operations
    assert isinstance(create, CreateModel)
    assert not IGNORED & {*create.options, *dict(create.fields)["kind"].deconstruct()[3]}


def test_migrations_contain_no_wording() -> None:
    ours = [model for (app, _), model in MigrationLoader(None).project_state().models.items() if app in OURS]
    assert len(ours) > 40
    for model in ours:
        assert not IGNORED & {*model.options}, model.name
        for name, field in model.fields.items():
            assert not IGNORED & {*field.deconstruct()[3]}, (model.name, name)


def test_commands_ignore_wording() -> None:
    for name in ("makemigrations", "migrate"):
        assert load_command_class(get_commands()[name], name).autodetector is Autodetector  # type: ignore[attr-defined]
