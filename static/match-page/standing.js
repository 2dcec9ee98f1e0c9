/** Players, headline, moves and clocks, bound to the store and the board. */

import { follow, isKnown, known } from "../match/store.js";
import { onChange } from "../parts/settings.js";
import { createClockFaces } from "../players/clock-faces.js";
import { createAround } from "./around.js";

/**
 * @param {import("./connection.js").Connection} connection
 * @param {import("./look.js").Look} look
 * @param {object} way
 * @param {import("../moves/list.js").MoveList} way.moves
 * @param {string} way.title of the page
 * @param {() => boolean} way.moving whether pieces are moving
 * @param {() => void} way.onLow my time is running out
 * @returns {() => void} unbind
 */
export function bindStanding({ store, now }, look, { moves, title, moving, onLow }) {
  const around = createAround(look.module, { title, moves });
  const clocks = createClockFaces({ clockOf: around.clockOf, now, onTurn: clocksTurned });
  const tell = () => around.standing(known(store.get()), look.view());
  let lowBefore = false;

  /** Another clock runs, or one became low. @param {import("../match/clock.js").Standing[]} standings */
  function clocksTurned(standings) {
    const { you } = store.get();
    const low = you !== null && Boolean(standings[you]?.low);
    if (low && !lowBefore) {
      onLow();
    }
    lowBefore = low;
    around.clocks(standings);
    if (!moving() && around.clockOf(0)) {
      tell();
    }
  }

  function rested() {
    const here = store.get();
    if (isKnown(here)) {
      tell();
      around.passing(here, look.view());
      clocks.update(here);
    }
  }

  const unheard = look.onShown(rested);
  const unpainted = look.onPainted(around.counters);
  rested();
  const unfollow = follow(store, (here) => {
    // A new move is listed once its pieces have landed; a step through the moves is marked at once.
    if (!moving() || here.cursor !== null) {
      around.passing(here, look.view());
    }
    clocks.update(here);
  });
  const unset = onChange((name) => {
    const here = store.get();
    if (name === "pits" && isKnown(here)) {
      around.passing(here, look.view());
      tell();
    }
  });
  return () => {
    unheard();
    unpainted();
    unfollow();
    unset();
  };
}
