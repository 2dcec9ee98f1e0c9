/** Which games this browser has introduced to its user; the others offer their introduction. */

import { readList, writeJson } from "../net/storage.js";

const KEY = "parlour:introduced";

/** @param {Storage|null} storage @param {string} game its slug */
const isIntroduced = (storage, game) => readList(storage, KEY).includes(game);

/** @param {Storage|null} storage @param {string} game its slug */
export function setIntroduced(storage, game) {
  if (!isIntroduced(storage, game)) {
    writeJson(storage, KEY, [...readList(storage, KEY), game]);
  }
}

/**
 * Show the offers of a page: elements with the slug of a game as `data-introduce`, and a button that refuses.
 *
 * @param {ParentNode} root
 * @param {Storage|null} storage
 */
export function bindIntroductions(root, storage) {
  for (const offer of root.querySelectorAll("[data-introduce]")) {
    if (!(offer instanceof HTMLElement) || isIntroduced(storage, offer.dataset.introduce ?? "")) {
      continue;
    }
    offer.hidden = false;
    offer.querySelector("button")?.addEventListener("click", () => {
      setIntroduced(storage, offer.dataset.introduce ?? "");
      offer.hidden = true;
    });
  }
}
