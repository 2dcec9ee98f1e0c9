"""API tokens and bot accounts."""
