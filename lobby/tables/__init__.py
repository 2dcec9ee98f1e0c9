"""A table from the moment it is set until its match begins."""
