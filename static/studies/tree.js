/**
 * The tree of variations of a chapter. Pure. The operations are those of lobby/studies/tree.py.
 *
 * @typedef {object} Node
 * @property {number} id
 * @property {number|null} parent null for the start
 * @property {string} action
 * @property {number[]|null} dice
 * @property {string} comment
 * @property {string} glyph
 * @property {string[]} marks
 * @property {number} rank the sibling with the highest comes first
 *
 * @typedef {{kind: "add", parent: number, action: string, dice: number[]|null}
 *   | {kind: "comment", node: number, text: string}
 *   | {kind: "glyph", node: number, glyph: string}
 *   | {kind: "marks", node: number, marks: string[]}
 *   | {kind: "promote", node: number}
 *   | {kind: "remove", node: number}} Operation
 *
 * @typedef {Partial<Node> & {id: number, removed?: boolean}} NodeFields without what is empty
 */

/** The id of the node that stands for the start. */
export const START = 0;

/** @param {NodeFields[]} fields */
export function createTree(fields) {
  /** @type {Map<number, Node>} */
  const nodes = new Map();
  merge(fields);

  /** Take nodes as the server has them. @param {NodeFields[]} fields */
  function merge(fields) {
    for (const { removed, ...each } of fields) {
      if (removed) {
        nodes.delete(each.id);
      } else {
        nodes.set(each.id, { parent: null, action: "", dice: null, comment: "", glyph: "", marks: [], rank: 0, ...each });
      }
    }
  }

  /** @param {number} id */
  function children(id) {
    return [...nodes.values()].filter(({ parent }) => parent === id).sort((one, other) => other.rank - one.rank || one.id - other.id);
  }

  /** The nodes from the start to one. @param {number} id @returns {Node[]} */
  function path(id) {
    const node = nodes.get(id);
    return node ? [...(node.parent === null ? [] : path(node.parent)), node] : [];
  }

  /** A node and all after it, each after its parent. @param {number} id @returns {Node[]} */
  function below(id) {
    const found = path(id).slice(-1);
    // It grows while it is read.
    for (const node of found) {
      found.push(...children(node.id));
    }
    return found;
  }

  /** A number above all ids and ranks. */
  const number = () => Math.max(...[...nodes.values()].flatMap(({ id, rank }) => [id, rank])) + 1;

  /** Change a node. @param {number} id @param {Partial<Node>} changes */
  function set(id, changes) {
    const node = nodes.get(id);
    if (node) {
      nodes.set(id, { ...node, ...changes });
    }
  }

  return {
    merge,
    clear: () => nodes.clear(),
    children,
    path,
    set,

    /** @param {number} id */
    node: (id) => nodes.get(id),

    /** The node of a move after another, if it is there. @param {number} parent @param {string} action @param {number[]|null} dice */
    found: (parent, action, dice) => children(parent).find((node) => node.action === action && String(node.dice) === String(dice)),

    /** Add a move; returns the id of its node. @param {number} parent @param {string} action @param {number[]|null} dice */
    add(parent, action, dice) {
      const id = number();
      merge([{ id, parent, action, dice }]);
      return id;
    },

    /** The nearest node on the way to one, itself included, that is not the first after its parent. @param {number} id */
    turn: (id) => path(id).findLast(({ id: each, parent }) => parent !== null && children(parent)[0].id !== each),

    /** Make a node the first after its parent. @param {number} id */
    promote: (id) => set(id, { rank: number() }),

    /** Remove a node and all after it. @param {number} id */
    remove: (id) => below(id).forEach((node) => nodes.delete(node.id)),

    /** The last node of the line that goes on from one. @param {number} id @returns {number} */
    end: (id) => {
      let last = id;
      for (let [next] = children(id); next; [next] = children(next.id)) {
        last = next.id;
      }
      return last;
    },

    /** All nodes, each after its parent and siblings in order. @returns {NodeFields[]} */
    fields: () => below(START).map(({ rank: _rank, ...fields }) => fields),
  };
}
