"""Django's SQLite, to which the threads of this process write by turns."""
