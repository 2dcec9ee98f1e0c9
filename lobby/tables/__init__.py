"""Tables, until their matches begin."""
