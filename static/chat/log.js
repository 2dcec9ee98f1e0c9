/** A list of lines on the page: rows kept in step with what is known, and a way through them by keyboard. */

/* global gettext, interpolate */

/** Who has scrolled up further than this, in pixels, reads old lines and is left in peace. */
const NEAR_END = 60;

/**
 * @param {HTMLElement} log
 * @param {object} way
 * @param {HTMLTemplateElement} way.template of a row
 * @param {string} way.me my name, "" for a visitor
 * @param {(line: import("./lines.js").Line) => void} way.openPerson
 * @param {(line: any) => string} [way.wordsOf] what is read of a line
 * @returns {(lines: import("./lines.js").Line[]) => void} show these, oldest first
 */
export function bindLog(log, { template, me, openPerson, wordsOf = (line) => line.text }) {
  const rows = new Map();

  function made(line) {
    const row = template.content.firstElementChild.cloneNode(true);
    row.querySelector("button").addEventListener("click", () => openPerson(row.line));
    row.querySelector("button").hidden = line.name === me;
    row.querySelector("time").dateTime = line.at;
    row.querySelector("time").textContent = clockTime(new Date(line.at), new Date());
    row.querySelector('[data-part="text"]').textContent = wordsOf(line);
    return row;
  }

  function fill(row, line) {
    if (row.line?.name !== line.name) {
      row.querySelector('[data-part="name"]').textContent = line.name;
      row.querySelector("button").setAttribute("aria-label", interpolate(gettext("About %(name)s"), line, true));
    }
    row.line = line;
  }

  log.addEventListener("keydown", (event) => walk(log, event));
  return function show(lines) {
    const atEnd = log.scrollHeight - log.scrollTop - log.clientHeight < NEAR_END;
    const wanted = new Set(lines.map((line) => line.id));
    for (const [id, row] of rows) {
      if (!wanted.has(id)) {
        if (row.contains(document.activeElement)) {
          log.focus();
        }
        row.remove();
        rows.delete(id);
      }
    }
    lines.forEach((line, place) => {
      const row = rows.get(line.id) ?? made(line);
      rows.set(line.id, row);
      fill(row, line);
      if (log.children[place] !== row) {
        log.insertBefore(row, log.children[place] ?? null);
      }
    });
    oneTabStop(log);
    if (atEnd) {
      log.scrollTop = log.scrollHeight;
    }
  };
}

/** The time of day as the reader's browser writes it, with the day where it is not today's. */
function clockTime(at, now) {
  const today = at.toDateString() === now.toDateString();
  const day = today ? {} : { weekday: "short" };
  return at.toLocaleTimeString([], { ...day, hour: "2-digit", minute: "2-digit" });
}

const buttonsOf = (log) => [...log.querySelectorAll("button:not([hidden])")];

/** Of fifty buttons the Tab key stops at one: the focused one, else the newest. */
function oneTabStop(log) {
  const buttons = buttonsOf(log);
  const stop = buttons.find((button) => button === document.activeElement) ?? buttons.at(-1);
  buttons.forEach((button) => {
    button.tabIndex = button === stop ? 0 : -1;
  });
}

/** Up and down from line to line. */
function walk(log, event) {
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  const buttons = buttonsOf(log);
  const from = buttons.indexOf(document.activeElement);
  if (step && from >= 0) {
    event.preventDefault();
    buttons[from + step]?.focus();
    oneTabStop(log);
  }
}
