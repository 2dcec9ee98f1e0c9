"""Whether the tables of the database are those of this release."""

from __future__ import annotations

from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from games.net.process import process

OURS = ("games", "lobby")
"""Apps whose migrations only a newer release can have added."""


class Schema:
    """The tables that the database has. It is asked until they are those of this release."""

    def __init__(self) -> None:
        self._agree = False

    def problem(self, *, to_be_migrated: bool = False) -> str:
        """Why this release cannot use the database, in one sentence; empty if it can.

        Args:
            to_be_migrated: whether missing migrations are no problem.

        Raises `DatabaseError` if the database does not answer.
        """
        if self._agree:
            return ""
        executor = MigrationExecutor(connection)
        loader = executor.loader
        # The rows of migrations that were squashed stay.
        squashed = {name for migration in loader.replacements.values() for name in migration.replaces}
        known = squashed.union(loader.disk_migrations)
        unknown = sorted(name for name in loader.applied_migrations if name[0] in OURS and name not in known)
        if unknown:
            return (
                f"The database belongs to a newer release, with the migration {'.'.join(unknown[-1])}: "
                "install that release, or restore a backup of this one."
            )
        if to_be_migrated:
            return ""
        missing = executor.migration_plan(loader.graph.leaf_nodes())
        if missing:
            return (
                f"The database lacks migrations ({len(missing)}, first {missing[0][0]}): "
                "stop all servers and workers, and run `manage.py migrate`."
            )
        self._agree = True
        return ""

    def check(self, *, to_be_migrated: bool = False) -> None:
        """Raise `ImproperlyConfigured` with the problem, if there is one.

        A database that does not answer is none yet: servers start without it, and `/readyz` asks again.
        """
        try:
            problem = self.problem(to_be_migrated=to_be_migrated)
        except DatabaseError:
            return
        finally:
            connection.close()
        if problem:
            raise ImproperlyConfigured(problem)


schema = process.part(Schema)
