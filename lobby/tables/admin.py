"""Tables in the admin: close them."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from lobby.admin.base import ReadOnly
from lobby.admin.forms import NoteForm
from lobby.moderation import moderation
from lobby.tables.models import Table


@admin.register(Table)
class TableAdmin(ReadOnly):
    """Tables that wait for players, and those whose match has begun."""

    list_display = ("id", "game", "host", "seats", "created", "match")
    list_filter = (("match", admin.EmptyFieldListFilter), "game")
    list_select_related = ("host", "match")
    search_fields = ("id", "host__username")
    ordering = ("-created",)
    actions = ("close",)

    @admin.action(permissions=["moderate"], description=gettext_lazy("Close the table…"))
    def close(self, request: HttpRequest, tables: QuerySet[Table]) -> HttpResponse | None:
        """Cancel tables that wait for players."""
        return self.confirm(
            request, tables, _("Close the table"), NoteForm, moderation.close_table, _("closed.")
        )
