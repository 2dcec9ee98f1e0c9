/** What the page of each match needs only once its board is drawn. */

export { bindModes } from "../actions/modes.js";
export { bindWatchers } from "../players/watchers.js";
