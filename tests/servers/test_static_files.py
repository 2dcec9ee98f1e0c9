"""What `collectstatic` makes of the modules: a page asks for few files, and for none that is not there."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from config.assets.bundle import NotBundled, bundle, entries, modules
from config.assets.storage import BundledStorage
from games.registry import GAMES
from tests.helpers.services import ROOT

IMPORT = re.compile(r"""(?:from|import)\s*"(\.[^"]+)\"""")
MOST_FILES = 30
"""More modules than this at one page keep a slow connection waiting."""


@pytest.fixture(scope="module")
def collected(var_dir: Path) -> Path:
    return var_dir / "static"


def needed(collected: Path, *names: str) -> set[Path]:
    """The files that a browser fetches for modules of those names."""
    hashed = json.loads((collected / "staticfiles.json").read_text())["paths"]
    found: set[Path] = set()
    ahead = [collected / hashed[name] for name in names]
    while ahead:
        path = ahead.pop()
        if path not in found:
            found.add(path)
            ahead += [(path.parent / there).resolve() for there in IMPORT.findall(path.read_text())]
    return found


def test_every_module_a_template_names_is_there(collected: Path) -> None:
    hashed = json.loads((collected / "staticfiles.json").read_text())["paths"]
    named = {
        name
        for template in (ROOT / "templates").rglob("*.html")
        for name in re.findall(r"""{% static ["']([^"']+)["'] %}""", template.read_text())
    }
    named |= {game.board for game in GAMES.values()}
    assert len(named) > 20
    assert [
        name for name in sorted(named) if name not in hashed or not (collected / hashed[name]).exists()
    ] == []


@pytest.mark.parametrize("game", GAMES)
def test_a_match_page_asks_for_few_files(collected: Path, game: str) -> None:
    page = needed(collected, "pages/page.js", "match-page/match.js", "chat/match-chat.js", GAMES[game].board)
    assert 4 <= len(page) <= MOST_FILES


def test_of_what_was_bundled_no_copy_is_left(collected: Path) -> None:
    assert (
        not (collected / "match-page").exists()
        or [
            path.name
            for path in (collected / "match-page").glob("*.js")
            if not path.name.startswith("match.")
        ]
        == []
    )


def test_pages_ask_for_what_nobody_imports(tmp_path: Path) -> None:
    (tmp_path / "page.js").write_text('import { one } from "./parts/one.js";\nimport "./parts/two.js";\n')
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "one.js").write_text(
        'export {\n  deep,\n} from "../deep.js";\nexport const one = 1;\n'
    )
    (tmp_path / "parts" / "two.js").write_text(
        "/** @type {import('../page.js').Page} */\nexport const two = 2;\n"
    )
    (tmp_path / "deep.js").write_text("export const deep = 3;\n")
    (tmp_path / "later.js").write_text("const module = await import(address);\n")
    (tmp_path / "classic.js").write_text("document.title = 'not a module';\n")
    graph = modules(tmp_path)
    assert graph["page.js"] == {"parts/one.js", "parts/two.js"}
    assert graph["parts/one.js"] == {"deep.js"}
    assert entries(graph) == ["later.js", "page.js"]


def test_what_is_not_a_module_says_why(tmp_path: Path) -> None:
    (tmp_path / "page.js").write_text('import { one } from "./nowhere.js";\n')
    with pytest.raises(NotBundled, match="nowhere"):
        bundle(tmp_path, ["page.js"], tmp_path / "made")


def test_without_a_bundler_the_modules_are_served_one_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def gone() -> str:
        raise FileNotFoundError("no such program")

    monkeypatch.setattr("deno.find_deno_bin", gone)
    storage = BundledStorage(tmp_path, "/static/")
    paths = {name: (storage, name) for name in ("page.js", "part.js")}
    assert storage.bundled(paths, tmp_path / "made") == paths
    assert "served one by one: there is no deno here (no such program)" in caplog.text
