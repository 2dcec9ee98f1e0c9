"""Background tasks of every process that serves matches."""

from games.computers.worker import computers
from games.finished.checker import checker
from games.net.hub import hub
from games.net.sessions import sessions
from games.play.matches import matches
from games.share.painter import painter
from games.watch.match_presence import crowd
from games.watch.watcher_counts import watcher_counts


def begin() -> None:
    """Start the message bus, the heartbeat and the computer players. Call it once, in the event loop."""
    hub.begin()
    sessions.begin()
    matches.begin()
    crowd.begin()
    watcher_counts.begin()
    computers.begin()


async def end() -> None:
    """Write what is pending. Commands after that are refused."""
    await computers.close()
    await painter.close()
    await checker.close()
    await matches.close()
