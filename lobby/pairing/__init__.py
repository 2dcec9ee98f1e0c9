"""Quick pairing: the queue, and the matching of players."""
