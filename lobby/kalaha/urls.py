"""Addresses of the interfaces that notes describe, each in the file of its game."""

from importlib.util import find_spec

from django.urls import include, path

from games.registry import GAMES

urlpatterns = [
    path("", include(f"{__package__}.{slug}_urls"))
    for slug in GAMES
    if find_spec(f"{__package__}.{slug}_urls")
]
