/**
 * Advice on the move, by what it gains and what it leaves to the opponent.
 *
 * @typedef {import("./position.js").State} State
 * @typedef {import("./position.js").Event} Event
 */

import { say } from "../../words/sentences.js";
import { captures, lastOf, placeOf, storeOf } from "./position.js";
import { moveName } from "./words.js";

/* global gettext */

/**
 * Advice for a newcomer: a capture if there is one, else a pit that earns another turn.
 *
 * @param {State} state
 * @param {Boards.Sight} view
 * @param {Event[]} events of the last ply
 * @returns {Boards.Advice|null}
 */
export function coach(state, view, events) {
  const seat = view.seat ?? 0;
  const sowings = view.legal.filter((move) => move !== "swap");
  const again = events.some((event) => event.kind === "turnkept" && event.seat === seat);
  const capture = sowings.find((move) => captures(state, placeOf(state, seat, Number(move))));
  if (capture) {
    const told = say(gettext("Pit %(pit)s ends in an empty pit and captures."), { pit: moveName(capture, state, view) });
    const words = again
      ? gettext("You move again! Start here: it ends in an empty pit and captures.")
      : gettext("Start here: the last seed ends in an empty pit and captures.");
    return { move: capture, words, told };
  }
  const store = sowings.find((move) => lastOf(state, placeOf(state, seat, Number(move))) === storeOf(state, seat));
  const told = store ? say(gettext("The last seed of pit %(pit)s lands in your store."), { pit: moveName(store, state, view) }) : "";
  if (again) {
    const words = store
      ? gettext("You move again! Start here: the last seed lands in your store.")
      : gettext("Last seed in your store: you move again!");
    return { move: store ?? null, words, told };
  }
  return store ? { move: store, words: gettext("Start here: the last seed lands in your store, so you move again."), told } : null;
}
