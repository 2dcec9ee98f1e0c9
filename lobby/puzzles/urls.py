"""URLs of verdicts on moves in puzzles."""

from django.urls import path

from lobby.puzzles import views

urlpatterns = [
    path("puzzle/<day:day>/answer", views.judge, name="puzzle-answer"),
    path("puzzle/<day:day>/moves/<str:move>", views.judge, name="puzzle-move"),
    path("puzzles/<slug:slug>/<slug:puzzle_key>/answer", views.judge, name="collected-puzzle-answer"),
    path("puzzles/<slug:slug>/<slug:puzzle_key>/moves/<str:move>", views.judge, name="collected-puzzle-move"),
]
