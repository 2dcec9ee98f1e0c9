"""What may happen in a match, as pure functions and values: no store, no live match, no socket."""
