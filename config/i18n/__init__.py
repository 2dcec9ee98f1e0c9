"""The sentences of the site in the languages of its readers: of the server, and of the modules of pages."""
