"""The rules of every game, pure: the standard library only. Nothing here knows people, time or chance."""
