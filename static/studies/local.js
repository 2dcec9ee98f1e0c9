/** Operations on a tree that the browser has alone. The server says what a move leads to. */

import { postJson } from "../net/json.js";
import { START } from "./tree.js";

/* global gettext */

/**
 * @typedef {import("./board.js").Ply} Ply
 * @typedef {import("./tree.js").NodeFields} NodeFields
 * @typedef {{ok: boolean, told: {nodes: NodeFields[], plies: Record<string, Ply>, detail?: string}|null}} Answer
 */

/** The sentence for an answer that is none. @param {Answer} answer */
export const problemOf = ({ told }) => told?.detail ?? gettext("Cannot reach the server. Try again later.");

/**
 * Have the server read nodes from a position: it numbers them anew.
 *
 * @param {string} address
 * @param {string} position
 * @param {NodeFields[]} nodes
 * @returns {Promise<Answer>}
 */
export function readNodes(address, position, nodes) {
  const bare = nodes.map(({ rank: _rank, removed: _removed, ...fields }) => fields);
  return postJson(address, JSON.stringify({ position, nodes: bare }));
}

/**
 * @param {string} address
 * @param {ReturnType<typeof import("./tree.js").createTree>} tree
 * @param {() => ReturnType<typeof import("./board.js").createStudyBoard>} board
 * @param {() => void} onChange
 */
export function createLocalEditor(address, tree, board, onChange) {
  /** @param {import("./tree.js").Operation & {kind: "add"}} operation */
  async function add({ parent, action, dice }) {
    const answer = await readNodes(address, board().positionOf(parent), [{ id: START }, { id: 1, parent: START, action, dice }]);
    if (!answer.ok || !answer.told) {
      board().refused(problemOf(answer));
      return;
    }
    const made = answer.told.plies[1];
    const id = tree.found(parent, made.action, made.dice)?.id ?? tree.add(parent, made.action, made.dice);
    board().learn({ [id]: made });
    board().changed();
    board().go(id);
    onChange();
  }

  return {
    /** @param {import("./tree.js").Operation} operation */
    edit(operation) {
      if (operation.kind === "add") {
        void add(operation);
        return;
      }
      const { node } = operation;
      if (operation.kind === "promote") {
        tree.promote(node);
      } else if (operation.kind === "remove") {
        tree.remove(node);
      } else {
        const { kind: _kind, node: _node, ...changes } = operation;
        tree.set(node, "text" in changes ? { comment: changes.text } : changes);
      }
      board().changed();
      onChange();
    },
  };
}
