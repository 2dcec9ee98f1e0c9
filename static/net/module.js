/** Loads a module by address, with retries. */

import { pause } from "./pause.js";

/**
 * The module at `address`. While the server or the network is down it retries with exponential backoff and jitter; each
 * time with another query string, because browsers cache a failed import.
 *
 * @param {string} address
 * @param {object} [world]
 * @param {(address: string) => Promise<any>} world.load
 * @param {(ms: number) => Promise<unknown>} world.wait
 * @returns {Promise<any>}
 * @throws errors of the module itself
 */
export async function moduleAt(address, { load, wait } = { load: (name) => import(name), wait: waited }) {
  for (let attempt = 0; ; attempt++) {
    try {
      return await load(attempt ? `${address}?again=${attempt}` : address);
    } catch (error) {
      if (!(error instanceof TypeError)) {
        throw error;
      }
      await wait(pause(attempt, Math.random()));
    }
  }
}

/** @param {number} ms */
function waited(ms) {
  return new Promise((done) => setTimeout(done, ms));
}
