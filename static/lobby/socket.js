/** The feed of the lobby with ordering and the connection banner. */

import { createBanner } from "../net/banner.js";
import { orderedNews } from "./news.js";
import { openFeed } from "../net/socket.js";

/**
 * @param {object} way
 * @param {(list: FromLobby.Lobby) => void} way.onList the whole list, at first and after a resync
 * @param {(change: import("./news.js").Change) => void} way.onChange
 * @param {(counts: FromLobby.CountFields) => void} [way.onCounts] the counters of the site, also those in a list
 * @param {(watching: FromLobby.Watching) => void} [way.onWatching] spectator counts, which are not numbered
 * @param {HTMLElement} way.banner
 * @param {() => void} [way.onOpen] connected or reconnected
 * @param {(message: Exclude<FromLobby.Message, {number: number}>|FromEvery.Error) => void} [way.onOther] messages
 *   without a number
 * @param {import("../net/socket.js").Outbox} [way.outbox] unacknowledged commands
 */
export function openLobby(way) {
  const { onList, onChange, onCounts = () => {}, onWatching = () => {}, banner, onOpen, onOther, outbox } = way;
  const news = orderedNews({ onList, onChange, ask: () => feed.send({ type: "list" }) });
  const tell = createBanner(banner);
  const feed = openFeed({
    name: "lobby",
    onMessage: (/** @type {FromLobby.Message|FromEvery.Error} */ message) => {
      if (message.type === "counts") {
        onCounts(message);
      } else if (message.type === "watching") {
        onWatching(message);
      } else if ("number" in message) {
        if (message.type === "lobby") {
          onCounts(message.counts);
        }
        news.receive(message);
      } else {
        onOther?.(message);
      }
    },
    onStatus: (status, detail) => {
      if (status === "open") {
        news.begin();
        onOpen?.();
      }
      tell(status, detail);
    },
    outbox,
  });
  return feed;
}
