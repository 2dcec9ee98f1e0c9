"""The only place where the lobby's functions are connected to signals. It does nothing but this.

The service that changes something sends its signal in the same transaction, so a handler that fails rolls
the change back.
"""

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_out
from django.db.models.signals import post_migrate, post_save, pre_save

from games.api import access
from games.net.threads import in_low_priority_thread as later
from games.play import signals as of_matches
from games.puzzles.signals import ratings_known
from games.share import link_previews
from games.watch import signals as of_watching
from lobby.accounts import guests, user_changes
from lobby.accounts.signals import forgotten
from lobby.chat import lines
from lobby.chat import sockets as chat_sockets
from lobby.classes import pupils, teachers
from lobby.clubs import notices as club_notices
from lobby.clubs import sockets as club_sockets
from lobby.clubs.signals import (
    club_closing,
    club_inherited,
    club_offered,
    member_gone,
    notices_due,
    request_answered,
)
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
from lobby.homework import homework
from lobby.inbox import conversations
from lobby.inbox.signals import message_sent
from lobby.ladders import keeper as ladder_keeper
from lobby.ladders import ladders
from lobby.ladders import notices as ladder_notices
from lobby.ladders.signals import challenge_accepted, challenge_made, challenge_over
from lobby.moderation import moderators, reports
from lobby.notices import push_notifications, reminders
from lobby.pairing import queue
from lobby.people import circles
from lobby.people.models import User
from lobby.people.signals import renamed, silenced
from lobby.puzzles import ratings as puzzle_ratings
from lobby.ratings import conduct, schedule
from lobby.ratings.signals import matches_settled
from lobby.schoolyear.keeper import class_keeper
from lobby.schoolyear.signals import ends_due
from lobby.studies import sockets as study_sockets
from lobby.studies import studies
from lobby.studies.signals import chapter_changed, study_changed
from lobby.tables import tables
from lobby.tables.signals import (
    chair_left,
    chair_taken,
    challenge_declined,
    challenged,
    table_changed,
    table_gone,
)
from lobby.tokens import tokens
from lobby.tournaments import director, entries, frames, next_matches, sheet
from lobby.tournaments.signals import (
    club_answered,
    club_invited,
    next_match,
    terms_changed,
    tournament_changed,
    tournament_finished,
    tournament_paired,
    tournament_started,
)
from lobby.vacations import vacations
from lobby.webhooks import events
from lobby.webhooks.signals import turns_came


def connect(app: AppConfig) -> None:
    """Connect all handlers; called once at startup."""
    of_matches.match_wanted.connect(circles.terms_of)
    of_watching.private_match_wanted.connect(circles.may_watch)
    of_matches.matches_begun.connect(queue.matches_begun)
    of_matches.matches_begun.connect(match_invites.matches_begun)
    of_matches.matches_begun.connect(turn_feed.matches_begun)
    of_matches.matches_begun.connect(events.matches_begun)
    of_matches.matches_begun.connect(program_events.matches_begun)
    of_matches.matches_begun.connect(match_changes.matches_begun)
    of_matches.match_over.connect(match_changes.match_over)
    of_matches.match_over.connect(chat_sockets.match_over)
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
    of_matches.vacations_of.connect(vacations.in_match)
    access.token_received.connect(tokens.caller)
    access.token_in_use.connect(tokens.is_good)
    link_previews.framed_pages.connect(frames.card_at)
    ratings_known.connect(puzzle_ratings.known)
    silenced.connect(conversations.silenced)
    table_changed.connect(lobby_feed.tell_table)
    chair_left.connect(lobby_feed.tell_table)
    table_gone.connect(lobby_feed.tell_table_gone)
    table_gone.connect(program_events.table_gone)
    challenged.connect(program_events.challenged)
    challenge_declined.connect(lobby_feed.tell_declined)
    challenge_declined.connect(program_events.declined)
    renamed.connect(lobby_feed.tell_renamed)
    renamed.connect(user_changes.renamed)
    renamed.connect(lines.tell_renamed)
    renamed.connect(entries.renamed)
    forgotten.connect(evenings.forget)
    forgotten.connect(homework.forget)
    forgotten.connect(teachers.forget)
    forgotten.connect(pupils.forget)
    forgotten.connect(reports.forget)
    forgotten.connect(studies.forget)
    matches_settled.connect(program_events.over)
    matches_settled.connect(events.finished)
    matches_settled.connect(rating_changes.tell)
    matches_settled.connect(director.settled)
    tournament_changed.connect(director.changed)
    terms_changed.connect(push_notifications.terms_changed)
    tournament_started.connect(events.tournament_started)
    tournament_paired.connect(events.tournament_paired)
    tournament_paired.connect(push_notifications.paired)
    tournament_finished.connect(sheet.ended)
    tournament_finished.connect(events.tournament_finished)
    next_match.connect(next_matches.tell)
    club_invited.connect(push_notifications.club_invited)
    club_answered.connect(push_notifications.club_answered)
    turns_came.connect(reminders.turns_came)
    turns_came.connect(push_notifications.turns_came)
    chair_taken.connect(push_notifications.chair_taken)
    challenged.connect(push_notifications.challenged)
    message_sent.connect(push_notifications.message_sent)
    message_sent.connect(reminders.message_sent)
    member_gone.connect(entries.member_gone)
    member_gone.connect(tables.member_gone)
    club_closing.connect(entries.club_closing)
    member_gone.connect(club_sockets.member_gone)
    club_closing.connect(club_sockets.club_closing)
    study_changed.connect(study_sockets.study_changed)
    chapter_changed.connect(study_sockets.chapter_changed)
    notices_due.connect(club_notices.club_notices.wake)
    ends_due.connect(class_keeper.wake)
    request_answered.connect(club_notices.request_answered)
    club_offered.connect(club_notices.club_offered)
    club_inherited.connect(club_notices.club_inherited)
    member_gone.connect(ladders.member_gone)
    matches_settled.connect(ladder_keeper.settled)
    challenge_made.connect(ladder_notices.made)
    challenge_accepted.connect(ladder_notices.accepted)
    challenge_over.connect(ladder_notices.over)
    # Django's own signals.
    user_logged_out.connect(user_changes.signed_out)
    pre_save.connect(user_changes.before_saving, sender=User)
    post_save.connect(user_changes.after_saving, sender=User)
    post_migrate.connect(moderators.make_groups, sender=app)
