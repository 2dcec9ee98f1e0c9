"""Pages about the site: privacy, contact, imprint, terms."""
