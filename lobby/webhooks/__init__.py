"""Programs and devices elsewhere that are told what happens: what, signed and sealed how, and sent where."""
