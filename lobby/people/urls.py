"""URLs of people."""

from django.urls import path

from lobby.people import views

urlpatterns = [
    path("people", views.people, name="people"),
    path("people/online", views.online, name="online"),
    path("people/<str:name>/report", views.report, name="report"),
    path("people/<str:name>/<slug:act>", views.decide, name="decide"),
]
