"""Visibility of matches, spectator delay, presence, and the sockets that show matches."""
