"""Django's SQLite backend with a fair write lock for the threads of this process, and checkpoints beside
them.
"""
