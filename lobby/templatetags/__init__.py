"""Tags of templates: the parts of pages, and what they need to know of people and chats."""
