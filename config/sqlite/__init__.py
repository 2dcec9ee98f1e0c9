"""Django's SQLite: the threads of this process write by turns, its log is copied beside them."""
