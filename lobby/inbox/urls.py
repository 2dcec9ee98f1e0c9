"""URLs of the inbox."""

from django.urls import path

from lobby.inbox import views

urlpatterns = [
    path("inbox", views.inbox, name="inbox"),
    path("inbox/<str:name>", views.conversation, name="conversation"),
    path("inbox/<str:name>/read", views.read, name="read-conversation"),
]
