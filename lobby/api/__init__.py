"""The lobby for programs. Services decide."""
