/**
 * The tree of variations as nested lists: a line is a list of moves, and the variations of a move are lists below it.
 *
 * @typedef {ReturnType<typeof import("./tree.js").createTree>} Tree
 * @typedef {import("./tree.js").Node} Node
 */

import { around } from "../parts/elements.js";
import { START } from "./tree.js";

/* global gettext, interpolate */

/**
 * @param {HTMLElement} root
 * @param {Tree} tree
 * @param {object} way
 * @param {(node: Node) => {number: number|null, text: string}} way.notation
 * @param {(id: number) => void} way.onGo
 */
export function createList(root, tree, { notation, onGo }) {
  let current = START;
  /** Who else looks at which node. @type {Map<string, number>} */
  let people = new Map();
  root.addEventListener("click", (event) => {
    const pressed = around(event, "[data-node]");
    if (pressed) {
      onGo(Number(pressed.dataset.node));
    }
  });

  /** The moves from a node on. @param {Node} first @param {Node[]} others variations instead of it @returns {HTMLElement} */
  function line(first, others) {
    const list = document.createElement("ol");
    list.className = "variation";
    for (let [node, ...rest] = [first, ...others]; node; [node, ...rest] = tree.children(node.id)) {
      list.append(item(node, rest));
    }
    return list;
  }

  /** @param {Node} node @param {Node[]} others variations instead of it */
  function item(node, others) {
    const made = document.createElement("li");
    made.append(button(node));
    if (node.comment) {
      const comment = document.createElement("p");
      comment.className = "variation-comment";
      comment.textContent = node.comment;
      made.append(comment);
    }
    for (const other of others) {
      const side = line(other, []);
      side.setAttribute("aria-label", interpolate(gettext("Instead of %(move)s"), { move: notation(node).text }, true));
      made.append(side);
    }
    return made;
  }

  /** @param {Node} node */
  function button(node) {
    const made = document.createElement("button");
    const { number, text } = notation(node);
    made.type = "button";
    made.className = "ply";
    made.dataset.node = String(node.id);
    if (number !== null) {
      const count = document.createElement("small");
      count.textContent = `${number}. `;
      made.append(count);
    }
    made.append(`${text}${node.glyph}`);
    return made;
  }

  /** A sign at the move that somebody else looks at. */
  function markPeople() {
    root.querySelectorAll(".variation-person").forEach((sign) => sign.remove());
    for (const [name, id] of people) {
      const sign = document.createElement("span");
      sign.className = "variation-person";
      sign.title = name;
      sign.setAttribute("role", "img");
      sign.setAttribute("aria-label", name);
      sign.textContent = [...name][0];
      root.querySelector(`[data-node="${id}"]`)?.after(sign);
    }
  }

  function mark() {
    root.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const shown = root.querySelector(`[data-node="${current}"]`);
    shown?.setAttribute("aria-current", "step");
    shown?.scrollIntoView({ block: "nearest" });
  }

  return {
    /** Show the tree anew. */
    draw() {
      const { activeElement } = document;
      const focused = activeElement instanceof HTMLElement && root.contains(activeElement) ? activeElement.dataset.node : undefined;
      const [first, ...others] = tree.children(START);
      root.replaceChildren(...(first ? [line(first, others)] : []));
      mark();
      markPeople();
      if (focused) {
        // Another editor may have removed it.
        /** @type {HTMLElement|null} */ (root.querySelector(`[data-node="${focused}"]`) ?? root.querySelector("[aria-current]"))?.focus();
      }
    },
    /** Show where others are, by their names. @param {Map<string, number>} nodes */
    others(nodes) {
      people = nodes;
      markPeople();
    },
    /** @param {number} id */
    go(id) {
      current = id;
      mark();
    },
  };
}
