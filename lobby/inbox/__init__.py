"""Messages between two accounts."""
