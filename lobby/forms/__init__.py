"""The forms of the lobby's pages. Services decide."""
