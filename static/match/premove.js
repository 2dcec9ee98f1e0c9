/** Whether a premove is possible. Pure. */

import { myTurn, playing } from "./may.js";

/** @param {import("./store.js").Known} store */
export function mayPremove(store) {
  const { live, match, you, cursor, situation, pending } = store;
  const mine = you !== null && playing(store) && !myTurn(store) && live.state.turn !== you;
  const running = !live.outcome && !situation.halted && cursor === null;
  // Correspondence matches have conditional moves instead.
  const clocked = Boolean(match.clock?.initial);
  return mine && running && clocked && !match.shared && !situation.caretaken.includes(you) && !pending.some(({ type }) => type === "move");
}
