"""The site: settings, servers, middleware and commands around `games` and `lobby`."""
