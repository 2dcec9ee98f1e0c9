"""Django's SQLite backend with a fair write lock for the threads of a process.

Checkpoints run beside them.
"""
