#!/usr/bin/env python
"""Django's command line."""

import os
import sys

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    # What is done once, such as a migration, takes as long as it takes.
    os.environ.setdefault("STATEMENT_SECONDS", "0")
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)
