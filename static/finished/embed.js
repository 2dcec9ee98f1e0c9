/** A board embedded in another site: live during the match, a replay afterwards. */

import { moduleAt } from "../net/module.js";
import { byId } from "../parts/elements.js";
import { createBoards } from "../board/boards-on-show.js";
import { createReplay } from "./embed-replay.js";
import { viewOf } from "../board/miniboard.js";
import { picture } from "../shapes/patch.js";
import { seatMark } from "../shapes/svg.js";
import { headline } from "../match/words.js";

const root = byId("embed");
const art = byId("art");
const seats = [...byId("players").children];
const { board: address = "", game = "", match: id = "" } = root.dataset;

begin(await moduleAt(address));

/** @param {Boards.Module} module */
function begin(module) {
  const mark = module.mark ?? seatMark;
  for (const [seat, player] of seats.entries()) {
    player.prepend(picture([mark(seat, 0, 0, 1)], "-1.3 -1.3 2.6 2.6", "embed-mark"));
  }
  const aspect = () => art.clientWidth / Math.max(1, art.clientHeight);
  const score = document.getElementById("score");
  const again = document.getElementById("again");
  const { reshape } = score ? replay(JSON.parse(score.textContent ?? "")) : live();
  new ResizeObserver(() => reshape(aspect())).observe(art);

  /** Follow the match through the watch socket; it is not counted as a spectator. */
  function live() {
    const boards = createBoards({ modules: { [game]: address }, onShown: tell });
    boards.put(art, id, aspect());
    again?.addEventListener("click", () => location.reload());
    return { /** @param {number} shape */
    reshape: (/** @type {number} */ shape) => boards.reshape(art, shape) };
  }

  /** @param {import("./embed-replay.js").Score & {players: string[]}} told */
  function replay(told) {
    const match = { id, game, players: told.players };
    const parts = { art, steps: byId("steps"), play: byId("play", HTMLButtonElement) };
    return createReplay(parts, { module, match, score: told, aspect: aspect(), onShown: tell });
  }

  /**
   * The text beside the board: whose turn it is, or the result.
   *
   * @param {import("../board/miniboard.js").Shown} shown
   */
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
      flags: { halted: null, caretaken: [] },
    });
    if (byId("headline").textContent !== words) {
      byId("headline").textContent = words;
    }
    art.setAttribute("aria-label", module.summary(state, viewOf(shown)));
    if (outcome && again) {
      again.hidden = false;
    }
  }
}
