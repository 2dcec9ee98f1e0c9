#!/usr/bin/env python
"""Django's command line."""

import os
import sys


def main() -> None:
    """Run the command that the arguments name."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    # What is done once, such as a migration, takes as long as it takes.
    os.environ.setdefault("STATEMENT_SECONDS", "0")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line
    from django.db import OperationalError

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(str(error))
    except OperationalError as error:
        if "--traceback" in sys.argv:
            raise
        sys.exit(" ".join(f"The database cannot be used: {error}".split()))


if __name__ == "__main__":
    main()
