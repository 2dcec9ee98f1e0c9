"""URLs of puzzles for accounts."""

from django.urls import path

from lobby.puzzles import views

urlpatterns = [
    path("puzzles/<slug:slug>/<slug:puzzle_key>/attempt", views.attempt, name="puzzle-attempt"),
]
