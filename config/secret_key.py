"""The secret key of a site that nobody configured."""

from __future__ import annotations

import os
import re
import secrets
from pathlib import Path


def keep_secret_key(env_file: Path) -> None:
    """Write a key into a file of environment variables, unless the environment or the file has one."""
    text = env_file.read_text(encoding="utf-8") if env_file.exists() else ""
    if os.environ.get("SECRET_KEY") or re.search(r"^(export )?SECRET_KEY=[\"']?[^\s\"']", text, re.MULTILINE):
        return
    line = f"SECRET_KEY={secrets.token_urlsafe(48)}\n"
    text, replaced = re.subn(r"^(export )?SECRET_KEY=.*\n?", line, text, count=1, flags=re.MULTILINE)
    if not replaced:
        text += ("" if text.endswith("\n") or not text else "\n") + line
    # Restrict the permissions before the key is written.
    env_file.touch(mode=0o600)
    env_file.chmod(0o600)
    env_file.write_text(text, encoding="utf-8")
