"""The settings of a server that loses what it says to other processes; the environment says the rest."""

from config.settings import *  # noqa: F403 - as a host has them
from games.net import hub
from tools.harness.lossy import LossyProcesses

hub.Processes = LossyProcesses  # type: ignore[assignment,attr-defined]
