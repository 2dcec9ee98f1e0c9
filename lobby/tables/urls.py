"""URLs of tables, and of what creates one."""

from django.urls import path

from lobby.tables.views import computers, new, one_board, tables

urlpatterns = [
    path("new", new.new_table, name="new"),
    path("new/<slug:game>", new.new_table, name="new-table"),
    path("m/<str:match_id>/again", new.same_as, name="same-as"),
    path("challenge/<str:name>", new.challenge, name="challenge"),
    path("challenge/<str:name>/<slug:game>", new.challenge, name="challenge-at"),
    path("computer", computers.play, name="play-computer"),
    path("computer/<slug:game>", computers.play, name="play-computer-at"),
    path("computer/<slug:game>/now", computers.play_now, name="play-computer-now"),
    path("together/<slug:game>", one_board.play, name="play-together"),
    path("together/<slug:game>/now", one_board.play_now, name="play-together-now"),
    path("i/<str:token>", tables.invitation, name="invitation"),
    path("t/<str:table_id>", tables.table, name="table"),
    path("t/<str:table_id>/card.png", tables.card, name="table-card"),
    path("t/<str:table_id>/sit", tables.sit_down, name="sit-down"),
    path("t/<str:table_id>/decline", tables.decline, name="decline"),
    path("t/<str:table_id>/invite", tables.invite, name="invite"),
    path("t/<str:table_id>/start", tables.start, name="start"),
    path("t/<str:table_id>/computer", tables.add_computer, name="add-computer"),
    path("t/<str:table_id>/computer/remove", tables.remove_computer, name="remove-computer"),
    path("t/<str:table_id>/stand", tables.stand_up, name="stand-up"),
]
