"""The pages of tables, and those that create one."""
