"""What is delivered besides the code: containers, pins, variables, and nothing of anybody's own computer."""

from __future__ import annotations

import itertools
import json
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from config.environment import Environment, declarations
from games.domain.matchfile import MOST_BYTES
from tools import settings_page
from tools.harness.services import ROOT

COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
LASTING = [name for name, service in SERVICES.items() if service["restart"] != "no"]


GOOD_KEY = "a random text of more than thirty-two characters"


def text(name: str) -> str:
    return (ROOT / name).read_text()


def pins(name: str) -> dict[str, str]:
    """Package -> exact version, as a requirements file pins them."""
    return dict(re.findall(r"^([\w.\-]+)(?:\[.*\])?==(\S+)", text(name), re.MULTILINE))


# Containers


@pytest.mark.parametrize("name", SERVICES)
def test_no_container_takes_the_whole_computer(name: str) -> None:
    assert {"pids_limit", "cpus", "mem_limit", "ulimits"} <= SERVICES[name].keys()


@pytest.mark.parametrize("name", SERVICES)
def test_no_container_runs_as_root(name: str) -> None:
    assert SERVICES[name]["user"] in ("10001:10001", "nginx", "postgres", "redis")


@pytest.mark.parametrize("name", SERVICES)
def test_containers_are_read_only_and_have_no_capabilities(name: str) -> None:
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    # Caddy's program does not start without the capability that it carries.
    assert service.get("cap_add", []) == (["NET_BIND_SERVICE"] if name == "proxy" else [])
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert "privileged" not in service


@pytest.mark.parametrize("name", LASTING)
def test_containers_that_last_are_watched_and_started_again(name: str) -> None:
    assert SERVICES[name]["healthcheck"]["test"][0] == "CMD"
    assert SERVICES[name]["restart"] == "unless-stopped"


def test_the_proxy_that_is_advised_lets_the_file_of_any_match_through() -> None:
    for name in ("nginx.conf", "containers.conf"):
        limit = re.search(r"client_max_body_size (\d+)m;", text(f"config/proxy/{name}"))
        assert limit is not None
        assert int(limit[1]) * 1_000_000 > MOST_BYTES + 100_000


def test_storage_services_on_internal_networks_only() -> None:
    internal = {name for name, network in COMPOSE["networks"].items() if network and network.get("internal")}
    for store in ("postgres", "redis"):
        networks = set(SERVICES[store]["networks"])
        assert networks <= internal
        assert not networks & set(SERVICES["proxy"]["networks"])
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["proxy"]


def test_no_secret_stands_in_the_compose_file() -> None:
    for service in SERVICES.values():
        for name, value in service.get("environment", {}).items():
            assert not re.search("KEY|PASSWORD|TOKEN", name) or value.startswith("${"), name
            assert not re.search(r"://[^:/]+:(?!\$\{)[^@]*@", value), name


def test_a_container_is_given_longer_to_end_than_the_server_takes() -> None:
    from config.shutdown import DRAIN_SECONDS

    assert float(SERVICES["web"]["stop_grace_period"].removesuffix("s")) > DRAIN_SECONDS


def test_unit_of_systemd_gives_a_server_longer_to_end_than_it_takes() -> None:
    from config.shutdown import END_SECONDS

    unit = dict(re.findall(r"^(\w+)=(.*)$", text("config/systemd/parlour.service"), re.MULTILINE))
    assert float(unit["TimeoutStopSec"]) > END_SECONDS
    assert unit["ExecStart"].endswith("python -m config.server --port %i")
    assert (unit["User"], unit["KillMode"]) == ("parlour", "mixed")


def test_every_image_has_a_version_and_may_be_named_by_its_digest() -> None:
    named = dict(re.findall(r"^#(\w+_IMAGE)=(\S+)$", text(".env.example"), re.MULTILINE))
    assert all(re.fullmatch(r"\w+:\d[\w.-]*", name) for name in named.values())
    known = {f"${{{variable}:-{name}}}" for variable, name in named.items()}
    # nginx may take the place of Caddy.
    known.remove(re.findall(r"image: (.*)", text("config/proxy/nginx.compose.yml"))[0])
    built = [service["build"]["args"]["PYTHON_IMAGE"] for service in SERVICES.values() if "build" in service]
    brought = [service["image"] for service in SERVICES.values() if "build" not in service]
    assert {*built, *brought} == known
    assert re.findall(r"^ARG (.*)$", text("Dockerfile"), re.M) == [f"PYTHON_IMAGE={named['PYTHON_IMAGE']}"]
    assert re.findall(r"^FROM (\S+)", text("Dockerfile"), re.M) == ["${PYTHON_IMAGE}", "${PYTHON_IMAGE}"]


def test_image_runs_without_root_and_checks_its_health() -> None:
    last_stage = text("Dockerfile").rpartition("FROM ")[2]
    assert re.findall(r"^USER (\S+)$", last_stage, re.MULTILINE) == ["10001:10001"]
    assert "HEALTHCHECK" in last_stage


def test_image_excludes_private_files() -> None:
    wanted = [line for line in text(".dockerignore").splitlines() if line and not line.startswith("#")]
    assert wanted[0] == "*"
    assert not {"!.env", "!.git", "!var", "!tests", "!node_modules", "!."} & set(wanted)


def test_all_that_the_server_imports_goes_into_the_image() -> None:
    wanted = set(text(".dockerignore").splitlines())
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"tests", "tools", "bench"}
    assert {f"!{name}" for name in packages | {"static", "templates", "locale", "manage.py"}} <= wanted


# Pins


@pytest.mark.parametrize(
    "name", ["requirements.txt", "requirements-web.txt", "requirements-dev.txt", "requirements-uv.txt"]
)
def test_every_package_is_pinned_with_its_hashes(name: str) -> None:
    blocks = re.split(r"\n(?=\S)", text(name).strip())
    assert {block.partition("==")[0] for block in blocks} == set(pins(name))
    assert all("--hash=sha256:" in block for block in blocks)


def test_the_tests_run_on_the_very_packages_that_are_served() -> None:
    assert pins("requirements-web.txt").items() <= pins("requirements.txt").items()
    assert pins("requirements.txt").items() <= pins("requirements-dev.txt").items()
    assert pins("requirements-uv.txt").items() <= pins("requirements-dev.txt").items()


def test_every_package_asked_for_is_pinned() -> None:
    declared = tomllib.loads(text("pyproject.toml"))
    web = declared["project"]["dependencies"]
    full = [*web, *itertools.chain(*declared["project"]["optional-dependencies"].values())]
    asked = {"-web": web, "": full, "-dev": [*full, *declared["dependency-groups"]["dev"]]}
    for name, packages in asked.items():
        names = {re.findall(r"^[\w.\-]+", package)[0].lower() for package in packages}
        assert names <= set(pins(f"requirements{name}.txt"))


def test_web_servers_install_nothing_of_computer_players_or_bundler() -> None:
    assert not {"numba", "llvmlite", "numpy", "deno"} & pins("requirements-web.txt").keys()


def test_no_pin_says_where_it_came_from() -> None:
    packages = json.loads(text("package-lock.json"))["packages"]
    assert not [path for path, package in packages.items() if "resolved" in package]
    assert "omit-lockfile-registry-resolved=true" in text(".npmrc").splitlines()


# Variables


def test_settings_page_and_example_are_those_of_the_declarations() -> None:
    """Otherwise run `python -m tools.settings_page`."""
    assert (settings_page.page(), settings_page.example()) == (
        text("docs/reference/settings.md"),
        text(".env.example"),
    )


def test_every_setting_of_a_host_is_taken_from_its_declaration() -> None:
    assert set(re.findall(r"given\.([A-Z_]+)", text("config/settings.py"))) == set(declarations())
    assert "env." not in text("config/settings.py").replace('".env"', "")


def test_the_example_sets_nothing_by_itself() -> None:
    assert not re.findall(r"^[A-Z_]+=", text(".env.example"), re.MULTILINE)


def test_every_limit_is_in_the_table_with_its_default() -> None:
    table = text("docs/reference/settings.md").partition("## Limits")[2]
    told = dict(re.findall(r"^\| `([A-Z_]+)` \| ([^|]+) \|", table, re.MULTILINE))
    assert told.pop("CONNECTIONS") == "open files − 128"
    given, wrote = Environment({"SECRET_KEY": GOOD_KEY}), Environment({"SECRET_KEY": GOOD_KEY, **told})
    assert {name: given.values[name] for name in told} == {name: wrote.values[name] for name in told}
    assert {name for name, each in declarations().items() if each.limit} == {*told, "CONNECTIONS"}


def test_defaults_in_the_example_are_those_in_force() -> None:
    """But for values that every host has to choose."""
    examples = dict(re.findall(r"^#([A-Z_]+)=(.+)$", text(".env.example"), re.MULTILINE))
    plain = {name for name, each in declarations().items() if each.example and each.example in each.shown}
    given = Environment({"SECRET_KEY": GOOD_KEY})
    wrote = Environment({"SECRET_KEY": GOOD_KEY, **{name: examples[name] for name in plain}})
    assert {name: given.values[name] for name in plain} == {name: wrote.values[name] for name in plain}
    assert len(plain) > 60


# The repository


def delivered() -> list[Path]:
    """The files of the repository, or of its next commit."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    done = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True)
    return [ROOT / name for name in done.stdout.split("\0") if name and (ROOT / name).is_file()]


def test_files_name_no_local_path() -> None:
    places = re.compile(rb"/(?:home|root|work|opt|Users)/\w")
    found = [p.name for p in delivered() if p.name != Path(__file__).name and places.search(p.read_bytes())]
    assert found == []


def test_version_is_that_of_newest_release_in_changelog() -> None:
    version = re.findall(r'^version = "(.*)"$', text("pyproject.toml"), re.MULTILINE)
    assert re.findall(r"^## (\d\S*) - \d{4}-\d\d-\d\d$", text("CHANGELOG.md"), re.MULTILINE)[:1] == version


def test_workflow_runs_only_official_actions_pinned_by_commit() -> None:
    steps = yaml.safe_load(text(".github/workflows/test.yml"))["jobs"]["test"]["steps"]
    used = [step["uses"] for step in steps if "uses" in step]
    assert [each for each in used if not re.fullmatch(r"actions/[\w-]+@[0-9a-f]{40}", each)] == []
