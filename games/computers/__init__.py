"""Computer players at work: who is due, the processes that think, and hints. Never imports `watch`."""
