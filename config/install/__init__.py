"""What makes the site an app on phones: its manifest, its service worker, the page without a network."""
