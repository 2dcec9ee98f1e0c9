"""URLs of the analysis board and of studies."""

from django.urls import path

from lobby.studies import views

urlpatterns = [
    path("analysis/plies", views.plies, name="analysis-plies"),
    path("analysis/<slug:slug>", views.analysis, name="analysis"),
]
