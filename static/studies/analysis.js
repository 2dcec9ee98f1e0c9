/** The page of the analysis board. The browser keeps the tree of each game, also that of a guest. */

import "../pages/page.js";
import { moduleAt } from "../net/module.js";
import { lastingStorageOrNull, readJson, writeJson } from "../net/storage.js";
import { byId } from "../parts/elements.js";
import { bindCopy } from "../parts/share.js";
import { createStudyBoard } from "./board.js";
import { bindFiles, fileOf } from "./files.js";
import { createLocalEditor, problemOf, readNodes } from "./local.js";
import { createTree, START } from "./tree.js";

/** @typedef {import("./board.js").Chapter} Chapter */

const root = byId("analysis");
/** @type {{chapter: Chapter, names: string[], kept: boolean}} */
const page = JSON.parse(byId("chapter").textContent ?? "");
const storage = lastingStorageOrNull();
const key = `parlour:analysis:${root.dataset.game}`;
const address = root.dataset.plies ?? "";

await begin();

async function begin() {
  const kept = page.kept ? readJson(storage, key) : null;
  const [module, here] = await Promise.all([moduleAt(root.dataset.board ?? ""), kept?.position ? readNodes(address, kept.position, kept.nodes) : null]);
  if (here?.ok && here.told) {
    start(module, kept.position, here.told);
    return;
  }
  // Nothing was kept, or by an earlier version that had other rules.
  const answer = await readNodes(address, page.chapter.position, page.chapter.nodes);
  if (answer.ok && answer.told) {
    start(module, page.chapter.position, answer.told);
  } else {
    byId("notice").textContent = problemOf(answer);
  }
}

/** @param {Boards.Module} module @param {string} position @param {NonNullable<import("./local.js").Answer["told"]>} told */
function start(module, position, { nodes, plies }) {
  const tree = createTree(nodes);
  const may = { write: true, comment: true };
  let from = position;
  const editor = createLocalEditor(address, tree, () => board, keep);
  const board = createStudyBoard(root, module, tree, { names: page.names, edit: editor.edit, may: () => may });
  board.begin(plies);
  bindCopy(byId("position-field"), board.narration.soon);
  bindFiles({ chapter, onOpen: open });
  byId("clear").addEventListener("click", () => open({ position: from, nodes: [{ id: START }] }));
  document.getElementById("keep-study")?.addEventListener("submit", () => {
    byId("study-text", HTMLInputElement).value = JSON.stringify(fileOf(chapter()));
  });

  function chapter() {
    return { title: root.dataset.title ?? "", position: from, nodes: tree.fields() };
  }

  /** Show another chapter. @param {Chapter} opened @returns {Promise<string|null>} why it cannot be shown */
  async function open(opened) {
    const answer = await readNodes(address, opened.position, opened.nodes);
    if (!answer.ok || !answer.told) {
      return problemOf(answer);
    }
    from = opened.position;
    tree.clear();
    tree.merge(answer.told.nodes);
    board.begin(answer.told.plies);
    keep();
    byId("more", HTMLDialogElement).close();
    return null;
  }

  function keep() {
    if (page.kept) {
      writeJson(storage, key, { position: from, nodes: tree.fields() });
    }
  }
}
