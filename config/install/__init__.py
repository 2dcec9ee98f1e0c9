"""The installable app (PWA): manifest, service worker and offline page."""
