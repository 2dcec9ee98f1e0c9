"""URLs of positions."""

from django.urls import path

from lobby.positions import views

urlpatterns = [
    path("position/<slug:slug>", views.page, name="position"),
    path("m/<str:match_id>/position/<int:ply>", views.of_match, name="match-position"),
    path("position/<slug:slug>.png", views.card, name="position-card"),
]
