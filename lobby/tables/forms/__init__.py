"""The forms that create tables and start matches."""
