"""A club in one file, for another site: its export, its import, and the archive that an import leaves."""
