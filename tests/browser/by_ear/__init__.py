"""Whole paths by keyboard, of somebody who hears the page and never sees it."""
