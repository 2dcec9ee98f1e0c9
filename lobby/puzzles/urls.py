"""URLs of verdicts on moves in puzzles, of runs, and of the archive, which shows the best runs."""

from django.urls import path

from games.pages import mistakes, puzzle
from lobby.puzzles import runs, views

urlpatterns = [
    path("puzzles/run/<str:run_key>", views.run, name="puzzle-run"),
    # Before the archive of a game, which would be called like them.
    path("puzzles/days", puzzle.days, name="puzzle-days"),
    path("puzzles/mine", mistakes.listed, name="mistakes"),
    path("puzzles/<slug:slug>", views.archive_of, name="puzzles-of"),
    *(
        path(f"puzzles/<slug:slug>/{kind}", views.begin_run, {"kind": kind}, name=f"puzzle-{kind}")
        for kind in runs.KINDS
    ),
    path("puzzle/<day:day>/answer", views.judge, name="puzzle-answer"),
    path("puzzle/<day:day>/moves/<str:move>", views.judge, name="puzzle-move"),
    path("puzzles/<slug:slug>/<slug:puzzle_key>/answer", views.judge, name="collected-puzzle-answer"),
    path("puzzles/<slug:slug>/<slug:puzzle_key>/moves/<str:move>", views.judge, name="collected-puzzle-move"),
]
