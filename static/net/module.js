/** A module whose address a page is told, asked for until it is there. */

import { pause } from "./socket.js";

/**
 * The module at `address`. While the server is away or the network is down it is asked for again, with
 * growing, jittered pauses; each time by another name, because a browser may remember that it failed.
 *
 * @param {string} address
 * @param {object} [world]
 * @param {(address: string) => Promise<any>} world.load
 * @param {(ms: number) => Promise<unknown>} world.wait
 * @returns {Promise<any>}
 * @throws what the module itself throws, when it is there and is no good
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
