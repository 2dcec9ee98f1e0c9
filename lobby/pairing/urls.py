"""URLs of quick pairing."""

from django.urls import path

from lobby.pairing import views

urlpatterns = [
    path("pairing", views.enter, name="seek"),
    path("pairing/cancel", views.cancel, name="cancel-seek"),
    path("pairing/computer", views.play_computer, name="seek-computer"),
]
