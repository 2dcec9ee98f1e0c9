"""Studies: see those that others see, make one private, and let its owner show it again."""

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from lobby.admin.base import ReadOnly
from lobby.admin.forms import NoteForm
from lobby.moderation import moderation
from lobby.studies.models import Study


@admin.register(Study)
class StudyAdmin(ReadOnly):
    """Studies that are not private, and those that moderators made private."""

    list_display = ("title", "owner", "game", "visibility", "held", "created")
    list_filter = ("visibility", "held", "game")
    search_fields = ("id", "title")
    fields = ("id", "title", "owner", "game", "visibility", "held", "created")
    actions = ("hide", "release")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Study]:
        """Other private studies are their members'."""
        seen = ~Q(visibility=Study.Visibility.PRIVATE) | Q(held=True)
        return super().get_queryset(request).filter(seen)

    @admin.action(permissions=["moderate"], description=gettext_lazy("Make the study private…"))
    def hide(self, request: HttpRequest, chosen: QuerySet[Study]) -> HttpResponse | None:
        """Show studies to their members only."""
        return self.confirm(
            request, chosen, _("Make the study private"), NoteForm, moderation.hide_study, _("made private.")
        )

    @admin.action(permissions=["moderate"], description=gettext_lazy("Let the owner show the study again…"))
    def release(self, request: HttpRequest, chosen: QuerySet[Study]) -> HttpResponse | None:
        """End what `hide` did: the owner decides who sees a study."""
        return self.confirm(
            request,
            chosen,
            _("Let the owner show the study again"),
            NoteForm,
            moderation.release_study,
            _("may be shown again."),
        )
