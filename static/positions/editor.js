/**
 * Setting up a position, by presses on the board and by the fields of the state. The server says whether a match can
 * have it; until then it is a draft.
 *
 * @typedef {import("./steps.js").Told} Told
 */

import { byId, find, findAll } from "../parts/elements.js";
import { answerOf } from "./steps.js";

/* global gettext */

/**
 * @param {HTMLElement} root has the elements of templates/positions/_editor.html and _fields.html
 * @param {Boards.Editing|null} edit without it only the fields change the draft
 * @param {object} way
 * @param {string[]} way.names
 * @param {Boards.State} way.start the start position of these rules
 * @param {{rest: () => void, refuse: (sentence: string) => void}} way.notice
 * @param {() => void} way.onChange the draft is another one, or there is none any more
 * @param {(told: Told) => void} way.onTold a match can have the draft
 * @param {(told: Told) => void} way.onDone
 */
export function createEditor(root, edit, { names, start, notice, onChange, onTold, onDone }) {
  const done = byId("edit-done", HTMLButtonElement);
  const undo = byId("edit-undo", HTMLButtonElement);
  const turn = byId("edit-turn", HTMLSelectElement);
  const fields = byId("fields", HTMLFormElement);
  /** What has been set up, the last one on the board. @type {Boards.State[]} */
  let drafts = [];
  /** The words of the text before the fields: game, options, seats. @type {string[]} */
  let head = [];
  /** The draft on the board, if a match can have it. @type {Told|null} */
  let told = null;
  let asked = 0;

  const draft = () => drafts.at(-1) ?? null;
  const current = () => /** @type {Boards.State} */ (draft());

  if (edit) {
    showTools(edit.tools(start, names));
  }
  byId("edit-clear").hidden = !edit;
  byId("edit-clear").addEventListener("click", () => edit && change(edit.clear(current())));
  byId("edit-start").addEventListener("click", () => change(start));
  undo.addEventListener("click", () => {
    drafts.pop();
    changed();
  });
  done.addEventListener("click", () => {
    if (told) {
      const position = told;
      close();
      onDone(position);
    }
  });
  turn.addEventListener("change", () => change({ ...current(), turn: Number(turn.value) }));
  fields.addEventListener("submit", (event) => event.preventDefault());
  fields.addEventListener("change", ({ target }) => target instanceof HTMLInputElement && fieldChanged(target));

  /** Radio buttons for what a press does. @param {{name: string, label: string}[]} tools */
  function showTools(tools) {
    const set = byId("tools");
    for (const { name, label } of tools) {
      const choice = document.createElement("label");
      choice.className = "choice";
      const radio = Object.assign(document.createElement("input"), { type: "radio", name: "tool", value: name, checked: name === tools[0].name });
      const words = document.createElement("span");
      words.textContent = label;
      choice.append(radio, words);
      set.append(choice);
    }
    set.hidden = false;
  }

  /** @param {Boards.State} next */
  function change(next) {
    drafts.push(next);
    changed();
  }

  /** Show the draft, and ask whether a match can have it. */
  async function changed() {
    told = null;
    done.disabled = true;
    undo.disabled = drafts.length < 2;
    turn.value = String(current().turn);
    for (const field of findAll(fields, "input", HTMLInputElement)) {
      field.value = short(valueOf(current(), field.name));
      field.removeAttribute("aria-invalid");
    }
    byId("fields-error").textContent = "";
    notice.rest();
    onChange();
    const answer = await ask(written(current()));
    if (answer?.ok) {
      told = answer.told;
      done.disabled = false;
      onTold(answer.told);
    } else if (answer) {
      notice.refuse(wordsOf(answer));
    }
  }

  /** The draft with a typed field, if a match can have it. @param {HTMLInputElement} field */
  async function fieldChanged(field) {
    const answer = await ask({ ...written(current()), [field.name]: field.value.replace(/\s/g, "") });
    if (answer?.ok) {
      change(answer.told.state);
    } else if (answer) {
      field.setAttribute("aria-invalid", "true");
      byId("fields-error").textContent = wordsOf(answer);
    }
  }

  /** The server's answer about a position, null if something else has been asked meanwhile. @param {Record<string, string>} values */
  async function ask(values) {
    asked += 1;
    const number = asked;
    const text = [...head, ...Object.entries(values).map(([name, value]) => `${name}=${value}`)].join(" ");
    const answer = await answerOf(root.dataset.positions ?? "", [["position", text]]);
    return number === asked && draft() ? answer : null;
  }

  function close() {
    drafts = [];
    notice.rest();
    show(false);
    onChange();
  }

  /** @param {boolean} isOpen */
  function show(isOpen) {
    root.toggleAttribute("data-editing", isOpen);
    byId("edit").setAttribute("aria-pressed", String(isOpen));
    for (const part of ["editor", "editing", "fields"]) {
      byId(part).hidden = !isOpen;
    }
    byId("playing").hidden = isOpen;
  }

  return {
    draft,
    close,

    /** @param {Told} position */
    open(position) {
      const [game, options, ...others] = position.position.split(" ");
      head = [game, options, ...others.filter((word) => word.startsWith("seats="))];
      // A match that goes on has no outcome.
      drafts = [position.state.ended ? { ...position.state, ended: null } : position.state];
      show(true);
      changed();
    },

    /** @param {string} cell */
    press(cell) {
      if (edit) {
        change(edit.press(cell, find(byId("tools"), ":checked", HTMLInputElement).value, current()));
      } else {
        notice.refuse(gettext("Change the fields of this position."));
      }
    },

    /** A board of which every cell can be pressed while there is a draft. @param {Boards.Module} module @returns {Boards.Module} */
    face: (module) => ({
      ...module,
      pick: (cell, ...others) => (draft() ? { move: cell } : module.pick(cell, ...others)),
      controls: (...given) => (draft() ? [] : module.controls(...given)),
      held: module.held && ((...given) => (draft() ? null : (module.held?.(...given) ?? null))),
    }),
  };
}

/** @param {import("../net/json.js").Answer} answer */
const wordsOf = ({ told }) => told?.detail ?? gettext("Cannot reach the server. Try again later.");

/** @param {Boards.State} state @param {string} name */
const valueOf = (state, name) => /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (state))[name];

/** The fields of a state as the text of a position has them, without the options. @param {Boards.State} state */
export function written(state) {
  const values = Object.entries(state).filter(([name]) => name !== "options");
  return Object.fromEntries(values.map(([name, value]) => [name, JSON.stringify(value)]));
}

/** A value in the shorter form that people type. @param {unknown} value */
export function short(value) {
  const text = JSON.stringify(value);
  if (Array.isArray(value) && value.length > 1) {
    return text.slice(1, -1);
  }
  return typeof value === "string" && /^[A-Za-z._][\w.-]*$/.test(value) ? value : text;
}
