"""Addresses of the match pages."""

from django.urls import path

from games import views

urlpatterns = [path("<str:match_id>", views.match_page, name="match")]
