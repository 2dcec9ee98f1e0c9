"""Static files: bundled modules, hashed names, compression."""
