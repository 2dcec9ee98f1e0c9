"""Appeals of banned and muted users."""
