"""What a process that serves matches does all the time, whether or not anybody is there."""

from games.computers.worker import computers
from games.finished.checker import checker
from games.net.hub import hub
from games.net.sessions import sessions
from games.play.matches import matches
from games.share.painter import painter
from games.watch.match_presence import crowd
from games.watch.watcher_counts import watcher_counts


def begin() -> None:
    """Hear the other processes, keep time and let computer players move; once, in the event loop."""
    hub.begin()
    sessions.begin()
    matches.begin()
    crowd.begin()
    watcher_counts.begin()
    computers.begin()


async def end() -> None:
    """Write what is waiting; nothing is played afterwards."""
    await computers.close()
    await painter.close()
    await checker.close()
    await matches.close()
