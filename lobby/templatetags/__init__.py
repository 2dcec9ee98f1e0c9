"""Template tags: the parts of pages, users and chats."""
