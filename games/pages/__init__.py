"""The pages of matches and games. Nothing imports them but `games.urls`."""
