"""Starts servers and services, and talks to them, for tests and measurements."""
