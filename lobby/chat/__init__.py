"""What people say, in the lobby and at matches."""
