"""The front page and the choice of a game."""
