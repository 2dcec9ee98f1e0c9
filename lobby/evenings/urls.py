"""URLs of evenings."""

from django.urls import path

from lobby.evenings import views

urlpatterns = [
    path("evening", views.home, name="evenings"),
    path("evening/open", views.open_evening, name="open-evening"),
    path("evening/<str:code>", views.evening, name="evening"),
    path("evening/<str:code>/version", views.version, name="evening-version"),
    path("evening/<str:code>/erase", views.erase, name="evening-erase"),
    *(path(f"evening/<str:code>/{act}", views.act, {"act": act}, f"evening-{act}") for act in views.ACTIONS),
]
