"""People and what is between them: names, ties, presence, settings."""
