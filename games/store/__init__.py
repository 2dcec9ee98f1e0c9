"""Database access for matches: queries, and all code that writes their rows."""
