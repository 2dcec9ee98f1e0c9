"""What a process that serves matches does all the time, whether or not anybody is there."""

from games.computers.worker import computers
from games.finished.checker import checker
from games.play.matches import matches
from games.share.painter import painter


def begin() -> None:
    """Keep time and let computer players move, from now on. Again, it changes nothing."""
    matches.keep_time()
    computers.begin()


async def end() -> None:
    """Write what is waiting; nothing is played afterwards."""
    await computers.close()
    await painter.close()
    await checker.close()
    await matches.close()
