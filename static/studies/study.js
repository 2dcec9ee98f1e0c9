/**
 * The page of a study. Operations go to the server, which gives each a number and tells all readers. After a gap in the
 * numbers, and after a lost connection, the page loads the chapter anew; its own operations are sent until answered.
 *
 * @typedef {{number: number, nodes: import("./tree.js").NodeFields[], plies: Record<string, import("./board.js").Ply>}} Loaded
 */

import "../pages/page.js";
import { guardForms } from "../forms/forms.js";
import { getJson } from "../net/json.js";
import { moduleAt } from "../net/module.js";
import { freshId, openOutbox } from "../net/outbox.js";
import { openFeed } from "../net/socket.js";
import { sessionStorageOrNull } from "../net/storage.js";
import { byId, findAll } from "../parts/elements.js";
import { say } from "../parts/narration.js";
import { bindCopy } from "../parts/share.js";
import { bindKeys } from "../parts/shortcuts.js";
import { createStudyBoard } from "./board.js";
import { changeWords } from "./change-words.js";
import { createTogether } from "./together.js";
import { createTree, START } from "./tree.js";

/* global gettext */

const root = byId("study");
/** @type {{chapter: number, number: number, names: string[], role: string}} */
const page = JSON.parse(byId("chapter").textContent ?? "");

guardForms();
for (const field of findAll(root, "[data-copied]")) {
  bindCopy(field, () => {});
}
const me = document.body.dataset.me ?? "";
bindKeys([chapterKey]);
begin(await moduleAt(root.dataset.board ?? ""));

/** To the chapter before or after this one. @param {string} key */
function chapterKey(key) {
  const step = { p: -1, n: 1 }[key.toLowerCase()];
  const links = findAll(root, ".study-choose a", HTMLAnchorElement);
  const other = step && links[links.findIndex((link) => link.hasAttribute("aria-current")) + step];
  if (other) {
    location.assign(other.search);
  }
  return Boolean(other);
}

/** @param {Boards.Module} module */
function begin(module) {
  const tree = createTree([{ id: START }]);
  let { role } = page;
  /** The last operation that is in the tree, and the last one that was told. */
  let [number, newest] = [-1, page.number];
  let isLoading = false;
  /** The command that adds a move to go to, and then its node. @type {string|null} */
  let sent = null;
  /** @type {number|null} */
  let wanted = null;

  const may = () => ({ write: role === "owner" || role === "write", comment: role !== "read" });
  const board = createStudyBoard(root, module, tree, { names: page.names, edit, may, onGo: () => together.moved() });
  const outbox = openOutbox(`parlour:outbox:study-${page.chapter}`, sessionStorageOrNull());
  const together = createTogether({ chapter: page.chapter, me, board, send: (message) => feed.send(message), mayLead: () => may().write });
  const feed = openFeed({ name: "study", outbox, onMessage, onStatus });
  void load();

  /** @param {import("./tree.js").Operation} operation */
  function edit(operation) {
    const id = freshId();
    if (operation.kind === "add") {
      sent = id;
    }
    const seen = operation.kind === "remove" ? { seen: number } : {};
    feed.command(/** @type {any} */ ({ type: "operate", id, chapter: page.chapter, operation: { ...operation, ...seen } }));
  }

  /** Load the chapter, again if more was told meanwhile. */
  async function load() {
    if (isLoading) {
      return;
    }
    isLoading = true;
    const { ok, told } = await getJson(root.dataset.chapter ?? "", { cache: "no-store" });
    isLoading = false;
    if (!ok) {
      board.notice.refuse(told?.detail ?? gettext("Cannot reach the server. Try again later."));
      return;
    }
    const current = board.current;
    number = told.number;
    tree.clear();
    tree.merge(told.nodes);
    board.begin(told.plies, tree.node(current) ? current : START);
    together.show();
    arrive();
    if (newest > number) {
      void load();
    }
  }

  /** @param {FromStudy.Message} message */
  function onMessage(message) {
    switch (message.type) {
      case "study":
        changed(message);
        break;
      case "changed":
        if (message.chapter === page.chapter) {
          take(message);
        }
        break;
      case "accepted":
        if (message.id === sent) {
          wanted = message.node;
          newest = Math.max(newest, message.number);
          arrive();
        }
        break;
      case "refused":
        sent = null;
        board.refused(message.detail);
        break;
      default:
        together.take(message);
    }
  }

  /** The study as it is: after a lost connection, and when its owner has changed it. @param {FromStudy.StudyNow} study */
  function changed(study) {
    role = study.role;
    const mine = study.chapters.find(({ id }) => id === page.chapter);
    if (!mine) {
      location.assign(location.pathname);
      return;
    }
    newest = Math.max(newest, mine.number);
    if (number >= 0 && newest > number) {
      void load();
    } else if (number >= 0) {
      board.changed();
    }
    together.moved();
  }

  /** @param {FromStudy.ChapterChanged} change */
  function take(change) {
    newest = Math.max(newest, change.number);
    if (isLoading || change.number <= number) {
      return;
    }
    if (change.number > number + 1) {
      void load();
      return;
    }
    number = change.number;
    const now = () => change.nodes.map(({ id }) => tree.node(id));
    const before = now();
    board.learn(change.plies);
    tree.merge(change.nodes);
    if (change.by !== me) {
      say(byId("say-others"), changeWords({ by: change.by, before, after: now() }, { nameOf: board.nameOf, glyphName: board.glyphName, node: tree.node }));
    }
    board.changed();
    together.show();
    arrive();
  }

  /** Go to the node of one's own move once it is in the tree. */
  function arrive() {
    if (wanted !== null && tree.node(wanted)) {
      const id = wanted;
      sent = wanted = null;
      board.go(id);
    }
  }

  /** @param {import("../net/socket.js").Status} status @param {string} detail */
  function onStatus(status, detail) {
    root.dataset.connection = status;
    if (status === "gone" || status === "signed-out") {
      board.notice.refuse(detail);
    } else if (status === "lost") {
      together.forget();
      board.notice.tell(gettext("Connection lost. Reconnecting…"));
    } else if (status === "open") {
      board.notice.rest();
    }
  }
}
