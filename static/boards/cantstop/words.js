/**
 * The board in words: what happened, what to do, what each column holds, the result and the notation.
 *
 * @typedef {import("./position.js").State} State
 * @typedef {import("./position.js").View} View
 * @typedef {import("./position.js").Event} Event
 */

import { listed, percent, say } from "../../words/sentences.js";
import { bustOdds } from "./odds.js";
import { COLUMNS, LENGTHS, TO_WIN, blamed, claimedBy, climbs, columnsOf, isTop, moveIn, pairings, running, standing } from "./position.js";

/* global gettext, ngettext */

/**
 * @param {Event} event
 * @param {View} view
 * @param {State} state
 * @param {Event[]} [events] all events of the ply
 */
export function narrate(event, view, state, events = []) {
  const [mine, theirs] = NARRATED[event.kind]?.(event) ?? [];
  const words = {
    ...event,
    name: view.names[event.seat],
    faces: listed(event.faces ?? []),
    columns: listed(event.columns ?? []),
    top: LENGTHS[event.column],
  };
  const told = mine ? say(event.seat === view.seat ? mine : theirs, words) : "";
  const thrown = event.kind === "busted" && events.find(({ kind }) => kind === "thrown");
  return thrown ? `${told} ${bustInWords(thrown.faces, state)}` : told;
}

/** Why no pairing of a throw was legal. @param {number[]} faces @param {State} state */
function bustInWords(faces, state) {
  const columns = new Set(pairings(faces).flatMap((pairing) => blamed(pairing, [], state)));
  const reasons = reasonsInWords([...columns].sort((a, b) => a - b), state);
  return say(gettext("No pairing can be played: %(reasons)s."), { reasons });
}

/**
 * The choices, and after a throw the impossible ones; for a selected column, its effect.
 *
 * @param {State} state
 * @param {Boards.Sight & {selection?: string|null}} view
 */
export function prompt(state, view) {
  if (view.selection) {
    return pressInWords(Number(view.selection), state, view);
  }
  const moves = view.legal.map(columnsOf).filter((columns) => columns.length);
  if (!moves.length) {
    return throwInWords(state, view.legal);
  }
  const choices = moves.map(paired).join(gettext(", or "));
  const missing = pairings(state.dice).filter((pairing) => blamed(pairing, view.legal, state).length);
  return [
    say(gettext("Play %(choices)s."), { choices }),
    ...missing.map((pairing) => closedInWords(pairing, view.legal, state)),
  ].join(" ");
}

/** The choices before a throw. @param {State} state @param {string[]} legal */
function throwInWords(state, legal) {
  const words = stopped(state);
  if (!legal.includes("stop")) {
    return legal.length ? gettext("Roll the dice.") : "";
  }
  if (!words.claimed) {
    return `${say(gettext("Roll again, or stop and keep %(kept)s."), words)} ${riskInWords(state)}`;
  }
  const choice = say(words.kept
    ? gettext("Roll again, or stop, claim %(claimed)s and keep %(kept)s.")
    : gettext("Roll again, or stop and claim %(claimed)s."), words);
  return `${choice} ${riskInWords(state)}`;
}

/** @param {State} state */
const riskInWords = (state) => say(gettext("Chance of a bust: %(chance)s."), { chance: percent(bustOdds(state)) });

/** The columns that stopping would claim, and those where it keeps the space. @param {State} state */
export function stopped(state) {
  const [claimed, kept] = [true, false].map((top) => running(state).filter((column) => isTop(column, state.runners[column]) === top));
  return { claimed: listed(claimed), kept: listed(kept) };
}

/** @param {number[]} columns */
const paired = ([low, high]) => (high === undefined ? String(low) : say(gettext("%(low)s and %(high)s"), { low, high }));

/** Why a pairing, or half of it, cannot be played. @param {number[]} pairing @param {string[]} legal @param {State} state */
export function closedInWords(pairing, legal, state) {
  const reasons = reasonsInWords(blamed(pairing, legal, state), state);
  const left = pairing.find((column) => moveIn(column, legal) !== undefined);
  return left === undefined
    ? say(gettext("%(pairing)s cannot be played: %(reasons)s."), { pairing: paired(pairing), reasons })
    : say(gettext("Of %(pairing)s only %(left)s can be played: %(reasons)s."), { pairing: paired(pairing), left, reasons });
}

/**
 * Why a move is only half of its pairing, "" if it is not.
 *
 * @param {string} move
 * @param {string[]} legal
 * @param {State} state
 */
export function halfClosedInWords(move, legal, state) {
  const pairing = pairings(state.dice).find((columns) => columns.includes(columnsOf(move)[0])) ?? [];
  return reasonsInWords(blamed(pairing, legal, state), state);
}

/**
 * Why runners cannot move in some columns.
 *
 * @param {number[]} columns
 * @param {State} state
 */
export function reasonsInWords(columns, state) {
  const claimed = columns.filter((column) => state.owners[column] !== null);
  const topped = columns.filter((column) => !claimed.includes(column) && isTop(column, standing(state, column)));
  const others = columns.filter((column) => !claimed.includes(column) && !topped.includes(column));
  /** @type {[number[], string][]} */
  const reasons = [
    [topped, ngettext("the runner in column %(columns)s is at the top", "the runners in columns %(columns)s are at the top", topped.length)],
    [claimed, ngettext("column %(columns)s is claimed", "columns %(columns)s are claimed", claimed.length)],
    [others, ngettext("no runner is left for column %(columns)s", "no runner is left for columns %(columns)s", others.length)],
  ];
  return reasons
    .filter(([where]) => where.length)
    .map(([where, words]) => say(words, { columns: listed(where) }))
    .join("; ");
}

/** Sentences of an event for the acting seat, and for everybody else. */
/** @type {Record<string, (event: Event) => [mine: string, theirs: string]>} */
const NARRATED = {
  thrown: () => [gettext("You rolled %(faces)s."), gettext("%(name)s rolled %(faces)s.")],
  /** @param {Event} event */
  climbed: ({ column, space }) =>
    isTop(column, space)
      ? [
          gettext("You reached the top of column %(column)s."),
          gettext("%(name)s reached the top of column %(column)s."),
        ]
      : [
          gettext("You climbed to space %(space)s of %(top)s in column %(column)s."),
          gettext("%(name)s climbed to space %(space)s of %(top)s in column %(column)s."),
        ],
  /** @param {Event} event */
  busted: ({ columns }) =>
    columns.length
      ? [
          ngettext("Bust! You lost the runner in column %(columns)s.", "Bust! You lost the runners in columns %(columns)s.", columns.length),
          ngettext("Bust! %(name)s lost the runner in column %(columns)s.", "Bust! %(name)s lost the runners in columns %(columns)s.", columns.length),
        ]
      : [gettext("Bust! Nothing can move."), gettext("Bust! Nothing can move for %(name)s.")],
  /** @param {Event} event */
  banked: ({ columns }) => [
    ngettext("You stopped and kept your place in column %(columns)s.", "You stopped and kept your places in columns %(columns)s.", columns.length),
    ngettext("%(name)s stopped and kept the place in column %(columns)s.", "%(name)s stopped and kept the places in columns %(columns)s.", columns.length),
  ],
  claimed: () => [gettext("You claimed column %(column)s."), gettext("%(name)s claimed column %(column)s.")],
};

/**
 * The content of a column and the effect of pressing it, for screen readers.
 *
 * @param {number} column
 * @param {State} state
 * @param {View} view
 */
export function columnInWords(column, state, view) {
  const owner = state.owners[column];
  if (owner !== null) {
    const words = { column, name: view.names[owner] };
    return say(owner === view.seat ? gettext("Column %(column)s, claimed by you.") : gettext("Column %(column)s, claimed by %(name)s."), words);
  }
  const parts = [
    say(ngettext("Column %(column)s, %(count)s space.", "Column %(column)s, %(count)s spaces.", LENGTHS[column]), {
      column,
      count: LENGTHS[column],
    }),
  ];
  if (state.runners[column]) {
    const words = { name: view.names[state.turn], space: state.runners[column] };
    parts.push(say(state.turn === view.seat ? gettext("Your runner on %(space)s.") : gettext("%(name)s’s runner on %(space)s."), words));
  }
  state.cones.forEach((row, seat) => {
    if (row[column]) {
      const words = { name: view.names[seat], space: row[column] };
      parts.push(say(seat === view.seat ? gettext("Your cone on %(space)s.") : gettext("%(name)s on %(space)s."), words));
    }
  });
  return [...parts, pressInWords(column, state, view)].filter(Boolean).join(" ");
}

/** @param {number} column @param {State} state @param {Boards.Sight & {selection?: string|null}} view */
function pressInWords(column, state, view) {
  const move = moveIn(column, view.legal);
  if (!move) {
    const pairing = view.legal.length && pairings(state.dice).find((columns) => columns.includes(column));
    return pairing ? closedInWords(pairing, view.legal, state) : "";
  }
  const values = { pairing: columnsOf(move).join(" + "), climbs: climbsInWords(move, state) };
  return view.selection && moveIn(view.selection, view.legal) === move
    ? say(gettext("Press again to play %(pairing)s: %(climbs)s."), values)
    : say(gettext("Press to see %(pairing)s: %(climbs)s."), values);
}

/** @param {string} move @param {State} state */
export function climbsInWords(move, state) {
  return listed(climbs(move, state).map(([column, , space]) =>
    isTop(column, space)
      ? say(gettext("%(column)s to the top"), { column })
      : say(gettext("%(column)s to space %(space)s of %(top)s"), { column, space, top: LENGTHS[column] }),
  ));
}

/** @param {State} state */
export function stopInWords(state) {
  const words = stopped(state);
  if (!words.claimed) {
    return say(gettext("Keep %(kept)s"), words);
  }
  return say(words.kept ? gettext("Claim %(claimed)s and keep %(kept)s") : gettext("Claim %(claimed)s"), words);
}

/** The position in words; the page says whose turn it is. @param {State} state @param {View} view */
export function summary(state, view) {
  const runners = running(state).map((column) =>
    say(gettext("column %(column)s on %(space)s of %(top)s"), { column, space: state.runners[column], top: LENGTHS[column] }),
  );
  const out = runners.length && say(gettext("Runners: %(runners)s."), { runners: listed(runners) });
  const dice = state.dice.length && say(gettext("Dice: %(faces)s."), { faces: listed(state.dice) });
  const seats = state.cones.map((_, seat) => seatInWords(seat, state, view));
  return [dice, out, ...seats].filter(Boolean).join(" ");
}

/** @param {number} seat @param {State} state @param {View} view */
function seatInWords(seat, state, view) {
  const cones = COLUMNS.filter((column) => state.cones[seat][column]).map((column) =>
    say(gettext("column %(column)s on %(space)s of %(top)s"), { column, space: state.cones[seat][column], top: LENGTHS[column] }),
  );
  return say(seat === view.seat ? gettext("You claimed %(claimed)s; cones: %(cones)s.") : gettext("%(name)s claimed %(claimed)s; cones: %(cones)s."), {
    name: view.names[seat],
    claimed: listed(claimedBy(seat, state)) || gettext("nothing"),
    cones: listed(cones) || gettext("none"),
  });
}

/** @param {State} state @param {number} seat */
export const tally = (state, seat) => `${Math.min(claimedBy(seat, state).length, TO_WIN)}/${TO_WIN}`;

/** @param {Boards.Outcome} outcome @param {View} view */
export function result({ winners: [seat], scores }, view) {
  const count = scores[seat];
  return seat === view.seat
    ? say(ngettext("You claimed %(count)s column.", "You claimed %(count)s columns.", count), { count })
    : say(ngettext("%(name)s claimed %(count)s column.", "%(name)s claimed %(count)s columns.", count), {
        name: view.names[seat],
        count,
      });
}

/** @param {Boards.Ply} ply */
export function notation({ action, dice, events }) {
  if (dice) {
    const faces = `[${dice.join(" ")}]`;
    return events.some(({ kind }) => kind === "busted") ? say(gettext("%(faces)s bust"), { faces }) : faces;
  }
  return { roll: "", stop: gettext("stop") }[action] ?? action;
}

/**
 * The turn with the greatest gain: several claimed columns, else the most steps.
 *
 * @param {Boards.Ply[]} plies
 * @param {Boards.Sight} view
 */
export function fact(plies, view) {
  const turns = keptTurns(plies).sort((a, b) => b.steps - a.steps);
  const best = turns.find(({ claims }) => claims > 1) ?? turns[0];
  if (!best) {
    return "";
  }
  const [mine, theirs] = best.claims > 1
    ? [gettext("You claimed %(claims)s columns in one turn."), gettext("%(name)s claimed %(claims)s columns in one turn.")]
    : [
        ngettext("Your longest climb: %(steps)s step in one turn.", "Your longest climb: %(steps)s steps in one turn.", best.steps),
        ngettext("Longest climb: %(steps)s step in one turn, by %(name)s.", "Longest climb: %(steps)s steps in one turn, by %(name)s.", best.steps),
      ];
  return say(best.seat === view.seat ? mine : theirs, { ...best, name: view.names[best.seat] });
}

/**
 * The turns that banked: their steps in total, and the columns they claimed.
 *
 * @param {Boards.Ply[]} plies
 */
function keptTurns(plies) {
  /** @type {{seat: number, steps: number, claims: number}[]} */
  const turns = [];
  let turn = { seat: -1, steps: 0, claims: 0 };
  for (const { kind, seat, start, space } of /** @type {Event[]} */ (plies.flatMap(({ events }) => events))) {
    if (kind === "thrown" && (turn.seat !== seat || turns.includes(turn))) {
      turn = { seat, steps: 0, claims: 0 };
    } else if (kind === "climbed") {
      turn.steps += space - start;
    } else if (kind === "banked") {
      turns.push(turn);
    } else if (kind === "claimed") {
      turn.claims += 1;
    } else if (kind === "busted") {
      turn = { seat: -1, steps: 0, claims: 0 };
    }
  }
  return turns;
}
