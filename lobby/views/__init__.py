"""The pages of the lobby. Services decide."""
