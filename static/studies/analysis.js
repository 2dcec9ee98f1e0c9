/** The page of the analysis board. The browser keeps the tree of each game, also that of a guest. */

import "../pages/page.js";
import { postJson } from "../net/json.js";
import { moduleAt } from "../net/module.js";
import { lastingStorageOrNull, readJson, writeJson } from "../net/storage.js";
import { byId } from "../parts/elements.js";
import { bindCopy } from "../parts/share.js";
import { createStudyBoard } from "./board.js";
import { bindFiles } from "./files.js";
import { createTree } from "./tree.js";

/* global gettext */

/** @typedef {import("./board.js").Chapter} Chapter */

const root = byId("analysis");
/** @type {{chapter: Chapter, names: string[], kept: boolean}} */
const page = JSON.parse(byId("chapter").textContent ?? "");
const storage = lastingStorageOrNull();
const key = `parlour:analysis:${root.dataset.game}`;

await begin();

async function begin() {
  const kept = page.kept ? readJson(storage, key) : null;
  const [module, here] = await Promise.all([moduleAt(root.dataset.board ?? ""), kept?.position ? readChapter(kept) : null]);
  // What was kept by an earlier version may not be readable.
  const known = here?.ok ? { position: kept.position, ...here.told } : null;
  const found = known ?? (await readPage());
  if (found) {
    start(module, found);
  }
}

/** @param {Chapter} chapter */
function readChapter({ position, nodes }) {
  return postJson(root.dataset.plies ?? "", JSON.stringify({ position, nodes: nodes.map(inFile) }));
}

/** @param {import("./tree.js").NodeFields} node */
function inFile({ rank: _rank, removed: _removed, ...fields }) {
  return fields;
}

async function readPage() {
  const { ok, told } = await readChapter(page.chapter);
  if (!ok) {
    byId("notice").textContent = told?.detail ?? gettext("Cannot reach the server. Try again later.");
  }
  return ok ? { position: page.chapter.position, ...told } : null;
}

/** @param {Boards.Module} module @param {Chapter & {plies: Record<string, import("./board.js").Ply>}} chapter */
function start(module, { position, nodes, plies }) {
  const tree = createTree(nodes);
  let from = position;
  const board = createStudyBoard(root, module, tree, { names: page.names, onChange: keep });
  board.begin(plies);
  bindCopy(byId("position-field"), board.narration.soon);
  bindFiles({
    chapter: () => ({ title: root.dataset.title ?? "", position: from, nodes: tree.fields() }),
    async onOpen(chapter) {
      const { ok, told } = await readChapter(chapter);
      if (!ok) {
        return told?.detail ?? gettext("Cannot reach the server. Try again later.");
      }
      from = chapter.position;
      open(told);
      return null;
    },
  });
  byId("clear").addEventListener("click", async () => {
    const { ok, told } = await readChapter({ position: from, nodes: [{ id: 0 }] });
    if (ok) {
      open(told);
    }
  });

  /** @param {{nodes: import("./tree.js").NodeFields[], plies: Record<string, import("./board.js").Ply>}} told */
  function open(told) {
    tree.clear();
    tree.merge(told.nodes);
    board.begin(told.plies);
    keep();
    byId("more", HTMLDialogElement).close();
  }

  function keep() {
    if (page.kept) {
      writeJson(storage, key, { position: from, nodes: tree.fields() });
    }
  }
}
