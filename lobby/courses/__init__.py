"""Progress of accounts in the courses of games."""
