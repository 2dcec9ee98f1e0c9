"""Users: names, relationships, presence and preferences."""
