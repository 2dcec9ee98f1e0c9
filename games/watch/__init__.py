"""Who may see what of a match, as of when, and the sockets that show it."""
