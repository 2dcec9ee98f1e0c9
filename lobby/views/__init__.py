"""The pages of the lobby. Thin: services decide."""
