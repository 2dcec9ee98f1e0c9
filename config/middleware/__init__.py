"""ASGI and Django middleware: who opens a socket and when, and the headers of every response."""
