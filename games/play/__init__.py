"""The match cache of this process, and the only service that changes matches. Uses no sockets."""
