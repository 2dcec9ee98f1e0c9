"""What a process that serves matches does all the time, whether or not anybody is there."""

from games.checker import checker
from games.computers import computers
from games.matches import matches
from games.painter import painter


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
