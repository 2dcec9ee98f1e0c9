/**
 * Conditional moves of correspondence matches: lines are entered on the board, stored by the server, and shown only to
 * their player. Loaded in correspondence matches only.
 *
 * @typedef {{moves: string[], mine: boolean[]}} Line the moves of both players, and which of them are mine
 * @typedef {{move: string, state: Boards.State}} Step
 * @typedef {{after: number, steps: Step[], legal: string[]}} Draft a line that is being entered
 */

import { myTurn, playing } from "../match/may.js";
import { follow, known, knownAfter } from "../match/store.js";
import { namesOf } from "../match/words.js";
import { getJson, postJson } from "../net/json.js";
import { find, findAll } from "../parts/elements.js";

/* global gettext, interpolate */

/**
 * @param {{board: HTMLElement, bar: HTMLElement, plan: HTMLElement, dialog: HTMLDialogElement}} parts templates/match/_conditional.html
 * @param {ReturnType<typeof import("../match/store.js").createStore>} store
 * @param {object} way
 * @param {() => Boards.Sight} way.view
 * @param {(move: string, seat: number) => string} way.nameOf
 * @param {() => void} way.redraw the board shows another position
 * @param {(sentence: string) => void} way.refuse
 */
export function bindConditional({ board, bar, plan, dialog }, store, { view, nameOf, redraw, refuse }) {
  const address = bar.dataset.address ?? "";
  const list = find(dialog, "ol");
  const part = (/** @type {string} */ name) => find(plan, `[data-part=${name}]`, HTMLButtonElement);
  const [keep, undo, cancel] = [part("keep"), part("undo"), part("cancel")];
  const question = find(plan, "p");
  /** @type {Line[]} */
  let lines = [];
  /** The ply from which they go on. */
  let from = 0;
  /** @type {Draft|null} */
  let draft = null;

  /**
   * @param {Promise<import("../net/json.js").Answer>} asked
   * @returns {Promise<any>} null if it was refused, after showing why
   */
  async function content(asked) {
    const { ok, told } = await asked;
    if (ok && told) {
      return told;
    }
    // The message is shown beside the board.
    dialog.close();
    refuse(told?.detail ?? gettext("Cannot reach the server. Try again later."));
    return null;
  }

  async function read() {
    take(await content(getJson(address)));
  }

  /**
   * Store all lines. The server refuses them if the position is no longer the one they were read for.
   *
   * @param {string[][]} all
   * @returns {Promise<boolean>} whether they are stored
   */
  async function write(all) {
    const body = JSON.stringify({ after: from, lines: all });
    const told = await content(postJson(address, body, { "Content-Type": "application/json" }));
    take(told);
    return told !== null;
  }

  /** @param {{ply: number, lines: Line[]}|null} told */
  function take(told) {
    if (told) {
      from = told.ply;
      lines = told.lines;
      dress();
    }
  }

  /** @param {number} at */
  async function remove(at) {
    if (await write(lines.filter((_, each) => each !== at).map(({ moves }) => moves))) {
      const rows = findAll(list, "button");
      (rows[Math.min(at, rows.length - 1)] ?? find(dialog, "[data-part=add]")).focus();
    }
  }

  /** Show the position after some moves. @param {string[]} moves */
  async function explore(moves) {
    const { ply } = known(store.get()).live;
    const told = await content(getJson(`${address}/${ply}?moves=${moves.map(encodeURIComponent).join(".")}`));
    if (told?.ply === known(store.get()).live.ply) {
      draft = { after: told.ply, steps: told.states, legal: told.legal };
      dress();
      redraw();
    }
  }

  function end() {
    draft = null;
    dress();
    redraw();
  }

  /** The focus of a button that has gone. */
  function focusBoard() {
    findAll(board, "[data-cell][tabindex='0']").at(0)?.focus();
  }

  /** @param {Draft} entered */
  const movesOf = ({ steps }) => steps.map(({ move }) => move);
  /** Which moves of a draft are mine. @param {Draft} entered */
  const mineOf = ({ steps }) => {
    const { live, you } = known(store.get());
    return steps.map((_, at) => (steps[at - 1]?.state ?? live.state).turn === you);
  };

  /** A line with the names of its moves. @param {Line} line @returns {Line} */
  function named({ moves, mine }) {
    const me = known(store.get()).you ?? 0;
    return { moves: moves.map((move, at) => nameOf(move, mine[at] ? me : 1 - me)), mine };
  }

  function dress() {
    const now = known(store.get());
    const open = playing(now) && !myTurn(now) && !now.live.outcome && !now.flags.halted && now.cursor === null;
    bar.hidden = !open || draft !== null;
    find(bar, "[data-part=count]").textContent = lines.length ? String(lines.length) : "";
    plan.hidden = draft === null;
    if (!open && dialog.open) {
      dialog.close();
    }
    find(dialog, "[data-part=none]").hidden = lines.length > 0;
    list.replaceChildren(...lines.map((line, at) => row(named(line), () => void remove(at))));
    if (draft) {
      const mine = mineOf(draft);
      question.textContent = draftWords(named({ moves: movesOf(draft), mine }), turnOf(draft) === now.you, namesOf(now)[1 - (now.you ?? 0)]);
      keep.disabled = mine.at(-1) !== true;
      undo.disabled = draft.steps.length === 0;
    }
  }

  /** @param {Draft} entered */
  const turnOf = ({ steps }) => (steps.at(-1)?.state ?? known(store.get()).live.state).turn;

  find(bar, "button").addEventListener("click", () => dialog.showModal());
  find(dialog, "[data-part=add]").addEventListener("click", () => {
    dialog.close();
    void explore([]).then(focusBoard);
  });
  keep.addEventListener("click", async () => {
    const entered = draft;
    if (entered && (await write([...lines.map(({ moves }) => moves), movesOf(entered)]))) {
      end();
      dialog.showModal();
    }
  });
  undo.addEventListener("click", async () => {
    if (draft) {
      await explore(movesOf(draft).slice(0, -1));
      if (undo.disabled) {
        focusBoard();
      }
    }
  });
  cancel.addEventListener("click", () => {
    end();
    find(bar, "button").focus();
  });

  const unfollow = follow(store, (now, before, message) => {
    if (now.live.ply !== before.live.ply || message.type === "snapshot") {
      if (draft) {
        end();
      }
      void read();
    }
    dress();
  });

  return {
    unbind: unfollow,
    /** The position of the line being entered, for the board; null without one. */
    position() {
      const entered = draft;
      if (!entered) {
        return null;
      }
      return {
        ply: entered.after + entered.steps.length,
        /** @param {number} number */
        at(number) {
          const step = entered.steps[number - entered.after - 1];
          return step ? { state: step.state, ply: null, last: null } : knownAfter(store.get(), number);
        },
        view: { ...view(), seat: turnOf(entered), legal: entered.legal, outcome: null },
        plays: true,
        waiting: null,
        blocked: null,
      };
    },
    /** @param {string} move @returns {boolean} whether a line is being entered, to which it was added */
    play(move) {
      if (draft) {
        void explore([...movesOf(draft), move]);
      }
      return draft !== null;
    },
  };
}

/** @param {Line} line @param {() => void} onRemove */
function row(line, onRemove) {
  const item = document.createElement("li");
  const words = document.createElement("span");
  const button = document.createElement("button");
  item.className = "list-row";
  words.className = "row-title";
  words.textContent = lineWords(line);
  button.type = "button";
  button.className = "button button-quiet";
  button.textContent = gettext("Remove");
  button.setAttribute("aria-label", interpolate(gettext("Remove: %(line)s"), { line: words.textContent }, true));
  button.addEventListener("click", onRemove);
  item.append(words, button);
  return item;
}

/** A line as pairs of an opponent's move and my reply. @param {Line} line */
function lineWords({ moves, mine }) {
  /** @type {{theirs: string[], own: string[]}[]} */
  const pairs = [];
  moves.forEach((move, at) => {
    if (!mine[at] && mine[at - 1] !== false) {
      pairs.push({ theirs: [], own: [] });
    }
    pairs.at(-1)?.[mine[at] ? "own" : "theirs"].push(move);
  });
  return pairs
    .map(({ theirs, own }) =>
      own.length
        ? interpolate(gettext("If %(theirs)s, then %(own)s"), { theirs: theirs.join(" "), own: own.join(" ") }, true)
        : interpolate(gettext("If %(theirs)s"), { theirs: theirs.join(" ") }, true),
    )
    .join(" · ");
}

/** @param {Line} line @param {boolean} mine whether the next move is mine @param {string} name of the opponent */
function draftWords(line, mine, name) {
  const next = mine ? gettext("Your reply?") : interpolate(gettext("What might %(name)s play?"), { name }, true);
  return line.moves.length ? `${lineWords(line)}. ${next}` : next;
}
