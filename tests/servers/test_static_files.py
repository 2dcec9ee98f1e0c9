"""What `collectstatic` makes of modules and style sheets: few files at a page, and none that is not there."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import FileSystemStorage

from config.assets.bundle import LATER, NotBundled, bundle, entries, modules
from config.assets.storage import BundledStorage
from config.assets.styles import sheets
from games.registry import GAMES
from tools.harness.services import ROOT

IMPORT = re.compile(r"""(?:from|import)\s*"(\.[^"]+)\"""")
STATE = re.compile(
    r"^(?:export )?(?:let \w+|const \w+ = (?:.*new (?:Map|Set|WeakMap)\(\)|create\w+\())", re.MULTILINE
)
"""What a module keeps for all who import it."""
SCRIPT = re.compile(r"""(?:{% module|<script type="module" src="{% static) "([^"]+)\"""")


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
        for name in re.findall(r"""{% (?:static|module) ["']([^"']+)["'] %}""", template.read_text())
    }
    named |= {game.board for game in GAMES.values()}
    assert len(named) > 20
    assert [
        name for name in sorted(named) if name not in hashed or not (collected / hashed[name]).exists()
    ] == []


@pytest.mark.parametrize("game", GAMES)
def test_a_match_page_asks_for_two_modules(collected: Path, game: str) -> None:
    assert len(needed(collected, "pages/match.js", GAMES[game].board)) == 2


def test_lazy_modules_named_by_hash(collected: Path) -> None:
    hashed = json.loads((collected / "staticfiles.json").read_text())["paths"]
    page = collected / hashed["pages/match.js"]
    named = {(page.parent / there).resolve() for there in LATER.findall(page.read_text())}
    later = (
        *("chat/match-chat.js", "actions/commands.js", "actions/conditional.js", "phone/push.js"),
        *("actions/turning.js", "actions/why.js", "match-page/end-sheet.js", "match-page/later.js"),
        *("lobby/invitations.js", "lobby/next-match.js", "parts/results.js"),
    )
    assert named == {(collected / hashed[name]).resolve() for name in later}


def test_lazy_bundles_share_no_state_with_page() -> None:
    """It has copies of what it imports: of two lists of listeners each would hear half."""
    imported = modules(ROOT / "static")
    later = set().union(*modules(ROOT / "static", LATER).values())
    assert len(later) >= 3
    assert later <= set(entries(imported))
    shared = {name for each in later for name in reached(imported, each) - {each}}
    assert STATE.search((ROOT / "static" / "net" / "me.js").read_text())
    assert "parts/elements.js" in shared
    assert [name for name in sorted(shared) if STATE.search((ROOT / "static" / name).read_text())] == []


def reached(graph: dict[str, set[str]], name: str) -> set[str]:
    """A module with all that it imports."""
    found, ahead = set[str](), [name]
    while ahead:
        name = ahead.pop()
        if name not in found:
            found.add(name)
            ahead += graph[name]
    return found


def test_a_page_has_one_module_which_does_what_every_page_does() -> None:
    """Two bundles at one page would each have a socket, a menu and a list of what is unread."""
    graph = modules(ROOT / "static")
    frames = {"finished/embed.html", "offline.html", "tournaments/embed.html", "wall.html"}
    found = {
        template.relative_to(ROOT / "templates").as_posix(): SCRIPT.findall(template.read_text())
        for template in (ROOT / "templates").rglob("*.html")
    }
    named = {name: scripts for name, scripts in found.items() if scripts}
    assert len(named) > 10
    assert [name for name, scripts in named.items() if len(scripts) > 1] == []
    plain = [name for name, (script,) in named.items() if "pages/page.js" not in graph.get(script, ())]
    assert set(plain) == frames


def test_bundled_modules_removed(collected: Path) -> None:
    graph = modules(ROOT / "static")
    kept = json.loads((collected / "staticfiles.json").read_text())["paths"].keys()
    assert kept >= set(entries(graph))
    assert kept & (graph.keys() - entries(graph)) == set()


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
    (tmp_path / "asking.js").write_text(
        'import "./deep.js";\nconst there = import.meta.resolve("./parts/asked.js");\n'
    )
    (tmp_path / "parts" / "asked.js").write_text("export const asked = 4;\n")
    (tmp_path / "classic.js").write_text("document.title = 'not a module';\n")
    graph = modules(tmp_path)
    assert graph["page.js"] == {"parts/one.js", "parts/two.js"}
    assert graph["parts/one.js"] == {"deep.js"}
    assert graph["asking.js"] == {"deep.js"}
    assert modules(tmp_path, LATER)["asking.js"] == {"parts/asked.js"}
    assert entries(graph) == ["asking.js", "later.js", "page.js", "parts/asked.js"]


def test_bundle_of_missing_import_raises(tmp_path: Path) -> None:
    (tmp_path / "page.js").write_text('import { one } from "./nowhere.js";\n')
    with pytest.raises(NotBundled, match="nowhere"):
        bundle(tmp_path, ["page.js"], tmp_path / "made")


def test_bundler_missing_serves_modules_one_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def gone() -> str:
        raise FileNotFoundError("no such program")

    monkeypatch.setattr("deno.find_deno_bin", gone)
    storage = BundledStorage(tmp_path, "/static/")
    paths = {name: (storage, name) for name in ("page.js", "part.js")}
    (tmp_path / "made").mkdir()
    served = storage.bundled(paths, tmp_path / "made")  # type: ignore[arg-type]
    assert {name: source for name, source in served.items() if name.endswith(".js")} == paths
    assert "served one by one: there is no deno here (no such program)" in caplog.text


def test_modules_that_are_not_bundled_import_each_other_by_their_hashes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    def gone() -> str:
        raise FileNotFoundError("no such program")

    monkeypatch.setattr("deno.find_deno_bin", gone)
    sources, collected = tmp_path / "sources", tmp_path / "collected"
    sources.mkdir()
    (sources / "a.js").write_text('import {\n  b,\n} from "./b.js";\nimport.meta.resolve("./c.js");\n')
    # A type that is named in a comment is no import.
    (sources / "b.js").write_text('/** @type {import("./a.js").A} */\nexport const b = 1;\n')
    (sources / "c.js").write_text('export { b } from "./b.js";\n')
    shutil.copytree(sources, collected)
    settings.STATICFILES_DIRS = [sources]
    storage, source = BundledStorage(collected, "/static/"), FileSystemStorage(sources)
    done = list(storage.post_process({name: (source, name) for name in ("a.js", "b.js", "c.js")}))
    assert [problem for _, _, problem in done if isinstance(problem, Exception)] == []
    hashed = json.loads((collected / "staticfiles.json").read_text())["paths"]
    assert (collected / hashed["a.js"]).read_text() == (
        f'import {{\n  b,\n}} from "./{hashed["b.js"]}";\nimport.meta.resolve("./{hashed["c.js"]}");\n'
    )
    assert (collected / hashed["c.js"]).read_text() == f'export {{ b }} from "./{hashed["b.js"]}";\n'


def test_a_style_sheet_has_what_it_imports_and_no_more_white_space_than_it_needs(tmp_path: Path) -> None:
    (tmp_path / "css").mkdir()
    (tmp_path / "css" / "page.css").write_text(
        """/* A page. */

@import "parts.css";

nav :hover > a,
.b:not([hidden], .c) {
  content: "a  ; { /" / "";
  width: calc(1px + 2px);
}
"""
    )
    (tmp_path / "css" / "parts.css").write_text("@media (max-width: 9px) and (x: y) {\n  a { b: c; }\n}\n")
    assert sheets(tmp_path) == {
        "css/page.css": "@media (max-width:9px) and (x:y){a{b:c}}"
        'nav :hover > a,.b:not([hidden],.c){content:"a  ; { /" / "";width:calc(1px + 2px)}',
        "css/parts.css": "@media (max-width:9px) and (x:y){a{b:c}}",
    }


def test_no_page_waits_for_a_style_sheet_that_another_names(collected: Path) -> None:
    found = [path for path in collected.glob("css/*.css") if "@import" in path.read_text()]
    assert found == []
