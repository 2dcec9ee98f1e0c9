"""What whoever runs the site is told of it: numbers, lines of the log, and what was slow."""
