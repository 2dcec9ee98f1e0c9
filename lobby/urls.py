"""URLs of the lobby."""

from django.urls import include, path

from lobby.about import views as about
from lobby.accounts import views as settings
from lobby.appeals import views as appeals
from lobby.clubs import views as clubs
from lobby.evenings import views as evenings
from lobby.front import views as front
from lobby.inbox import views as inbox
from lobby.notices import views as notices
from lobby.pairing import views as pairing
from lobby.people import views as people
from lobby.profiles import views as profiles
from lobby.ratings import views as leaderboards
from lobby.tables.views import computers, new, one_board, tables
from lobby.tables.views import invites as invitations
from lobby.tokens import views as tokens
from lobby.tournaments.views import frames as tournament_frames
from lobby.tournaments.views import tournaments
from lobby.webhooks import views as hooks

urlpatterns = [
    path("", include("lobby.kalaha.urls")),
    path("", front.lobby, name="lobby"),
    path("settings", settings.settings, name="settings"),
    path("settings/name", settings.name, name="guest-name"),
    path("settings/language", settings.choose_language, name="language"),
    path("settings/export", settings.export, name="export"),
    path("settings/delete", settings.delete, name="delete"),
    path("settings/sessions/<int:number>/end", settings.end_session, name="end-session"),
    path("settings/tokens", tokens.tokens, name="tokens"),
    path("settings/tokens/<int:number>/revoke", tokens.revoke, name="revoke-token"),
    path("settings/webhooks", hooks.overview, name="hooks"),
    path("settings/webhooks/<int:hook_id>", hooks.hook, name="hook"),
    path("settings/webhooks/<int:hook_id>/again/<int:delivery_id>", hooks.again, name="send-again"),
    path("settings/webhooks/<int:hook_id>/<slug:act>", hooks.decide, name="decide-hook"),
    path("settings/devices", notices.add_device, name="devices"),
    path("settings/devices/<int:number>/end", notices.end_device, name="end-device"),
    path("settings/reminders", notices.choose_reminders, name="reminders"),
    path("reminders/stop/<str:token>", notices.stop_reminders, name="stop-reminders"),
    path("guest", front.play_as_guest, name="guest"),
    path("people", people.people, name="people"),
    path("people/online", people.online, name="online"),
    path("people/<str:name>/report", people.report, name="report"),
    path("people/<str:name>/<slug:act>", people.decide, name="decide"),
    path("inbox", inbox.inbox, name="inbox"),
    path("inbox/<str:name>", inbox.conversation, name="conversation"),
    path("inbox/<str:name>/read", inbox.read, name="read-conversation"),
    path("privacy", about.privacy, name="privacy"),
    path("contact", about.contact, name="contact"),
    path("imprint", about.imprint, name="imprint"),
    path("terms", about.terms, name="terms"),
    path("appeal", appeals.appeal, name="appeal"),
    path("mute", appeals.mute, name="mute"),
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
    path("i/<str:token>", invitations.invitation, name="invitation"),
    path("pairing", pairing.enter, name="seek"),
    path("pairing/cancel", pairing.cancel, name="cancel-seek"),
    path("pairing/computer", pairing.play_computer, name="seek-computer"),
    path("t/<str:table_id>", tables.table, name="table"),
    path("t/<str:table_id>/sit", tables.sit_down, name="sit-down"),
    path("t/<str:table_id>/decline", tables.decline, name="decline"),
    path("t/<str:table_id>/invite", tables.invite, name="invite"),
    path("t/<str:table_id>/start", tables.start, name="start"),
    path("t/<str:table_id>/computer", tables.add_computer, name="add-computer"),
    path("t/<str:table_id>/computer/remove", tables.remove_computer, name="remove-computer"),
    path("t/<str:table_id>/stand", tables.stand_up, name="stand-up"),
    path("tournaments", tournaments.overview, name="tournaments"),
    path("tournaments/rules", tournaments.rules, name="tournament-rules"),
    path("tournaments/new", tournaments.new, name="new-tournament"),
    path("tournaments/new/<slug:game>", tournaments.new, name="new-tournament-at"),
    path("tournament/<str:tournament_id>", tournaments.tournament, name="tournament"),
    path("tournament/<str:tournament_id>/edit", tournaments.edit, name="tournament-edit"),
    path("tournament/<str:tournament_id>/embed", tournament_frames.embed, name="tournament-embed"),
    path("tournament/<str:tournament_id>/wall", tournaments.wall, name="tournament-wall"),
    path(
        "tournament/<str:tournament_id>/certificates",
        tournaments.certificates,
        name="tournament-certificates",
    ),
    path("tournament/<str:tournament_id>/results.csv", tournaments.results_csv, name="tournament-csv"),
    path("tournament/<str:tournament_id>/results.json", tournaments.results_json, name="tournament-json"),
    *(
        path(f"tournament/<str:tournament_id>/{act}", tournaments.act, {"act": act}, f"tournament-{act}")
        for act in tournaments.ACTS
    ),
    path("evening", evenings.home, name="evenings"),
    path("evening/open", evenings.open_evening, name="open-evening"),
    path("evening/<str:code>", evenings.evening, name="evening"),
    path("evening/<str:code>/version", evenings.version, name="evening-version"),
    path("evening/<str:code>/erase", evenings.erase, name="evening-erase"),
    *(
        path(f"evening/<str:code>/{act}", evenings.act, {"act": act}, f"evening-{act}")
        for act in evenings.ACTS
    ),
    path("clubs", clubs.overview, name="clubs"),
    path("clubs/rules", clubs.club_rules, name="club-rules"),
    path("clubs/new", clubs.new, name="new-club"),
    path("club/<str:club>", clubs.club, name="club"),
    path("club/<str:club>/edit", clubs.edit, name="edit-club"),
    *(path(f"club/<str:club>/{act}", clubs.act, {"act": act}, f"club-{act}") for act in clubs.ACTS),
    path("@/<str:name>", profiles.profile, name="profile"),
    path("@/<str:name>/matches.json", profiles.matches, name="matches-file"),
    path("leaderboards", leaderboards.leaderboards, name="leaderboards"),
    path("leaderboards/<slug:slug>", leaderboards.leaderboard, name="leaderboard"),
]
