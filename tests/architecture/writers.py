"""Whose rows a file writes, read off its code, to hold docs/explanation/architecture.md against it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

from django.apps import apps

from tests.architecture.source_rules import WRITES, calls, words

TABLES = {
    model._meta.db_table: model.__name__
    for app in ("games", "lobby")
    for model in apps.get_app_config(app).get_models()
}
"""The models by the names of their tables."""
MODELS = set(TABLES.values())

ROWS = {
    **{"plies": "Ply", "seatings": "Seating", "lines": "ChatLine", "chairs": "Chair"},
    **{"analysis_tasks": "AnalysisTask"},
    **{"relationships": "Relationship", "relationships_to_me": "Relationship"},
    **{"hooks": "Hook", "deliveries": "Delivery", "seeks": "Seek", "invites": "Invite", "results": "Result"},
    **{"ratings": "Rating", "tokens": "Token", "events": "Event"},
    **{"teams": "Team", "entrants": "Entrant", "pairing_seats": "PairingSeat"},
    **{"at_evenings": "EveningGuest", "evenings": "Evening"},
    **{"teachers": "ClassTeacher", "teaches": "ClassTeacher", "pupils": "User", "card": "PupilCard"},
    **{"class_rounds": "ClassRound"},
    **{"homework": "Homework", "reads": "HomeworkRead", "ending": "ClassEnd"},
    **{"memberships": "Membership", "join_requests": "JoinRequest", "exclusions": "Exclusion"},
    **{"announcements": "Announcement", "audit_entries": "AuditEntry"},
    **{"studies": "Study", "in_studies": "StudyMember", "chapters": "Chapter", "operations": "Operation"},
    **{"rungs": "Rung"},
}
"""Related names, through which rows can be written without naming their model."""
INSTANCES = {
    **{"match": "Match", "table": "Table", "seek": "Seek", "rating": "Rating", "line": "ChatLine"},
    **{"user": "User", "person": "User", "guest": "User", "invite": "Invite", "delivery": "Delivery"},
    **{"evening": "Evening", "token": "Token", "matches_of": "Match"},
    **{
        "tournament": "Tournament",
        "entrant": "Entrant",
        "pairing": "Pairing",
        "seat": "PairingSeat",
        "team": "Team",
    },
    **{"school_class": "SchoolClass", "invitation": "ClassTeacher", "piece": "Homework", "pupil": "User"},
    **{"club": "Club", "membership": "Membership", "chair": "Chair"},
    **{"study": "Study", "chapter": "Chapter"},
    **{"ladder": "ClubLadder", "challenge": "LadderChallenge"},
}
"""What a variable of that name holds."""

QUERIED = {**ROWS, **{model: model for model in MODELS}}
KNOWN = {**INSTANCES, **QUERIED}

SAVING = {"save", "asave", "delete", "adelete"}
"""Of the verbs that write, those that nothing but rows has; a set or a dictionary is updated as well."""
WRITING_SQL = r"(?i)\b(INSERT( OR \w+)? INTO|UPDATE|DELETE FROM|REPLACE INTO)\s+\W?%s\b"

UNKNOWN = "?"


def written(source: str) -> set[str]:
    """The models whose rows a file writes, as far as that can be seen without running it.

    Rows are written by a call on a manager, on a related manager or on a query that names either, by making
    an instance, by `save`, `delete` or `update(field=...)` of a variable, and in SQL. What a variable holds
    is told by its name or by what it was made from in the same file; else its rows are `UNKNOWN`.
    """
    tree = ast.parse(source)
    imports, known = names_imported(tree), {**_variables(tree), **KNOWN}
    found = {model for call in calls(tree) for model in _written_by(call, imports, known)}
    for text in words(tree):
        found |= {model for table, model in TABLES.items() if re.search(WRITING_SQL % table, text)}
    return found


def _variables(tree: ast.AST) -> dict[str, str]:
    """The variables of a file that are made from something with the name of a model or of its rows."""
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            names = [name for name in re.findall(r"\w+", ast.unparse(node.value)) if name in QUERIED]
            if names:
                found[node.targets[0].id] = QUERIED[names[0]]
    return found


def _written_by(call: ast.Call, imports: Mapping[str, str], known: Mapping[str, str]) -> Iterator[str]:
    """The models that a call writes: `match.plies.all().delete()` writes plies."""
    *path, verb = re.findall(r"\w+", ast.unparse(call.func))
    if verb in MODELS:
        if ".models" in imports.get(verb, ""):
            yield verb
    elif verb in WRITES and path and (MODELS & set(path) or not imports.get(path[0], "").islower()):
        # In `table.chairs.filter(user=user)` the rows are named by the relation, not by the variables.
        named = [name for name in path if name in QUERIED] or [name for name in path if name in known][:1]
        only_rows_can = verb in SAVING or (verb == "update" and call.keywords and not call.args)
        # A method of HTTP is no verb of ours, and what a form inherits is the library's.
        if named:
            yield known[named[-1]]
        elif only_rows_can and path[0] not in ("router", "super") and not _of_a_library(path[0], imports):
            yield UNKNOWN


def _of_a_library(name: str, imports: Mapping[str, str]) -> bool:
    """Whether a name is the model of a library, such as a session."""
    return ".models." in imports.get(name, "") and name not in MODELS


def names_imported(tree: ast.AST) -> dict[str, str]:
    """The names that a file imports, each with where it comes from; a module's is in small letters."""
    return {
        alias.asname or alias.name: ".".join(filter(None, [getattr(node, "module", None), alias.name]))
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
