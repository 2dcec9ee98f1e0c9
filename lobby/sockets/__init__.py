"""The sockets of the lobby and their messages."""
