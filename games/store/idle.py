"""Queries for idle matches that no clock would end."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime

from django.db.models import F, OuterRef, Subquery
from django.db.models.functions import Coalesce

from games.models import Match, Ply, Seating
from games.registry import GAMES

UNFINISHED = (Match.Status.PLAYING, Match.Status.SAVED)


def idle_since(before: datetime) -> dict[str, datetime]:
    """Time of the last ply of each unfinished match without a running clock and without plies since then."""
    last = Ply.objects.filter(match=OuterRef("pk")).order_by("-number").values("at")[:1]
    standing = Match.objects.filter(
        status__in=UNFINISHED, deadline=None, created__lt=before, game__in=GAMES
    ).annotate(moved=Coalesce(Subquery(last), F("created")))
    return dict(standing.filter(moved__lt=before).order_by("moved").values_list("pk", "moved"))


def players_of(match_ids: Iterable[str]) -> Mapping[str, set[int]]:
    """Ids of the users who play or host each match."""
    ids = list(match_ids)
    seated = Seating.objects.filter(match__in=ids, user__isnull=False).order_by()
    held = Match.objects.filter(pk__in=ids, holder__isnull=False).order_by()
    found = defaultdict[str, set[int]](set)
    for match_id, user_id in (*seated.values_list("match", "user"), *held.values_list("pk", "holder")):
        found[match_id].add(user_id)
    return found
