"""URLs of vacations."""

from django.urls import path

from lobby.vacations import views

urlpatterns = [
    path("settings/vacation", views.vacation, name="vacation"),
    path("settings/vacation/end", views.end, name="end-vacation"),
]
