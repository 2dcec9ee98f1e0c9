"""What the lobby hears of matches: that a rematch began, and that a match ended."""

from typing import Any

from games.threads import in_thread
from lobby import news


async def match_begun(match_id: str, **_: Any) -> None:
    """Show a rematch in every lobby."""
    await in_thread(news.tell_match)(match_id)


async def match_over(match_id: str, **_: Any) -> None:
    """Take a match off every lobby."""
    await in_thread(news.tell_match_over)(match_id)
