"""Quick pairing: the queue, and who is paired with whom."""
