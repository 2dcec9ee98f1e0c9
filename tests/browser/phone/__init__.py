"""The site as an app on phones, in real Chromium."""
