"""Computer players, pure: they know rules and positions, no clock, no store and no server."""
