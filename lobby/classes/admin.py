"""Classes: who teaches them, and how many pupils they have. Names of pupils are the class's own."""

from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy

from lobby.admin.base import ReadOnly
from lobby.classes import teachers
from lobby.classes.models import SchoolClass


@admin.register(SchoolClass)
class ClassAdmin(ReadOnly):
    """Classes, for administrators."""

    list_display = ("title", "size", "created")
    search_fields = ("title",)
    fields = ("title", "size", "taught_by", "chat", "created")
    readonly_fields = ("size", "taught_by")

    def get_queryset(self, request: HttpRequest) -> QuerySet[SchoolClass]:
        """Classes with the numbers of their pupils."""
        classes: QuerySet[SchoolClass] = super().get_queryset(request)
        return classes.annotate(number=Count("pupils"))

    @admin.display(description=gettext_lazy("Pupils"))
    def size(self, school_class: SchoolClass) -> int:
        """The number of pupils."""
        number: int = school_class.number  # type: ignore[attr-defined]
        return number

    @admin.display(description=gettext_lazy("Teachers"))
    def taught_by(self, school_class: SchoolClass) -> SafeString:
        """The teachers, and who is invited."""
        return format_html_join("", "<div>{}</div>", ((each.user,) for each in teachers.of(school_class)))
