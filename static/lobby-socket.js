/** The lobby socket with everything around it: order, pings, the banner that says how it is. */

import { createBanner } from "./banner.js";
import { orderedNews } from "./lobby-news.js";
import { openSocket, socketUrl } from "./socket.js";

/**
 * @param {object} way
 * @param {(list: any) => void} way.onList everything, at first and whenever something was missed
 * @param {(change: any) => void} way.onChange
 * @param {HTMLElement} way.banner
 */
export function openLobby({ onList, onChange, banner }) {
  const news = orderedNews({ onList, onChange, ask: () => socket.send({ type: "list" }) });
  const tell = createBanner(banner);
  const socket = openSocket({
    url: socketUrl("/ws/lobby", location),
    onMessage: (message) => {
      if ("number" in message) {
        news.receive(message);
      }
    },
    onStatus: (status) => {
      if (status === "open") {
        news.begin();
      }
      tell(status);
    },
  });
}
