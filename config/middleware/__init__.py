"""ASGI and Django middleware: authentication and throttling of sockets, and the headers of every response."""
