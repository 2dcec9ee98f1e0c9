"""Studies: see those that others see, make one private, and let its owner show it again."""

from django.contrib import admin
from django.db.models import Q, QuerySet
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

    @admin.action(permissions=["moderate"], description=gettext_lazy("Let the owner show the study again…"))
    def release(self, request: HttpRequest, chosen: QuerySet[Study]) -> HttpResponse | None:
        """End what `hide` did: the owner decides who sees a study."""
        form = self.confirmed_form(request, chosen, _("Let the owner show the study again"), NoteForm)
        if isinstance(form, HttpResponse):
            return form
        reason = form.cleaned_data["reason"]
        self.apply(
            request,
            chosen,
            lambda study: moderation.release_study(me(request), study, reason),
            _("may be shown again."),
        )
        return None
