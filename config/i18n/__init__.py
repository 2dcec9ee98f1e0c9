"""Translations: of the server, and of the browser's modules."""
