"""Programs elsewhere that are told what happens: what, signed how, and sent where."""
