"""Tables for spreadsheets, as CSV."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence

from django.http import HttpResponse

BYTE_ORDER_MARK = "\ufeff"
"""Without it, some spreadsheets take UTF-8 for another encoding."""
FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n")
"""Text that begins with one of these is a formula for spreadsheets."""


def csv_response(name: str, rows: Iterable[Sequence[str | float]]) -> HttpResponse:
    """Rows as a file to download. Text that people have typed is no formula in it.

    Args:
        name: of the file, without its ending.
        rows: the first one has the names of the columns.
    """
    response = HttpResponse(BYTE_ORDER_MARK, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    csv.writer(response).writerows([_cell(value) for value in row] for row in rows)
    return response


def _cell(value: str | float) -> str | float:
    """A value that a spreadsheet shows as it is."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULAS) else value
