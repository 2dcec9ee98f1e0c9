"""Guests, export and deletion of accounts."""
