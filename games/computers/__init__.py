"""Computer players: workers, the pool of processes that compute moves, and hints. Never imports `watch`."""
