"""What the lobby does when matches, tables or users change.

`connect` is the only place where handlers are connected to signals.
"""

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from asgiref.sync import async_to_sync
from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_out
from django.db import transaction
from django.db.models.signals import post_migrate, post_save, pre_save
from django.http import HttpRequest

from games.api import access
from games.domain.terms import Terms
from games.net.debounce import Debouncer
from games.net.hub import hub
from games.net.sessions import sessions
from games.net.threads import in_low_priority_thread
from games.play import signals as of_matches
from games.play.matches import matches as service
from games.watch import visibility
from games.watch.delay import LATE_ENOUGH
from lobby import signals
from lobby.accounts import guests
from lobby.chat import lines
from lobby.feed import lobby_feed, match_invites, program_events, rating_changes, saved_matches, turn_feed
from lobby.models import User
from lobby.moderation import moderators
from lobby.notices import push_texts, reminders
from lobby.pairing import queue
from lobby.ratings import conduct, results
from lobby.sockets import match_chat
from lobby.tokens import tokens
from lobby.webhooks import events

A_MOMENT = 0.2
"""Seconds for which ended matches are collected, so that they are handled together."""
AT_ONCE = 5
"""Maximum matches settled in one transaction."""


def connect(app: AppConfig) -> None:
    """Connect all handlers; called once at startup."""
    of_matches.match_begun.connect(match_begun)
    of_matches.match_over.connect(match_over)
    of_matches.match_over.connect(rooms_open)
    of_matches.match_over.connect(settle)
    of_matches.match_saved.connect(match_saved)
    of_matches.match_resumed.connect(match_resumed)
    of_matches.call_changed.connect(call_changed)
    of_matches.turn_passed.connect(turn_passed)
    of_matches.rated_rematch_wanted.connect(conduct.guard)
    of_matches.guests_among.connect(guests.among)
    access.token_shown.connect(tokens.caller)
    access.token_in_use.connect(tokens.is_good)
    signals.table_changed.connect(lobby_feed.tell_table)
    signals.chair_left.connect(lobby_feed.tell_table)
    signals.table_gone.connect(lobby_feed.tell_table_gone)
    signals.table_gone.connect(program_events.table_gone)
    signals.challenged.connect(program_events.challenged)
    signals.challenge_declined.connect(lobby_feed.tell_declined)
    signals.challenge_declined.connect(program_events.declined)
    signals.renamed.connect(renamed)
    signals.matches_settled.connect(program_events.over)
    signals.matches_settled.connect(events.finished)
    signals.matches_settled.connect(rating_changes.tell)
    signals.turns_came.connect(reminders.turns_came)
    signals.turns_came.connect(push_texts.turns_came)
    signals.chair_taken.connect(push_texts.chair_taken)
    signals.challenged.connect(push_texts.challenged)
    # Django's own signals.
    user_logged_out.connect(signed_out)
    pre_save.connect(before_saving, sender=User)
    post_save.connect(after_saving, sender=User)
    post_migrate.connect(moderators.make_group, sender=app)


def match_begun(match_id: str) -> None:
    """Notify the players of a new match, their API clients and webhooks, and show it in every lobby.

    Does nothing for hot-seat matches: all players are present, and spectators have the URL.
    """
    queue.cancel_players(match_id)
    match = lobby_feed.matches_in_play().filter(pk=match_id, holder=None).first()
    if match is None:
        return
    table = getattr(match, "table", None)
    if table is not None:
        lobby_feed.tell_table(table)
    match_invites.tell_begun(match)
    turn_feed.begun(match)
    events.begun(match)
    program_events.begun(match)
    lobby_feed.tell_match(match_id)
    if match.rematch_of_id is not None and visibility.spectator_access(match).behind:
        # Delayed spectators do not know yet that the previous match is over.
        async_to_sync(_show_later)(match_id, match.terms)


async def match_over(match_id: str, terms: Terms) -> None:
    """Remove a match from every lobby, shortly after spectators may know of its end."""
    await _watchers_know(terms)
    _gone.note(match_id, None)


def _tell_over(match_ids: Iterable[str]) -> None:
    for some in _few(match_ids):
        hub.spawn(in_low_priority_thread(lobby_feed.tell_matches_over)(*some))


async def match_saved(match_id: str, terms: Terms) -> None:
    """Show a saved match to its players, and remove it from the lists of matches in play."""
    await in_low_priority_thread(saved_matches.tell)(match_id)
    await _watchers_know(terms)
    await in_low_priority_thread(lobby_feed.tell_match_saved)(match_id)


async def match_resumed(match_id: str, terms: Terms) -> None:
    """Show a resumed match in every lobby again."""
    await in_low_priority_thread(queue.cancel_players)(match_id)
    await _watchers_know(terms)
    await in_low_priority_thread(lobby_feed.tell_match)(match_id)


async def call_changed(match_id: str) -> None:
    """Notify the players of a match of its open call, on all pages and devices."""
    await in_low_priority_thread(match_invites.tell)(match_id)
    await in_low_priority_thread(push_texts.called)(match_id)
    await in_low_priority_thread(saved_matches.tell)(match_id)


def turn_passed(match_id: str, players: Mapping[int, int], mover: int | None) -> None:
    """Notify the players, and their webhooks, whose turn it is."""
    turn_feed.turns.passed(match_id, players.keys(), mover)
    events.pending_turns.passed(match_id, mover)


async def rooms_open(match_id: str, _terms: Terms) -> None:
    """Let the players of an ended match read the spectators' chat."""
    match_chat.tell_over(match_id)


async def settle(match_id: str, terms: Terms) -> None:
    """Settle a match soon after its end, together with others."""
    _ended.note(match_id, terms)


def _settle(ended: Mapping[str, Terms]) -> None:
    for some in _few(ended):
        hub.spawn(_settle_few({match_id: ended[match_id] for match_id in some}))


async def _settle_few(ended: Mapping[str, Terms]) -> None:
    """Settle matches, and rate each once spectators may know of its end.

    If one of them cannot be settled, none is; the sweeper then settles them one by one.
    """
    for match_id in await in_low_priority_thread(results.settle)(*ended):
        hub.spawn(_rate_when_known(match_id, ended[match_id]))


async def _rate_when_known(match_id: str, terms: Terms) -> None:
    await _watchers_know(terms)
    await in_low_priority_thread(results.rate)(match_id)


def _few(match_ids: Iterable[str]) -> Iterator[list[str]]:
    """Split matches into chunks of one transaction each, since a long one would delay moves."""
    rest = list(match_ids)
    while rest:
        some, rest = rest[:AT_ONCE], rest[AT_ONCE:]
        yield some


_gone: Debouncer[str, None] = Debouncer(A_MOMENT, _tell_over)
_ended: Debouncer[str, Terms] = Debouncer(A_MOMENT, _settle)


def renamed(user: User, before: str) -> None:
    """Show a user's new name everywhere: in the lobby, in chats and at boards."""
    lobby_feed.tell_renamed(user)
    transaction.on_commit(partial(service.renamed, user.pk), robust=True)
    if user.username != before:
        lines.tell_renamed(before, user.get_username())


def signed_out(request: HttpRequest, user: User | None, **_: Any) -> None:
    """Close the sockets of a session that ends."""
    key = request.session.session_key
    # Django flushes it right after this signal. Do it now, so that the session cannot open new sockets.
    request.session.flush()
    if user is not None and key:
        sessions.sign_out(user.pk, key)


def before_saving(instance: User, update_fields: Any = None, **_: Any) -> None:
    """Remember the user's password and ban before they change."""
    instance.entry_before = None  # type: ignore[attr-defined]
    if instance.pk and (update_fields is None or {"password", "is_active"} & {*update_fields}):
        instance.entry_before = User.objects.filter(pk=instance.pk).first()  # type: ignore[attr-defined]


def after_saving(instance: User, **_: Any) -> None:
    """Close the sockets of a user with a new password, or who was banned or deleted.

    A new password revokes the API tokens too: an attacker who knew the old one may have created some.
    """
    before: User | None = instance.entry_before  # type: ignore[attr-defined]
    if before is None:
        return
    if before.has_usable_password() and _has_new_password(instance):
        tokens.forget(instance.pk)
    if before.is_active != instance.is_active:
        transaction.on_commit(partial(service.renamed, instance.pk), robust=True)
    now = instance.get_session_auth_hash()
    if before.is_active and not instance.is_active:
        act = partial(sessions.sign_out, instance.pk)
    elif before.get_session_auth_hash() == now:
        return
    elif before.is_guest and not instance.is_guest:
        # No other client was ever signed in as this guest.
        act = partial(sessions.renew, instance.pk, now)
    else:
        act = partial(sessions.sign_out, instance.pk, keep=now)
    transaction.on_commit(act, robust=True)


def _has_new_password(user: User) -> bool:
    """Whether the password has changed; Django also saves the same one again when it upgrades the hash."""
    chosen = user._password is not None  # type: ignore[attr-defined]
    return chosen or not user.has_usable_password()


async def _show_later(match_id: str, terms: Terms) -> None:
    """Show a match in every lobby once spectators may know of it; returns at once."""
    hub.spawn(_show_when_known(match_id, terms))


async def _show_when_known(match_id: str, terms: Terms) -> None:
    await _watchers_know(terms)
    await in_low_priority_thread(lobby_feed.tell_match)(match_id)


async def _watchers_know(terms: Terms) -> None:
    """Wait until spectators of a match may know what its players know now.

    If the process ends meanwhile, nothing is announced; lobbies that are opened later are correct.
    """
    behind = visibility.may_see(terms, None).behind
    await asyncio.sleep(behind + LATE_ENOUGH if behind else 0)
