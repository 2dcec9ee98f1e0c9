/** Several people in a study: where each one looks, one who leads, and those who follow. */

import { read, sessionStorageOrNull, write } from "../net/storage.js";
import { byId } from "../parts/elements.js";
import { START } from "./tree.js";

/* global gettext, interpolate */

/** Whether this tab leads or follows: it does in the next chapter, too. */
const MODE = "parlour:study";
/** The least time between two cursors that are sent. */
const PAUSE_MS = 300;

/**
 * @param {object} way
 * @param {number} way.chapter
 * @param {string} way.me
 * @param {ReturnType<typeof import("./board.js").createStudyBoard>} way.board
 * @param {(message: object) => void} way.send
 * @param {() => boolean} way.mayLead
 */
export function createTogether({ chapter, me, board, send, mayLead }) {
  const storage = sessionStorageOrNull();
  const [lead, follow] = [byId("lead", HTMLButtonElement), byId("follow", HTMLButtonElement)];
  /** By name, what the others told last. @type {Map<string, FromStudy.Cursor>} */
  const cursors = new Map();
  /** The tab's own mode: "lead", "follow" or "". */
  let mode = read(storage, MODE) ?? "";
  let isPausing = false;
  let isDue = false;

  lead.addEventListener("click", () => turn("lead"));
  follow.addEventListener("click", () => turn("follow"));

  /** @param {string} wanted */
  function turn(wanted) {
    mode = mode === wanted ? "" : wanted;
    write(storage, MODE, mode);
    show();
    moved();
    goAlong();
  }

  const leads = () => mode === "lead" && mayLead();
  const leader = () => [...cursors.values()].find((cursor) => cursor.leads);

  /** Whether one follows and looks where the leader looks. The others are told so once, not at each step. */
  function isCarried() {
    const there = leader();
    return mode === "follow" && there?.chapter === chapter && there.node === board.current;
  }

  /** At which nodes of this chapter the others look, by name. */
  function places() {
    /** @type {Map<string, number>} */
    const found = new Map();
    for (const cursor of cursors.values()) {
      const there = cursor.follows ? leader() : cursor;
      if (there?.chapter === chapter) {
        found.set(cursor.by, there.node);
      }
    }
    return found;
  }

  /** Tell where the user looks, but not at every step of many. */
  function moved() {
    if (!me) {
      return;
    }
    if (isPausing) {
      isDue = true;
      return;
    }
    const follows = isCarried();
    send({ type: "cursor", chapter, node: follows ? START : board.current, leads: leads(), follows });
    isPausing = true;
    setTimeout(() => {
      isPausing = false;
      if (isDue) {
        isDue = false;
        moved();
      }
    }, PAUSE_MS);
  }

  /** Go where the leader is. */
  function goAlong() {
    const there = leader();
    if (mode !== "follow" || !there) {
      return;
    }
    if (there.chapter !== chapter) {
      location.assign(`?chapter=${there.chapter}`);
    } else if (board.has(there.node)) {
      board.go(there.node);
    }
  }

  function show() {
    const others = [...cursors.values()].map((cursor) => (cursor.leads ? interpolate(gettext("%(name)s leads the study"), { name: cursor.by }, true) : cursor.by));
    const [people, names] = [byId("people"), others.join(", ")];
    // They are announced when they change, not at each move of theirs.
    if (people.textContent !== names) {
      people.textContent = names;
    }
    const isAlone = cursors.size === 0;
    lead.hidden = !me || !mayLead() || (isAlone && mode !== "lead");
    lead.setAttribute("aria-pressed", String(leads()));
    follow.setAttribute("aria-pressed", String(mode === "follow"));
    follow.hidden = isAlone && mode !== "follow";
    board.others(places());
  }

  show();
  return {
    moved,

    /** Others, or the tree, have changed. */
    show() {
      show();
      goAlong();
    },

    /** The connection is lost: on the next one the server tells again who is there. */
    forget() {
      cursors.clear();
      show();
    },

    /** @param {FromStudy.Message} message */
    take(message) {
      if (message.type === "cursor" && message.by !== me) {
        cursors.set(message.by, message);
        this.show();
      } else if (message.type === "left") {
        cursors.delete(message.by);
        show();
      }
    },
  };
}
