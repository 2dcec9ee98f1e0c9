"""URLs of API tokens."""

from django.urls import path

from lobby.tokens import views

urlpatterns = [
    path("settings/tokens", views.tokens, name="tokens"),
    path("settings/tokens/<int:number>/revoke", views.revoke, name="revoke-token"),
]
