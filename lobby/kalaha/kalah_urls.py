"""URLs of the Kalaha note."""

from django.urls import path

from lobby.kalaha import kalah_views

urlpatterns = [
    path("mancala/game", kalah_views.game, name="note-game"),
    path("mancala/game/move", kalah_views.move, name="note-move"),
]
