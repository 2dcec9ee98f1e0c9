"""URLs of profiles."""

from django.urls import path

from lobby.profiles import views

urlpatterns = [
    path("@/<str:name>", views.profile, name="profile"),
    path("@/<str:name>/matches.json", views.matches, name="matches-file"),
]
