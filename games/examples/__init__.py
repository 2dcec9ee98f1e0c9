"""Examples of rules: positions in which a rule is played, on the pages of the rules and in the tests."""
