"""The chat of the lobby and of matches."""
