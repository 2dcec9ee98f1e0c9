"""Addresses of the matches and of the games they are of."""

from django.urls import path, register_converter

from games.pages import (
    analysis,
    conditional,
    demonstrations,
    design,
    embed,
    examples,
    files,
    introduction,
    matches,
    mistakes,
    pictures,
    puzzle,
)

register_converter(puzzle.Day, "day")

urlpatterns = [
    # Before the page of a match, whose id would have the dot in it.
    path("m/<str:match_id>.txt", files.text_file, name="match-text"),
    path("m/<str:match_id>.json", files.json_file, name="match-json"),
    path("m/<str:match_id>.svg", pictures.svg, name="picture"),
    path("m/<str:match_id>.png", pictures.png, name="picture-png"),
    path("m/<str:match_id>/<int:ply>.svg", pictures.svg, name="picture-at"),
    path("m/<str:match_id>/result.png", pictures.result, name="result-png"),
    path("m/<str:match_id>/<int:ply>.png", pictures.png, name="picture-png-at"),
    path("embed/<str:match_id>", embed.embed, name="embed"),
    path("oembed", embed.oembed, name="oembed"),
    path("replay", files.replay_file, name="replay"),
    path("m/<str:match_id>", matches.match_page, name="match"),
    path("m/<str:match_id>/conditional", conditional.kept, name="conditional"),
    path("m/<str:match_id>/conditional/<int:ply>", conditional.position, name="conditional-position"),
    path("m/<str:match_id>/why", matches.why, name="match-why"),
    path("m/<str:match_id>/dice", matches.dice_page, name="match-dice"),
    path("m/<str:match_id>/dice.json", matches.dice_file, name="match-dice-file"),
    path("m/<str:match_id>/analysis", analysis.analysis_page, name="match-analysis"),
    path("m/<str:match_id>/analysis.json", analysis.analysis_file, name="match-analysis-file"),
    path(
        "m/<str:match_id>/analysis/<int:after>/moves/<str:move>",
        analysis.try_move,
        name="match-analysis-move",
    ),
    path("m/<str:match_id>/positions.json", analysis.positions_file, name="match-positions"),
    path("puzzle", puzzle.page, name="puzzle"),
    path("puzzle/<day:day>", puzzle.page, name="puzzle-of"),
    path("puzzle/<day:day>.svg", puzzle.picture, name="puzzle-picture"),
    path("puzzle/<day:day>.png", puzzle.card, name="puzzle-card"),
    path("puzzle/<day:day>/answer", puzzle.answer, name="puzzle-answer"),
    path("puzzle/<day:day>/moves/<str:move>", puzzle.judge, name="puzzle-move"),
    path("puzzles", puzzle.archive, name="puzzles"),
    path("puzzles/days", puzzle.days, name="puzzle-days"),
    path("puzzles/mine", mistakes.listed, name="mistakes"),
    path("puzzles/mine/<str:match_id>/<int:after>", mistakes.page, name="mistake"),
    path("puzzles/mine/<str:match_id>/<int:after>.svg", mistakes.picture, name="mistake-picture"),
    path("puzzles/mine/<str:match_id>/<int:after>/answer", mistakes.answer, name="mistake-answer"),
    path("puzzles/mine/<str:match_id>/<int:after>/moves/<str:move>", mistakes.judge, name="mistake-move"),
    path("puzzles/<slug:slug>", puzzle.archive_of, name="puzzles-of"),
    path("puzzles/<slug:slug>/set", puzzle.made_set, name="puzzle-set"),
    path("puzzles/<slug:slug>/<slug:puzzle_key>", puzzle.collected, name="collected-puzzle"),
    path("puzzles/<slug:slug>/<slug:puzzle_key>.svg", puzzle.picture, name="collected-puzzle-picture"),
    path("puzzles/<slug:slug>/<slug:puzzle_key>.png", puzzle.card, name="collected-puzzle-card"),
    path("puzzles/<slug:slug>/<slug:puzzle_key>/answer", puzzle.answer, name="collected-puzzle-answer"),
    path(
        "puzzles/<slug:slug>/<slug:puzzle_key>/moves/<str:move>", puzzle.judge, name="collected-puzzle-move"
    ),
    path("design", design.design_page, name="design"),
    path("rules/<slug:slug>.svg", demonstrations.picture, name="demonstration-picture"),
    path("rules/<slug:slug>.png", demonstrations.card, name="demonstration-card"),
    path("rules/<slug:slug>.json", demonstrations.plies, name="demonstration"),
    path("rules/<slug:slug>/examples.json", examples.examples, name="examples"),
    path("rules/<slug:slug>/try", introduction.page, name="introduction"),
    path("rules/<slug:slug>", matches.rules_page, name="rules"),
]
