/** A board in a frame of another site: live while the match goes on, a replay when it is over. */

import { createBoards } from "./boards-on-show.js";
import { createReplay } from "./embed-replay.js";
import { viewOf } from "./miniboard.js";
import { picture } from "./patch.js";
import { seatMark } from "./svg.js";
import { headline } from "./words.js";

/** Width by height of the room for the board must change by this much before the board is drawn anew. */
const OTHER_SHAPE = 1.1;

const id = (name) => document.getElementById(name);
const root = id("embed");
const art = id("art");
const seats = [...id("players").children];

for (const [seat, player] of seats.entries()) {
  player.prepend(picture([seatMark(seat, 0, 0, 1)], "-1.3 -1.3 2.6 2.6", "embed-mark"));
}
begin(await import(root.dataset.board));

function begin(module) {
  const score = id("score");
  const put = score ? replay(JSON.parse(score.textContent)) : live();
  let drawn = 0;
  new ResizeObserver(() => {
    const aspect = art.clientWidth / Math.max(1, art.clientHeight);
    if (Math.max(aspect / drawn, drawn / aspect) > OTHER_SHAPE) {
      drawn = aspect;
      put(aspect);
    }
  }).observe(art);

  /** Follows the match through the watch socket; nobody counts it as a watcher. */
  function live() {
    const boards = createBoards({ modules: { [root.dataset.game]: root.dataset.board }, onShown: tell });
    id("again").addEventListener("click", () => location.reload());
    return (aspect) => {
      boards.take(art);
      boards.put(art, root.dataset.match, aspect);
    };
  }

  function replay(match) {
    const { put: show } = createReplay(
      { art, steps: id("steps"), play: id("play") },
      { module, match: { id: root.dataset.match, game: root.dataset.game, players: match.players }, score: match, onShown: tell },
    );
    return show;
  }

  /** What stands beside the board: whose turn it is, or how it ended. @param {import("./miniboard.js").Shown} shown */
  function tell(shown) {
    const { state, outcome } = shown;
    const turn = outcome ? null : state.turn;
    for (const [seat, player] of seats.entries()) {
      player.toggleAttribute("data-turn", seat === turn);
      player.toggleAttribute("data-won", Boolean(outcome?.winners.includes(seat)));
    }
    const words = headline({
      match: { seats: shown.match.players.map((name) => ({ name })) },
      live: { state, outcome },
      you: null,
      situation: { halted: "", caretaken: [] },
    });
    if (id("headline").textContent !== words) {
      id("headline").textContent = words;
    }
    art.setAttribute("aria-label", module.summary(state, viewOf(shown)));
    if (outcome && id("again")) {
      id("again").hidden = false;
    }
  }
}
