"""The settings of a server whose channel layer loses messages; the environment says the rest."""

from config.settings import *  # noqa: F403 - as a host has them

CHANNEL_LAYERS["default"]["BACKEND"] = "tests.helpers.lossy.LossyLayer"  # noqa: F405
