"""Tournaments: see what was done in one, and cancel it."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from lobby.admin.base import ReadOnly, shown_log
from lobby.admin.forms import NoteForm
from lobby.moderation import moderation
from lobby.tournaments.models import Tournament


@admin.register(Tournament)
class TournamentAdmin(ReadOnly):
    """Tournaments of all states, with the log of what their organisers and players did."""

    list_display = ("id", "title", "game", "format", "organiser", "state", "created")
    list_filter = ("state", "format", "game")
    list_select_related = ("organiser",)
    search_fields = ("id", "title", "organiser__username")
    ordering = ("-created",)
    fields = (
        "id",
        "title",
        "about",
        "organiser",
        "game",
        "format",
        "state",
        "created",
        "began",
        "ended",
        "log",
    )
    readonly_fields = ("log",)
    actions = ("cancel",)

    @admin.display(description=gettext_lazy("What was done"))
    def log(self, tournament: Tournament) -> SafeString:
        """The last actions, newest first."""
        # The log knows people by their entries, so that it keeps no name of an account that is gone.
        names = dict(tournament.entrants.values_list("pk", "user__username"))

        def named(details: dict[str, Any]) -> dict[str, Any]:
            name = names.get(details.get("entrant", 0))
            return details if name is None else {**details, "entrant": name}

        return shown_log(tournament.pk, named)

    @admin.action(permissions=["moderate"], description=gettext_lazy("Cancel the tournament…"))
    def cancel(self, request: HttpRequest, tournaments: QuerySet[Tournament]) -> HttpResponse | None:
        """Cancel tournaments that are not over."""
        return self.confirm(
            request,
            tournaments,
            _("Cancel the tournament"),
            NoteForm,
            moderation.cancel_tournament,
            _("cancelled."),
        )
