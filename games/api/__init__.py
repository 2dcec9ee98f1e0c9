"""The HTTP API of matches: requests, streams and error responses.

Only the entry points of the site import it.
"""
