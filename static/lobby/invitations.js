/** Challenges and invitations back to a match, as toasts on every page. Loaded with the first one. */

import { createCalls } from "./calls.js";
import { createChallenges } from "./challenges.js";

/**
 * @param {HTMLElement} place
 * @param {() => void} knock called with each toast
 * @returns {(message: FromPersonal.Message) => void} shows the invitations of a message
 */
export function createInvitations(place, knock) {
  const parts = [createChallenges(place, knock), createCalls(place, knock)];
  return (message) => parts.forEach((show) => show(message));
}
