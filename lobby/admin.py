from django.contrib import admin
from django.contrib.auth.admin import UserAdmin

from lobby.models import User


@admin.register(User)
class PersonAdmin(UserAdmin):  # type: ignore[type-arg]
    """People, guests apart from those who registered."""

    list_display = ("username", "email", "is_guest", "is_staff", "is_active", "date_joined")
    list_filter = ("is_guest", "is_staff", "is_superuser", "is_active")
