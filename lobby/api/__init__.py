"""The API of the lobby. It calls the same services as the pages."""
