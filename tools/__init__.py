"""Commands for developers and hosts; the Makefile calls most of them."""
