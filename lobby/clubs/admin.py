"""Clubs: see what was done in one, rename it, and close it."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from lobby.admin.base import ReadOnly, shown_log
from lobby.admin.forms import NoteForm, RenameClubForm
from lobby.clubs import lookup
from lobby.clubs.models import Club
from lobby.moderation import moderation


@admin.register(Club)
class ClubAdmin(ReadOnly):
    """Clubs, with their members and the log of what was done."""

    list_display = ("name", "slug", "joining", "created")
    list_filter = ("joining",)
    search_fields = ("id", "name")
    ordering = ("-created",)
    fields = ("id", "name", "slug", "about", "joining", "created", "staff", "log")
    readonly_fields = ("staff", "log")
    actions = ("rename", "close")

    @admin.display(description=gettext_lazy("Owner and organisers"))
    def staff(self, club: Club) -> SafeString:
        """The owner and the organisers."""
        found = lookup.members(club).exclude(role=lookup.Role.MEMBER)
        said = ((each.user, each.get_role_display()) for each in found)
        return format_html_join("", "<div>{}: {}</div>", said)

    @admin.display(description=gettext_lazy("What was done"))
    def log(self, club: Club) -> SafeString:
        """The last actions, newest first."""
        return shown_log(club.pk)

    @admin.action(permissions=["moderate"], description=gettext_lazy("Rename the club…"))
    def rename(self, request: HttpRequest, clubs: QuerySet[Club]) -> HttpResponse | None:
        """Give a club another name."""
        return self.confirm(
            request, clubs, _("Rename the club"), RenameClubForm, moderation.rename_club, _("renamed.")
        )

    @admin.action(permissions=["moderate"], description=gettext_lazy("Close the club…"))
    def close(self, request: HttpRequest, clubs: QuerySet[Club]) -> HttpResponse | None:
        """Close clubs for good."""
        return self.confirm(
            request, clubs, _("Close the club"), NoteForm, moderation.close_club, _("closed.")
        )
