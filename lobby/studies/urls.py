"""URLs of the analysis board and of studies."""

from django.urls import path

from lobby.studies import views

urlpatterns = [
    path("analysis/plies", views.plies, name="analysis-plies"),
    path("analysis/evaluation", views.evaluation, name="evaluation"),
    path("analysis/<slug:slug>", views.analysis, name="analysis"),
    path("studies", views.overview, name="studies"),
    path("studies/new", views.new, name="new-study"),
    # Before the page of a study, whose id would have the dot in it.
    path("study/<str:study_id>.json", views.study_file, name="study-file"),
    path("study/<str:study_id>", views.study, name="study"),
    path("study/<str:study_id>/chapter/<int:chapter_id>", views.chapter_file, name="study-chapter"),
    *(path(f"study/<str:study_id>/{act}", views.act, {"act": act}, f"study-{act}") for act in views.ACTIONS),
]
