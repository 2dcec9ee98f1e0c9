"""Matches in the memory of this process, and the one service that changes them. Talks to no socket."""
