"""Queries compiled once by Django and run again with other parameters.

Compiling a query takes ten times as long as answering it from an index. Without this module, a move in the
closed loop costs 16 % more, because of what follows the ends of matches.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Generic, NamedTuple, TypeVar

from django.db import DEFAULT_DB_ALIAS, connection
from django.db.models import QuerySet

Value = str | int
Row = TypeVar("Row")

FIRST_NUMBER = 1_870_000_000
"""Placeholder of the first parameter during compilation, if it is a number; others follow."""


class _Ready(NamedTuple):
    """A compiled query.

    Attributes:
        sql: with `%s` for each parameter.
        parameters: constants, each with None, and placeholders with the index of their value.
        columns: columns that need conversion, with their index in a row.
        read: makes the result from a row.
    """

    sql: str
    parameters: Sequence[tuple[Any, int | None]]
    columns: Sequence[tuple[int, Any]]
    read: Callable[[Sequence[Any]], Any]


class PreparedQuery(Generic[Row]):
    """A query for whole rows or, with `values_list`, for some of their columns.

    Args:
        query: builds the query. It is called once for each number of values, with placeholders, so it must
            pass them on to Django unchanged and contain no time or setting that may change. With
            `select_related` or annotations, only `values_list` queries work.
    """

    def __init__(self, query: Callable[..., QuerySet[Any, Row]]) -> None:
        self._query = query
        self._ready: dict[tuple[Any, ...], _Ready] = {}

    def __call__(self, *values: Value) -> list[Row]:
        """The rows for these values. Queries that lock rows need a transaction."""
        kind = (connection.vendor, *map(type, values))
        ready = self._ready.get(kind)
        if ready is None:
            ready = self._ready[kind] = _prepare(self._query, values)
        parameters = [each if place is None else values[place] for each, place in ready.parameters]
        with connection.cursor() as cursor:
            cursor.execute(ready.sql, parameters)
            rows = cursor.fetchall()
        return [ready.read(_converted(row, ready.columns)) for row in rows]

    def first(self, *values: Value) -> Row | None:
        """The first row for these values; None without one."""
        return next(iter(self(*values)), None)


def _prepare(query: Callable[..., QuerySet[Any, Any]], values: Sequence[Value]) -> _Ready:
    places: dict[Value, int] = {
        FIRST_NUMBER + place if isinstance(value, int) else f"value {place} of a query": place
        for place, value in enumerate(values)
    }
    compiler = query(*places).query.get_compiler(DEFAULT_DB_ALIAS)
    sql, fixed = compiler.as_sql()
    parameters = [(each, places.get(each) if isinstance(each, Value) else None) for each in fixed]
    if {place for _, place in parameters} - {None} != {*places.values()}:
        raise TypeError(f"not every value is a parameter as it is: {sql}")
    columns = [(place, column) for place, (column, _, _) in enumerate(compiler.select) if _converters(column)]
    return _Ready(sql, parameters, columns, _reader(compiler.query))


def _reader(query: Any) -> Callable[[Sequence[Any]], Any]:
    if not query.default_cols:
        return tuple
    names = [field.attname for field in query.model._meta.concrete_fields]
    return partial(query.model.from_db, DEFAULT_DB_ALIAS, names)


def _converters(column: Any) -> list[Callable[..., Any]]:
    """The converters from database values to field values, as in Django's compiler."""
    return [*connection.ops.get_db_converters(column), *column.get_db_converters(connection)]


def _converted(row: Sequence[Any], columns: Sequence[tuple[int, Any]]) -> Sequence[Any]:
    if not columns:
        return row
    values = list(row)
    for place, column in columns:
        for convert in _converters(column):
            values[place] = convert(values[place], column, connection)
    return values
