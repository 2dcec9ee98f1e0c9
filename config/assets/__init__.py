"""What browsers fetch beside pages: modules bundled, files named by their hash and compressed."""
