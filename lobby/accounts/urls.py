"""URLs of a user's settings."""

from django.urls import path

from lobby.accounts import views

urlpatterns = [
    path("settings", views.settings, name="settings"),
    path("settings/name", views.name, name="guest-name"),
    path("settings/language", views.choose_language, name="language"),
    path("settings/export", views.export, name="export"),
    path("settings/delete", views.delete, name="delete"),
    path("settings/sessions/<int:number>/end", views.end_session, name="end-session"),
]
