"""The only place where the lobby's functions are connected to signals. They do nothing but this."""

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_out
from django.db.models.signals import post_migrate, post_save, pre_save

from games.api import access
from games.net.threads import in_low_priority_thread as later
from games.play import signals as of_matches
from games.share import link_previews
from lobby import signals
from lobby.accounts import guests, user_changes
from lobby.chat import lines
from lobby.chat import sockets as match_chat
from lobby.clubs import notices as club_notices
from lobby.clubs import sockets as club_chat
from lobby.evenings import evenings
from lobby.feed import (
    lobby_feed,
    match_changes,
    match_invites,
    program_events,
    rating_changes,
    saved_matches,
    turn_feed,
)
from lobby.inbox import conversations
from lobby.moderation import moderators, reports
from lobby.notices import push_notifications, reminders
from lobby.pairing import queue
from lobby.people.models import User
from lobby.ratings import conduct, schedule
from lobby.tables import tables
from lobby.tokens import tokens
from lobby.tournaments import director, entries, next_matches, sheet
from lobby.tournaments.views import frames as tournament_frames
from lobby.webhooks import events


def connect(app: AppConfig) -> None:
    """Connect all handlers; called once at startup."""
    of_matches.matches_begun.connect(queue.matches_begun)
    of_matches.matches_begun.connect(match_invites.matches_begun)
    of_matches.matches_begun.connect(turn_feed.matches_begun)
    of_matches.matches_begun.connect(events.matches_begun)
    of_matches.matches_begun.connect(program_events.matches_begun)
    of_matches.matches_begun.connect(match_changes.matches_begun)
    of_matches.match_over.connect(match_changes.match_over)
    of_matches.match_over.connect(match_chat.match_over)
    of_matches.match_over.connect(schedule.match_over)
    of_matches.match_saved.connect(later(saved_matches.tell))
    of_matches.match_saved.connect(match_changes.match_saved)
    of_matches.match_resumed.connect(later(queue.cancel_players))
    of_matches.match_resumed.connect(match_changes.match_resumed)
    of_matches.call_changed.connect(later(match_invites.tell))
    of_matches.call_changed.connect(later(push_notifications.called))
    of_matches.call_changed.connect(later(saved_matches.tell))
    of_matches.turn_passed.connect(turn_feed.turns.passed)
    of_matches.turn_passed.connect(events.pending_turns.passed)
    of_matches.rated_rematch_wanted.connect(conduct.guard)
    of_matches.guests_among.connect(guests.among)
    access.token_shown.connect(tokens.caller)
    access.token_in_use.connect(tokens.is_good)
    link_previews.framed_pages.connect(tournament_frames.card_at)
    signals.silenced.connect(conversations.silenced)
    signals.table_changed.connect(lobby_feed.tell_table)
    signals.chair_left.connect(lobby_feed.tell_table)
    signals.table_gone.connect(lobby_feed.tell_table_gone)
    signals.table_gone.connect(program_events.table_gone)
    signals.challenged.connect(program_events.challenged)
    signals.challenge_declined.connect(lobby_feed.tell_declined)
    signals.challenge_declined.connect(program_events.declined)
    signals.renamed.connect(lobby_feed.tell_renamed)
    signals.renamed.connect(user_changes.renamed)
    signals.renamed.connect(lines.tell_renamed)
    signals.forgotten.connect(evenings.forget)
    signals.forgotten.connect(reports.forget)
    signals.matches_settled.connect(program_events.over)
    signals.matches_settled.connect(events.finished)
    signals.matches_settled.connect(rating_changes.tell)
    signals.matches_settled.connect(director.settled)
    signals.tournament_changed.connect(director.changed)
    signals.terms_changed.connect(push_notifications.terms_changed)
    signals.tournament_started.connect(events.tournament_started)
    signals.tournament_paired.connect(events.tournament_paired)
    signals.tournament_paired.connect(push_notifications.paired)
    signals.tournament_finished.connect(sheet.ended)
    signals.tournament_finished.connect(events.tournament_finished)
    signals.next_match.connect(next_matches.tell)
    signals.turns_came.connect(reminders.turns_came)
    signals.turns_came.connect(push_notifications.turns_came)
    signals.chair_taken.connect(push_notifications.chair_taken)
    signals.challenged.connect(push_notifications.challenged)
    signals.message_sent.connect(push_notifications.message_sent)
    signals.message_sent.connect(reminders.message_sent)
    signals.member_gone.connect(entries.member_gone)
    signals.member_gone.connect(tables.member_gone)
    signals.club_closing.connect(entries.club_closing)
    signals.member_gone.connect(club_chat.member_gone)
    signals.club_closing.connect(club_chat.club_closing)
    signals.notices_due.connect(club_notices.due)
    signals.request_answered.connect(club_notices.request_answered)
    signals.club_offered.connect(club_notices.club_offered)
    signals.club_inherited.connect(club_notices.club_inherited)
    # Django's own signals.
    user_logged_out.connect(user_changes.signed_out)
    pre_save.connect(user_changes.before_saving, sender=User)
    post_save.connect(user_changes.after_saving, sender=User)
    post_migrate.connect(moderators.make_group, sender=app)
