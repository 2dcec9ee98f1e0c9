"""Everything between matches: people, tables, clubs, tournaments, chat and moderation."""
