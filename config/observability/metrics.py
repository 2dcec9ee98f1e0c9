"""Prometheus metrics of this process, on a port of their own that visitors do not reach.

They are collected on request, in a thread of their own; docs/guide/hosting.md explains them.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from datetime import timedelta

from django.conf import settings
from django.db import DatabaseError, connection
from django.utils import timezone
from prometheus_client import CollectorRegistry, GCCollector, PlatformCollector, ProcessCollector
from prometheus_client import start_http_server as serve
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from games.net.hub import hub
from games.net.measures import Distribution, measures
from games.net.sockets import open_sockets
from games.play.matches import matches
from games.store import bot_queue
from lobby.tournaments import tournaments
from lobby.webhooks import deliveries

logger = logging.getLogger(__name__)

PATIENCE = timedelta(seconds=5)
"""A computer player, or the step of a tournament, that is later than this counts as overdue."""


class Numbers(Collector):
    """Counters and gauges of this process."""

    def collect(self) -> Iterator[Metric]:
        """The current metrics."""
        yield _gauge("sockets", "Sockets that are open here.", open_sockets())
        yield _gauge("matches_in_memory", "Matches that this process holds in memory.", matches.held)
        yield _gauge(
            "layer_down", "1 while the channel layer delivers nothing, not even our own beats.", hub.bus_down
        )
        yield _counter("moves", "Commands of people and computer players that were stored.", measures.moves)
        yield _histogram(
            "move_seconds",
            "From the receipt of a command to the last write to a socket here that tells of it.",
            measures.move_seconds,
        )
        yield _histogram(
            "journal_batch_entries", "Commands the journal wrote in one transaction.", measures.batch_entries
        )
        yield _histogram(
            "journal_commit_seconds", "What a transaction of the journal took.", measures.commit_seconds
        )
        yield _histogram("loop_late_seconds", "By how much the event loop was late.", measures.loop_seconds)
        yield _counter(
            "layer_losses",
            "Messages to other processes that the channel layer did not take.",
            measures.layer_losses,
        )
        yield _counter("slow_queries", "Queries of more than 100 ms.", measures.slow_queries)
        yield _counter("waves", "Rounds of tournaments and waves of arenas that were paired.", measures.waves)
        resyncs = CounterMetricFamily("parlour_resyncs", "Plies fetched anew, by whom.", labels=["by"])
        for by, number in dict(measures.resyncs).items():
            resyncs.add_metric([by], number)
        yield resyncs
        family = CounterMetricFamily(
            "parlour_deliveries", "Messages sent to programs, devices and people.", labels=["kind", "result"]
        )
        for labels, number in dict(measures.deliveries).items():
            family.add_metric(labels, number)
        yield family


class Queues(Collector):
    """The queues in the database, shared by all processes of the site."""

    def collect(self) -> Iterator[Metric]:
        """The current metrics; without a database, that it is down."""
        now = timezone.now()
        try:
            found = [
                _gauge(
                    "bots_due",
                    "Matches in which a computer player is due and nobody has taken it up.",
                    bot_queue.overdue(now, timedelta(0)),
                ),
                _gauge(
                    "bots_overdue",
                    "Those of them that have waited for more than five seconds.",
                    bot_queue.overdue(now, PATIENCE),
                ),
                _gauge("deliveries_due", "Webhooks and pushes that are due.", deliveries.overdue(now)),
                _gauge("tournaments_running", "Tournaments that are running.", tournaments.running()),
                _gauge(
                    "tournaments_overdue",
                    "Tournaments whose next step has waited for more than five seconds.",
                    tournaments.overdue(now - PATIENCE),
                ),
            ]
        except DatabaseError as error:
            logger.warning("the queues could not be counted: %s", error)
            found = []
        finally:
            connection.close()
        yield from found
        yield _gauge("database_up", "Whether the database answered just now.", bool(found))


def _gauge(name: str, words: str, value: float) -> Metric:
    return GaugeMetricFamily(f"parlour_{name}", words, value=value)


def _counter(name: str, words: str, value: float) -> Metric:
    return CounterMetricFamily(f"parlour_{name}", words, value=value)


def _histogram(name: str, words: str, found: Distribution) -> Metric:
    """A distribution as a Prometheus histogram with cumulative buckets."""
    below, buckets = 0, []
    for bound, count in zip([*found.bounds, "+Inf"], tuple(found.counts), strict=True):
        below += count
        buckets.append((str(bound), float(below)))
    return HistogramMetricFamily(f"parlour_{name}", words, buckets=buckets, sum_value=found.total)


def registry() -> CollectorRegistry:
    """All metrics: of the site, of the process and of Python."""
    found = CollectorRegistry()
    for collector in (Numbers(), Queues()):
        found.register(collector)
    for make in (ProcessCollector, PlatformCollector, GCCollector):
        make(registry=found)
    return found


def begin(check_free: Callable[[str, int, str], None]) -> None:
    """Start the metrics port, if the settings name one.

    Args:
        check_free: raises an error for the host if the port cannot be used.
    """
    if settings.METRICS_PORT:
        check_free(settings.METRICS_HOST, settings.METRICS_PORT, "METRICS_PORT")
        serve(settings.METRICS_PORT, settings.METRICS_HOST, registry())
