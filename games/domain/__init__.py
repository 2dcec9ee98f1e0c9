"""Rules of matches common to all games, as pure functions and values: no store, no live match, no socket."""
