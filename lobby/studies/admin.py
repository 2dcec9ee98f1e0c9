"""Studies: see those that others see, and make one private."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from lobby.admin.base import ReadOnly
from lobby.admin.forms import NoteForm
from lobby.moderation import moderation
from lobby.people.admin import me
from lobby.studies.models import Study


@admin.register(Study)
class StudyAdmin(ReadOnly):
    """Studies that are not private."""

    list_display = ("title", "owner", "game", "visibility", "created")
    list_filter = ("visibility", "game")
    search_fields = ("id", "title")
    fields = ("id", "title", "owner", "game", "visibility", "created")
    actions = ("hide",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Study]:
        """Private studies are their members'."""
        return super().get_queryset(request).exclude(visibility=Study.Visibility.PRIVATE)

    @admin.action(permissions=["moderate"], description=gettext_lazy("Make the study private…"))
    def hide(self, request: HttpRequest, chosen: QuerySet[Study]) -> HttpResponse | None:
        """Show studies to their members only."""
        form = self.confirmed_form(request, chosen, _("Make the study private"), NoteForm)
        if isinstance(form, HttpResponse):
            return form
        reason = form.cleaned_data["reason"]
        self.apply(
            request,
            chosen,
            lambda study: moderation.hide_study(me(request), study, reason),
            _("made private."),
        )
        return None
