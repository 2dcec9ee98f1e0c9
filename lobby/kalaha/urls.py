"""URLs of the APIs that notes describe, one file per game."""

from importlib.util import find_spec

from django.urls import include, path

from games.registry import GAMES

urlpatterns = [
    path("", include(f"{__package__}.{slug}_urls"))
    for slug in GAMES
    if find_spec(f"{__package__}.{slug}_urls")
]
