"""URLs of the Kalaha note."""

from django.urls import path

from lobby.kalaha import views

urlpatterns = [
    path("mancala/game", views.game, name="note-game"),
    path("mancala/game/move", views.move, name="note-move"),
]
