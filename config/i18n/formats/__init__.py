"""How dates and times are written, for each language; what is missing here is Django's."""
