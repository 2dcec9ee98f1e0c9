"""What the lobby hears of matches: that a rematch began, and that a match ended."""

from typing import Any

from channels.db import database_sync_to_async

from lobby import news


async def match_begun(match_id: str, **_: Any) -> None:
    """Show a rematch in every lobby."""
    await database_sync_to_async(news.tell_match)(match_id)


async def match_over(match_id: str, **_: Any) -> None:
    """Take a match off every lobby."""
    await database_sync_to_async(news.tell_match_over)(match_id)
