/** A board in a frame of another site: live while the match goes on, a replay when it is over. */

import { createBoards } from "../board/boards-on-show.js";
import { createReplay } from "./embed-replay.js";
import { viewOf } from "../board/miniboard.js";
import { picture } from "../shapes/patch.js";
import { seatMark } from "../shapes/svg.js";
import { headline } from "../match/words.js";

const id = (name) => document.getElementById(name);
const root = id("embed");
const art = id("art");
const seats = [...id("players").children];

for (const [seat, player] of seats.entries()) {
  player.prepend(picture([seatMark(seat, 0, 0, 1)], "-1.3 -1.3 2.6 2.6", "embed-mark"));
}
begin(await import(root.dataset.board));

function begin(module) {
  const aspect = () => art.clientWidth / Math.max(1, art.clientHeight);
  const score = id("score");
  const { reshape } = score ? replay(JSON.parse(score.textContent)) : live();
  new ResizeObserver(() => reshape(aspect())).observe(art);

  /** Follows the match through the watch socket; nobody counts it as a watcher. */
  function live() {
    const boards = createBoards({ modules: { [root.dataset.game]: root.dataset.board }, onShown: tell });
    boards.put(art, root.dataset.match, aspect());
    id("again").addEventListener("click", () => location.reload());
    return { reshape: (shape) => boards.reshape(art, shape) };
  }

  function replay(score) {
    const match = { id: root.dataset.match, game: root.dataset.game, players: score.players };
    const parts = { art, steps: id("steps"), play: id("play") };
    return createReplay(parts, { module, match, score, aspect: aspect(), onShown: tell });
  }

  /** What stands beside the board: whose turn it is, or how it ended. @param {import("../board/miniboard.js").Shown} shown */
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
