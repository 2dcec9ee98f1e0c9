"""Settings of a server whose channel layer loses messages; the rest comes from the environment."""

from config.settings import *  # noqa: F403 - as a host has them
from config.settings import CHANNEL_LAYERS

CHANNEL_LAYERS["default"]["BACKEND"] = "tools.harness.lossy.LossyLayer"
